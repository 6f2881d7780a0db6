import { expect, test } from "bun:test"
import { runOnceRound } from "./once-round.ts"

test("killed while allowances are paid, rewards redeemed and mails sent, two processes do each once", async () => {
  const { faults, paid } = await runOnceRound(2)

  expect({ faults, hasPaid: paid > 0 }).toEqual({ faults: [], hasPaid: true })
}, 180_000)
