import { expect, test } from "bun:test"
import { soak } from "./run.ts"
import { growthOf, type Sample } from "./samples.ts"

test("during three seconds of mixed load every answer is an expected one", async () => {
  const { faults, done } = await soak(3000)

  expect(faults).toEqual([])
  expect(Object.keys(done)).toHaveLength(11)
}, 120_000)

test("a value that levels off counts as stable, one that keeps rising as growing", () => {
  const samples = (memoryAt: (part: number) => number): Sample[] =>
    Array.from({ length: 120 }, (_, index) => ({ memory: memoryAt(index / 120), files: 30, wal: 4, database: index }))

  expect(growthOf(samples((part) => 100 + 80 * Math.min(part * 4, 1)))).toEqual([])
  expect(growthOf(samples((part) => 100 + 160 * part))).toEqual(["memory grew from 178.7 to 258.7"])
})
