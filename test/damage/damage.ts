import { parseArgs } from "node:util"
import fc from "fast-check"
import { createBase } from "./base.ts"
import { flips, runFlip } from "./flip.ts"

/*
 * bun test/damage/damage.ts --flips 1000 [--seed NUMBER]
 *
 * Flips one bit in the files that `dist/rewards serve` left: database, WAL or watermark, after a kill and after a
 * normal end in turn. Then starts it on these files, and compares every answer with the one before. Each must be the
 * same or a failure (5xx), or the start must be refused; otherwise the exit status is 1.
 */

const { values } = parseArgs({
  options: { flips: { type: "string", default: "1000" }, seed: { type: "string", default: String(Date.now()) } },
})
const startedMs = performance.now()
const count = { right: 0, failing: 0, refused: 0 }
let played = 0
let faults = 0

await using killed = await createBase("SIGKILL")
await using closed = await createBase("SIGTERM")
for (const flip of fc.sample(flips, { seed: Number(values.seed), numRuns: Number(values.flips) })) {
  const report = await runFlip(played % 2 === 0 ? killed : closed, flip)
  played += 1
  count[report.outcome] += 1
  if (report.faults.length > 0) faults += 1
  for (const fault of report.faults.slice(0, 3)) console.log(fault)
  if (played % 100 === 0) console.log(told())
}
console.log(`seed ${values.seed}: ${told()}`)
if (faults > 0) process.exitCode = 1

function told(): string {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  return `${played} flips in ${seconds} s: ${JSON.stringify(count)}, ${faults} with faults`
}
