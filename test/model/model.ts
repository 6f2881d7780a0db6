import { parseArgs } from "node:util"
import { checkModel } from "./check.ts"

/*
 * bun test/model/model.ts --runs 10000 [--seed NUMBER]
 *
 * Runs random sequences of actions against `dist/rewards serve` and compares every answer with a model of the interface in
 * memory. Prints the seed, and on a failure the shortest failing sequence. Exit status 1 when anything differs.
 */

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, seed: { type: "string" } },
})
const startedMs = performance.now()
let runs = 0
await checkModel({
  runs: Number(values.runs),
  seed: values.seed === undefined ? undefined : Number(values.seed),
  afterRun() {
    runs += 1
    if (runs % 100 === 0) console.log(`${runs} runs in ${seconds()} s`)
  },
})
console.log(`${runs} runs in ${seconds()} s: 0 faults`)

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0)
}
