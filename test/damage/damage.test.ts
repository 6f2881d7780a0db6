import { expect, test } from "bun:test"
import fc from "fast-check"
import { leaveBase } from "./base.ts"
import { flips, playFlip } from "./flip.ts"

test("thirty flipped bits in database, WAL and watermark: right answers or none", async () => {
  const faults = []
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await using base = await leaveBase(signal)
    for (const flip of fc.sample(flips, 15)) faults.push(...(await playFlip(base, flip)).faults)
  }

  expect(faults).toEqual([])
}, 120_000)
