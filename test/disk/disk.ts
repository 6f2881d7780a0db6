import { parseArgs } from "node:util"
import { createCompany } from "../durability/company.ts"
import { folderOnDisk } from "../support/executable.ts"
import { runFault } from "./round.ts"
import { buildShim, type Fault } from "./shim.ts"
import { runStart } from "./start.ts"

/*
 * bun test/disk/disk.ts --first 1 --last 200 [--step 1]
 *
 * Has the disk under `dist/rewards serve` fail at the k-th write and the k-th sync, for each k from first to last: with
 * EIO and ENOSPC, once and for good, under load and at the start. Exit status 1 when anything is lost or reported wrongly.
 */

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "1" },
    last: { type: "string", default: "200" },
    step: { type: "string", default: "1" },
  },
})
const [first, last, step] = [Number(values.first), Number(values.last), Number(values.step)]

/** The most writes of one command. */
const callsOfACommand = 60

await using folder = await folderOnDisk()
const shim = await buildShim(folder.path)
await using company = await createCompany()
const startedMs = performance.now()
const total = { rounds: 0, ended: 0, acknowledged: 0, refused: 0, wrong: 0 }

for (let k = first; k <= last; k += step) {
  for (const fault of faultsAt(k)) {
    const { ended, acknowledged, refused, wrong } = await runFault(company, shim, fault)
    count({ ended, acknowledged, refused }, fault, wrong)
    if (k > callsOfACommand) continue
    const start = await runStart(company, shim, fault)
    count({ ended: start.refused, acknowledged: 0, refused: 0 }, fault, start.wrong)
  }
  if (k % (10 * step) === 0 || k + step > last) console.log(`k to ${k} in ${seconds()} s: ${JSON.stringify(total)}`)
}
if (total.wrong > 0) process.exitCode = 1

function faultsAt(k: number): Fault[] {
  return (["write", "sync"] as const).flatMap((kind) =>
    (["EIO", "ENOSPC"] as const).flatMap((error) =>
      [false, true].map((lasting) => ({ kind, error, first: k, lasting, torn: k % 2 === 0 })),
    ),
  )
}

function count(
  round: Omit<typeof total, "rounds" | "wrong" | "ended"> & { ended: boolean },
  fault: Fault,
  wrong: readonly string[],
) {
  total.rounds += 1
  total.ended += Number(round.ended)
  total.acknowledged += round.acknowledged
  total.refused += round.refused
  total.wrong += wrong.length
  for (const what of wrong) console.log(`${JSON.stringify(fault)}: ${what}`)
}

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0)
}
