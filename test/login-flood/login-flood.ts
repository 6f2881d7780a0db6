import { parseArgs } from "node:util"
import { flood } from "./run.ts"

/*
 * bun test/login-flood/login-flood.ts --rounds 5 --seconds 10
 *
 * Sends `dist/rewards serve` far more log-ins than it can hash, and compares the latency of other requests with and without
 * them. Exit status 1 when it more than doubles, or an answer is wrong.
 */

/** By default Bun's `fetch` runs 256 requests at once; time spent waiting in the client would count as the server's. */
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
const { quietP99Ms, floodP99Ms, attempts, faults } = await flood({
  rounds: Number(values.rounds),
  ms: Number(values.seconds) * 1000,
  cost: 12,
})
const [quiet, flooded] = [median(quietP99Ms), median(floodP99Ms)]
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(`99th percentile of others: ${quietP99Ms.map(inMs)} ms quiet, ${floodP99Ms.map(inMs)} ms in the flood`)
console.log(`attempts by status: ${JSON.stringify(attempts)}; ${faults.length} faults`)
console.log(`${inMs(quiet)} ms quiet, ${inMs(flooded)} ms in the flood: ${inMs(flooded / quiet)} times`)
if (faults.length > 0 || flooded > 2 * quiet) process.exitCode = 1

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function inMs(ms: number): string {
  return ms.toFixed(2)
}
