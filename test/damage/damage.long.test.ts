import { expect, test } from "bun:test"
import fc from "fast-check"
import { createBase } from "./base.ts"
import { flips, runFlip } from "./flip.ts"

test("with any of 30 bits of database, WAL or watermark flipped, the server answers correctly, fails, or refuses to start", async () => {
  const faults = []
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await using base = await createBase(signal)
    for (const flip of fc.sample(flips, 15)) faults.push(...(await runFlip(base, flip)).faults)
  }

  expect(faults).toEqual([])
}, 120_000)
