import { expect, test } from "bun:test"
import { openArena } from "./arena.ts"
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
