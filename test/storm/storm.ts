import { parseArgs } from "node:util"
import { storm } from "./run.ts"

/*
 * bun test/storm/storm.ts --rounds 5 --seconds 10
 *
 * Sends `dist/rewards serve` far more logins than it can hash, and compares what others wait for their answers then and
 * without. Exit status 1 when they wait more than twice as long, or an answer is wrong.
 */

/** Bun's `fetch` has 256 requests under way otherwise, and what waits in the client would count as the server's. */
const requestsAtOnce = "16000"
if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS !== requestsAtOnce) {
  const env = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: requestsAtOnce }
  const again = Bun.spawn([process.execPath, ...process.argv.slice(1)], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  })
  process.exit(await again.exited)
}

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "10" } },
})
const { quietP99Ms, stormP99Ms, attempts, faults } = await storm({
  rounds: Number(values.rounds),
  ms: Number(values.seconds) * 1000,
  cost: 12,
})
const [quiet, stormy] = [median(quietP99Ms), median(stormP99Ms)]
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(`99th percentile of others: ${quietP99Ms.map(told)} ms quiet, ${stormP99Ms.map(told)} ms in the storm`)
console.log(`attempts by status: ${JSON.stringify(attempts)}; ${faults.length} faults`)
console.log(`${told(quiet)} ms quiet, ${told(stormy)} ms in the storm: ${told(stormy / quiet)} times`)
if (faults.length > 0 || stormy > 2 * quiet) process.exitCode = 1

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function told(ms: number): string {
  return ms.toFixed(2)
}
