import { expect, test } from "bun:test"
import { openArena } from "./arena.ts"
import { repeatAtOnce } from "./repeats.ts"
import { resetAtOnce } from "./resets.ts"
import { spendAtOnce } from "./spends.ts"

test("of eight simultaneous spends of one balance exactly one wins, two hundred times over", async () => {
  await using arena = await openArena()
  const faults = []
  for (let round = 1; round <= 200; round += 1) faults.push(...(await spendAtOnce(arena, round)))

  expect(faults).toEqual([])
}, 60_000)

test("of fifty simultaneous uses of one reset token exactly one wins, and its password is the one", async () => {
  await using arena = await openArena()

  expect(await resetAtOnce(arena, 1)).toEqual([])
}, 60_000)

test("of fifty simultaneous transfers under one idempotency key one is done, and all are answered the same", async () => {
  await using arena = await openArena()
  const faults = []
  for (let round = 1; round <= 20; round += 1) faults.push(...(await repeatAtOnce(arena, round)))

  expect(faults).toEqual([])
}, 60_000)
