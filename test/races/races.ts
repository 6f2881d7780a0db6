import { parseArgs } from "node:util"
import { openArena } from "./arena.ts"
import { repeatAtOnce } from "./repeats.ts"
import { resetAtOnce } from "./resets.ts"
import { spendAtOnce } from "./spends.ts"

/*
 * bun test/races/races.ts --spends 10000 --resets 100 --repeats 1000
 *
 * Spends one balance many times at once, uses one reset token many times at once, and sends points under one idempotency
 * key many times at once, at two `dist/rewards serve` on one database. Exit status 1 when more or less than one of them
 * wins.
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

await using arena = await openArena()
for (const [what, rounds, play] of [
  ["spends", Number(values.spends), spendAtOnce],
  ["resets", Number(values.resets), resetAtOnce],
  ["repeats", Number(values.repeats), repeatAtOnce],
] as const)
  for (let round = 1; round <= rounds; round += 1) {
    for (const fault of await play(arena, round)) {
      faults += 1
      console.log(fault)
    }
    if (round % 500 === 0 || round === rounds)
      console.log(`${round} rounds of ${what} in ${seconds()} s, ${faults} faults`)
  }
if (faults > 0) process.exitCode = 1

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}
