import { mostAtOnce } from "../../src/storage/ledger/ledger.ts"
import { aligned, type Options, type Report, shown } from "../report.ts"
import { type Costs, type Design, simulate } from "./model.ts"

export const seed = 20_261_122

/** Costs measured for docs/scale.md. The round trip is that of a network, and the request is one over HTTP. */
const costs: Costs = {
  requestUs: 60,
  prepare: { batchUs: 1, transferUs: 0.2 },
  read: { batchUs: 140, transferUs: 4 },
  check: { batchUs: 10, transferUs: 2 },
  write: { batchUs: 200, transferUs: 38 },
  roundTripUs: 200,
  commitUs: 200,
}

/** Each process has one core and the database server eight, with a network between them. */
const cluster: Design = {
  ...costs,
  processes: 1,
  callers: 2048,
  batchLimit: mostAtOnce,
  cores: 1,
  databaseCores: 8,
  ledgers: 1,
  knowsAccounts: true,
  spread: 0.2,
}

const commitsMs = [0.2, 0.5, 1, 2, 5]
const processCounts = [1, 2, 4, 8, 16]

/** The limits of the design with one ledger, from the model alone, so that figures are the same on every machine. */
export async function scale({ quick }: Options): Promise<Report> {
  const run = (design: Partial<Design>) => {
    const processes = design.processes ?? 1
    return simulate({ ...cluster, cores: processes, ...design }, { seconds: quick ? 1 : 4, seed })
  }
  const rate = ({ perSecond }: { perSecond: number }) => Math.round(perSecond).toLocaleString("en")

  const byProcesses = commitsMs.map((ms) => [
    `${ms} ms`,
    ...processCounts.map((processes) => rate(run({ commitUs: ms * 1000, processes }))),
  ])
  const callerCounts = [8, 32, 128, 512, 2048]
  const byCallers = commitsMs.map((ms) => [
    `${ms} ms`,
    ...callerCounts.map((callers) => {
      const simulated = run({ commitUs: ms * 1000, processes: 2, callers })
      return `${rate(simulated)} (${shown(simulated.p99Ms)} ms)`
    }),
  ])
  const limits = [64, 256, 512, 1024, 4096]
  const byLimit = commitsMs.map((ms) => [
    `${ms} ms`,
    ...limits.map((batchLimit) => rate(run({ commitUs: ms * 1000, processes: 4, callers: 8192, batchLimit }))),
  ])
  const ledgerCounts = [1, 2, 4, 8, 16]
  const byLedgers = commitsMs.map((ms) => [
    `${ms} ms`,
    ...ledgerCounts.map((ledgers) => rate(run({ commitUs: ms * 1000, processes: 8, ledgers }))),
  ])
  const table = (title: string, what: string, columns: readonly number[], rows: readonly (readonly string[])[]) =>
    `${title}\n\n${aligned([["Commit", ...columns.map((count) => `${count} ${count === 1 ? what.replace(/e?s$/, "") : what}`)], ...rows])}`
  return {
    figures: [],
    details: [
      table("Transfers a second, 2,048 callers:", "processes", processCounts, byProcesses),
      table("Transfers a second and 99th percentile, 2 processes:", "callers", callerCounts, byCallers),
      table(
        "Transfers a second, 4 processes and 8,192 callers, by the most transfers in a batch:",
        "a batch",
        limits,
        byLimit,
      ),
      table(
        "Transfers a second, 8 processes and 2,048 callers, by ledgers of their own:",
        "ledgers",
        ledgerCounts,
        byLedgers,
      ),
      `Simulated with seed ${seed}: a core for each process, ${cluster.databaseCores} for the database, ${cluster.roundTripUs} µs between them.`,
    ].join("\n\n"),
  }
}
