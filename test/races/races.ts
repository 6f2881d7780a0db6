import { parseArgs } from "node:util"
import { repeatAtOnce, resetAtOnce, spendAtOnce } from "./rounds.ts"
import { startTwoServers } from "./servers.ts"

/*
 * bun test/races/races.ts --spends 10000 --resets 100 --repeats 1000
 *
 * Spends one balance, sends points under one idempotency key, and uses one reset token, each many times at once, with
 * two `dist/rewards serve` on one database. Exit status 1 unless exactly one attempt succeeds in every round, and each
 * round ends within a minute.
 */

const { values } = parseArgs({
  options: {
    spends: { type: "string", default: "10000" },
    resets: { type: "string", default: "100" },
    repeats: { type: "string", default: "1000" },
  },
})
let faults = 0
const startedMs = performance.now()
const roundMs = 60_000

await using servers = await startTwoServers()
for (const [what, rounds, play] of [
  ["spends", Number(values.spends), spendAtOnce],
  ["repeats", Number(values.repeats), repeatAtOnce],
  ["resets", Number(values.resets), resetAtOnce], // last, because a reset ends the tokens that the other races use
] as const)
  for (let round = 1; round <= rounds; round += 1) {
    for (const fault of await inTime(play(servers, round), `${what} of round ${round}`)) {
      faults += 1
      console.log(fault)
    }
    if (round % 500 === 0 || round === rounds)
      console.log(`${round} rounds of ${what} in ${seconds()} s, ${faults} faults`)
  }
if (faults > 0) process.exitCode = 1

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what}: more than ${roundMs} ms`)), roundMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}
