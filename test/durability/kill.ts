import { parseArgs } from "node:util"
import { createCompany } from "./company.ts"
import { type RoundReport, runRound } from "./round.ts"

/*
 * bun test/durability/kill.ts --rounds 1000 --senders 64
 *
 * Kills `dist/rewards serve` with SIGKILL under load, again and again, while commands write to the same database and
 * mails are being sent. Looks for data that was acknowledged and lost. It simulates a crash of the process, not of the
 * machine. Exit status 1 when anything is wrong, or a new start takes more than a second.
 */

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "1000" }, senders: { type: "string", default: "64" } },
})
const [rounds, senders] = [countOf("rounds", values.rounds), countOf("senders", values.senders)]

await using company = await createCompany()
const reports: RoundReport[] = []
const startedMs = performance.now()
for (let round = 1; round <= rounds; round += 1) {
  const report = await runRound(company, senders)
  reports.push(report)
  for (const fault of report.faults) console.log(`round ${round}: ${fault}`)
  if (round % 20 === 0) console.log(`${round} rounds: ${summary(reports)}`)
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
console.log(`${rounds} rounds with ${senders} senders in ${seconds} s: ${summary(reports)}`)
if (reports.some(({ faults, readyMs }) => faults.length > 0 || readyMs > 1000)) process.exitCode = 1

function summary(reports: readonly RoundReport[]): string {
  const sum = (count: (report: RoundReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  return [
    `${sum(({ acknowledged }) => acknowledged)} acknowledged`,
    `${sum(({ refused }) => refused)} refused`,
    `${sum(({ unknown }) => unknown)} unanswered (${sum(({ unknownRecorded }) => unknownRecorded)} of them recorded)`,
    `${sum(({ commands }) => commands)} of the command line`,
    `${sum(({ mails }) => mails)} mails`,
    `ready again after ${Math.max(...reports.map(({ readyMs }) => readyMs))} ms at most`,
    `${sum(({ faults }) => faults.length)} faults`,
  ].join(", ")
}

function countOf(name: string, given: string): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} wants a number from 1`)
  return count
}
