import { parseArgs } from "node:util"
import { faults, promote, type RoundReport, runRound } from "./rounds.ts"
import { startWorld, type World } from "./world.ts"

/*
 * bun test/failover/failover.ts --rounds 500 --promotions 20 --senders 32
 *
 * Kills processes of `dist/rewards serve` and the PostgreSQL that they share with SIGKILL, under load, again and again.
 * Then kills a primary and promotes its synchronous standby, each time in a new world. Looks for transfers and rewards that
 * were acknowledged and lost, or made twice, and adds up the balances in every answer. Exit status 1 when anything is wrong.
 */

const count = { type: "string" } as const
const { values } = parseArgs({
  options: {
    rounds: { ...count, default: "500" },
    promotions: { ...count, default: "20" },
    senders: { ...count, default: "32" },
  },
})
const senders = Number(values.senders)
/** After this many rounds, a new database is made, so that checks do not read more and more. */
const roundsPerWorld = 20

const reports: RoundReport[] = []
let faultCount = 0
const startedMs = performance.now()
const names = Object.keys(faults)

for (let left = Number(values.rounds); left > 0; left -= roundsPerWorld) {
  await using world = await startWorld()
  for (let round = 0; round < Math.min(left, roundsPerWorld); round += 1) {
    const name = names[round % names.length] ?? ""
    const fault = faults[name]
    if (fault !== undefined) report(await runRound(world, name, fault, senders))
  }
  await verify(world)
  console.log(summary())
}
for (let count = 1; count <= Number(values.promotions); count += 1) {
  await using world = await startWorld({ withStandby: true })
  report(await runRound(world, "promoted", promote, senders))
  await verify(world)
}
console.log(summary())
if (faultCount > 0) process.exitCode = 1

function report(one: RoundReport) {
  reports.push(one)
  show(one.faults)
}

async function verify(world: World) {
  show(await world.verify())
}

function show(found: readonly string[]) {
  faultCount += found.length
  for (const fault of found) console.log(`round ${reports.length}: ${fault}`)
}

function summary(): string {
  const sum = (of: (report: RoundReport) => number) => reports.reduce((total, one) => total + of(one), 0)
  return [
    `${reports.length} rounds with ${senders} senders in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    `${sum(({ acknowledged }) => acknowledged)} acknowledged`,
    `${sum(({ refused }) => refused)} refused`,
    `${sum(({ repeated }) => repeated)} sent more than once`,
    `${sum(({ sums }) => sums)} answers with balances`,
    `${faultCount} faults`,
  ].join(", ")
}
