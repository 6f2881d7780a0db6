import { parseArgs } from "node:util"
import { soak } from "./run.ts"
import { toldOf } from "./samples.ts"

/*
 * bun test/soak/soak.ts --minutes 30
 *
 * Keeps `dist/rewards serve` under everything that people do, and looks whether memory, open files and the WAL level
 * off. Exit status 1 when one grows on, or an answer is wrong.
 */

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } })
const startedMs = performance.now()
const { done, faults, growth } = await soak(Number(values.minutes) * 60_000, (sample) => {
  console.log(`${((performance.now() - startedMs) / 60_000).toFixed(1)} min: ${toldOf(sample)}`)
})
for (const fault of [...growth, ...faults.slice(0, 50)]) console.log(fault)
console.log(`${values.minutes} minutes, ${JSON.stringify(done)}: ${faults.length} faults, ${growth.length} grew on`)
if (faults.length + growth.length > 0) process.exitCode = 1
