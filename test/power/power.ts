import { parseArgs } from "node:util"
import { folderOnDisk } from "../support/executable.ts"
import { buildRecorder } from "./recorder.ts"
import { type PowerReport, runRound } from "./round.ts"

/*
 * bun test/power/power.ts --cuts 5000 [--seed 1]
 *
 * Records what `dist/rewards serve` does to the files of its database under load, with one process and with two in turn,
 * and cuts the power at random places of the recordings. Looks for what was acknowledged or shown by then and is lost, and
 * for syncs on the main thread. Exit status 1 when anything is lost, or the main thread of a single process syncs.
 */

const { values } = parseArgs({
  options: { cuts: { type: "string", default: "5000" }, seed: { type: "string", default: String(Date.now() % 1e6) } },
})
const [cuts, firstSeed] = [countOf("cuts", values.cuts), countOf("seed", values.seed)]
const cutsOfARound = 250
const restarts = 2

await using folder = await folderOnDisk()
const library = await buildRecorder(folder.path)
const reports: PowerReport[] = []
const startedMs = performance.now()

for (let left = cuts; left > 0; left -= cutsOfARound) {
  const seed = firstSeed + reports.length
  const processes = 1 + (reports.length % 2)
  const report = await runRound({ library, processes, cuts: Math.min(left, cutsOfARound), seed, restarts })
  reports.push(report)
  for (const loss of report.losses) console.log(`seed ${seed}, ${processes} processes: ${JSON.stringify(loss)}`)
  for (const what of report.impossible) console.log(`seed ${seed}, ${processes} processes: ${what}`)
  console.log(summary())
}
if (reports.some(isWrong)) process.exitCode = 1

function isWrong({ processes, losses, impossible, syncsOnMain }: PowerReport): boolean {
  return losses.length + impossible.length > 0 || (processes === 1 && syncsOnMain > 0)
}

function countOf(name: string, given: string): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} wants a number from 1`)
  return count
}

function summary(): string {
  const sum = (count: (report: PowerReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  return [
    `${sum(({ images }) => images)} images of ${reports.length} recordings from seed ${firstSeed} on in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    `${sum(({ acknowledged }) => acknowledged)} transactions acknowledged, ${sum(({ shown }) => shown)} shown`,
    `${sum(({ records }) => records)} records`,
    `${sum(({ losses }) => losses.length)} images with losses`,
    `${sum(({ impossible }) => impossible.length)} impossible answers`,
    `${sum(({ syncsOnMain }) => syncsOnMain)} syncs on the main thread`,
  ].join(", ")
}
