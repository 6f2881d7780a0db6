import { expect, test } from "bun:test"
import { foundCompany } from "./company.ts"
import { playRound } from "./round.ts"

test("five times killed under 16 senders, with a command line and mails beside them, nothing acknowledged is lost and nothing refused is recorded", async () => {
  await using company = await foundCompany()
  const reports = []
  for (let round = 1; round <= 5; round += 1) reports.push(await playRound(company, 16))

  expect(reports.flatMap(({ faults }) => faults)).toEqual([])
  for (const kind of ["acknowledged", "commands", "mails"] as const)
    expect(reports.reduce((sum, report) => sum + report[kind], 0)).toBeGreaterThan(0)
}, 60_000)
