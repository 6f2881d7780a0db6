import { parseArgs } from "node:util"
import { type OnceReport, runOnceRound } from "./once-round.ts"

/*
 * bun test/durability/once.ts --rounds 50 --kills 4 REWARDS_TEST_STORE=postgresql bun test/durability/once.ts --rounds
 * 50 --kills 4
 *
 * Kills two processes of `dist/rewards serve` with SIGKILL, again and again, while they pay allowances, take
 * redemptions and send mail. Looks for work that was done twice or not at all. Exit status 1 when anything is wrong.
 */

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "50" }, kills: { type: "string", default: "4" } },
})

const reports: OnceReport[] = []
const startedMs = performance.now()
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const report = await runOnceRound(Number(values.kills))
  reports.push(report)
  for (const fault of report.faults) console.log(`round ${round}: ${fault}`)
  if (round % 10 === 0) console.log(summary())
}
console.log(summary())
if (reports.some(({ faults }) => faults.length > 0)) process.exitCode = 1

function summary(): string {
  const sum = (count: (report: OnceReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  return [
    `${reports.length} rounds of ${values.kills} kills in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    `${sum(({ paid }) => paid)} paid by allowances`,
    `${sum(({ redemptions }) => redemptions)} redemptions`,
    `${sum(({ jobs }) => jobs)} jobs (${sum(({ repeatedJobs }) => repeatedJobs)} of them cut off and repeated)`,
    `${sum(({ mails }) => mails)} mails`,
    `${sum(({ faults }) => faults.length)} faults`,
  ].join(", ")
}
