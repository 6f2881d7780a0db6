import { parseArgs } from "node:util"
import { fuzz } from "./run.ts"

/*
 * bun test/wire/wire.ts --cases 100000 [--seed NUMBER]
 *
 * Sends malformed request lines, headers, chunks, encodings, WebSocket frames and smuggled requests to `dist/rewards
 * serve`, slowly and at once. Exit status 1 when the server fails, hangs, or its memory grows.
 */

const { values } = parseArgs({
  options: { cases: { type: "string", default: "100000" }, seed: { type: "string", default: String(Date.now()) } },
})
const startedMs = performance.now()
const { statuses, memory, faults } = await fuzz({
  cases: Number(values.cases),
  seed: Number(values.seed),
  report: console.log,
})
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(`seed ${values.seed}, ${values.cases} cases in ${seconds} s: ${faults.length} faults`)
console.log(
  `answers ${JSON.stringify(statuses)}, memory ${memory[0]} MiB after a tenth and ${memory[1]} MiB at the end`,
)
if (faults.length > 0 || memory[1] > memory[0] + 64) process.exitCode = 1
