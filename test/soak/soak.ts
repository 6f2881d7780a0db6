import { parseArgs } from "node:util"
import { soak } from "./run.ts"
import { describe } from "./samples.ts"

/*
 * bun test/soak/soak.ts --minutes 30
 *
 * Runs `dist/rewards serve` under a mixed load and checks that memory, open files and the WAL stop growing. Exit status 1
 * when one keeps growing or an answer is wrong.
 */

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } })
const startedMs = performance.now()
const { done, faults, growth } = await soak(Number(values.minutes) * 60_000, (sample) => {
  console.log(`${((performance.now() - startedMs) / 60_000).toFixed(1)} min: ${describe(sample)}`)
})
for (const fault of [...growth, ...faults.slice(0, 50)]) console.log(fault)
console.log(
  `${values.minutes} minutes, ${JSON.stringify(done)}: ${faults.length} faults, ${growth.length} kept growing`,
)
if (faults.length + growth.length > 0) process.exitCode = 1
