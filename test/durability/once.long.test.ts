import { expect, test } from "bun:test"
import { runOnceRound } from "./once-round.ts"

test("two processes that are killed while they pay allowances, redeem rewards and send mails do each only once", async () => {
  const { faults, paid } = await runOnceRound(2)

  expect({ faults, hasPaid: paid > 0 }).toEqual({ faults: [], hasPaid: true })
}, 180_000)
