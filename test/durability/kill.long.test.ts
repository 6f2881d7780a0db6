import { expect, test } from "bun:test"
import { createCompany } from "./company.ts"
import { type RoundReport, runRound } from "./round.ts"

test("when the server is killed under 16 senders, commands and mails, it loses nothing acknowledged and records nothing refused", async () => {
  await using company = await createCompany()
  const reports: RoundReport[] = []
  const sumOf = (kind: "acknowledged" | "commands" | "mails") => reports.reduce((sum, report) => sum + report[kind], 0)
  // On a busy machine a server may be killed before it has answered anything.
  while (reports.length < 5 || sumOf("acknowledged") * sumOf("commands") * sumOf("mails") === 0)
    reports.push(await runRound(company, 16))

  expect(reports.flatMap(({ faults }) => faults)).toEqual([])
}, 120_000)
