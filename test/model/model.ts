import { parseArgs } from "node:util"
import { checkModel } from "./check.ts"

/*
 * bun test/model/model.ts --runs 10000 [--seed NUMBER]
 *
 * Plays random days at `dist/rewards serve` and holds every answer against a model of the contract in memory. A failure
 * tells the shortest such day and the seed that leads there again. Exit status 1 when anything is wrong.
 */

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, seed: { type: "string" } },
})
const startedMs = performance.now()
let runs = 0
await checkModel({
  runs: Number(values.runs),
  ...(values.seed !== undefined && { seed: Number(values.seed) }),
  afterRun() {
    runs += 1
    if (runs % 100 === 0) console.log(`${runs} runs in ${seconds()} s`)
  },
})
console.log(`${runs} runs in ${seconds()} s: 0 faults`)

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0)
}
