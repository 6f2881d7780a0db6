import { expect, test } from "bun:test"
import { repeatAtOnce, resetAtOnce, spendAtOnce } from "./rounds.ts"
import { startTwoServers } from "./servers.ts"

test("exactly one of eight simultaneous transfers of the whole balance succeeds, in each of 200 rounds", async () => {
  await using servers = await startTwoServers()
  const faults = []
  for (let round = 1; round <= 200; round += 1) faults.push(...(await spendAtOnce(servers, round)))

  expect(faults).toEqual([])
}, 120_000)

test("exactly one of fifty simultaneous uses of one reset token succeeds, and only its password logs in", async () => {
  await using servers = await startTwoServers()

  expect(await resetAtOnce(servers, 1)).toEqual([])
}, 120_000)

test("fifty simultaneous transfers with one idempotency key make one transfer, and all get the same answer", async () => {
  await using servers = await startTwoServers()
  const faults = []
  for (let round = 1; round <= 20; round += 1) faults.push(...(await repeatAtOnce(servers, round)))

  expect(faults).toEqual([])
}, 120_000)
