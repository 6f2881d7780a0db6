import { expect, test } from "bun:test"
import { foundCompany } from "./company.ts"
import { playRound } from "./round.ts"

test("five times killed under 16 senders, the server has every transaction that it acknowledged and none that it refused", async () => {
  await using company = await foundCompany()
  const reports = []
  for (let round = 1; round <= 5; round += 1) reports.push(await playRound(company, 16))

  expect(reports.flatMap(({ faults }) => faults)).toEqual([])
  expect(reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(0)
}, 60_000)
