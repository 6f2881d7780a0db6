import { expect, test } from "bun:test"
import { faultsOf, verifyLarge } from "./run.ts"

test("100,000 transactions are verified and backed up with less than 100 MB of memory", async () => {
  const verified = await verifyLarge(100_000)

  expect(faultsOf(verified)).toEqual([])
  expect(faultsOf({ ...verified, verify: { ...verified.verify, memoryMb: 100 } })).toEqual([
    "verify took 100 MB of memory",
  ])
}, 120_000)
