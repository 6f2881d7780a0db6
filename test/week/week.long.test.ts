import { expect, test } from "bun:test"
import { growthOf, reportOf } from "./report.ts"
import { type Sample, week } from "./run.ts"

test("whatever happens to the machine, nothing acknowledged is lost, no tab misses an entry, and the report says so", async () => {
  const result = await week({ minutes: 1, speed: 400, incidents: 7 })
  expect(result.faults).toEqual([])
  expect(result.incidents.map(({ what }) => what)).toHaveLength(7)
  expect(result.acknowledged).toBeGreaterThan(10)
  const report = reportOf(result, "2026-11-25")
  expect(report).toContain("Nothing that was acknowledged is lost")
  expect(report).toContain("| the disk is full |")
}, 300_000)

test("a value that levels off is level, one that keeps rising grows", () => {
  const samples = (memoryAt: (part: number) => number): Sample[] =>
    Array.from({ length: 120 }, (_, index) => ({
      at: index,
      memory: memoryAt(index / 120),
      descriptors: 30,
      wal: 4,
      database: index,
    }))
  expect(growthOf(samples((part) => 100 + 80 * Math.min(part * 4, 1)))).toEqual([])
  expect(growthOf(samples((part) => 100 + 160 * part))).toEqual(["memory grew from 178.7 to 258.7"])
})
