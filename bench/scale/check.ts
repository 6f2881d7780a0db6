import { mostAtOnce } from "../../src/storage/ledger/ledger.ts"
import { aligned, type Figure, median, type Options, type Report, ratio, shown } from "../report.ts"
import { fit } from "./fit.ts"
import { type Case, commits, type Measured, measure } from "./measure.ts"
import { type Costs, simulate } from "./model.ts"
import { seed } from "./scale.ts"

/** Greatest relative error of the model for cases that it was not fitted to. */
const errorAtMost = 0.25

const thisMachine = {
  batchLimit: mostAtOnce,
  cores: navigator.hardwareConcurrency,
  databaseCores: null,
  ledgers: 1,
  knowsAccounts: true,
  spread: 0.2,
}

/**
 * In each round, fits the model to one process that reads its accounts, with one kind of commit. Then compares its
 * forecast with the measurements of the same round for one to four normal processes and all kinds of commits.
 */
export async function check(options: Options): Promise<Report> {
  const rounds = await measure(options)
  const costs = rounds.map((round) => fit(round.filter(({ one }) => one.isTimed)))
  const cases = rounds[0] ?? []
  const figures = cases.map(({ one }) => {
    const inRounds = rounds.map((round) => round.find((measured) => isSame(measured.one, one)))
    return compared(
      one,
      inRounds.filter((measured) => measured !== undefined),
      costs,
    )
  })
  const forecasts = figures.filter((_, index) => !cases[index]?.one.isTimed)
  const worst: Figure = {
    name: "largest error where the model is not fitted",
    rounds: [Math.max(...forecasts.map(({ rounds }) => Math.abs(median(rounds) - 1)))],
    target: { atMost: errorAtMost },
  }
  const waits = commits.map((commit) => {
    const us = rounds.flat().flatMap(({ one, commitUs }) => (one.commit === commit ? [commitUs] : []))
    return `${commit} ${shown(median(us))} µs`
  })
  const others = Math.round(median(rounds.flat().map(({ others }) => others)) * 100)
  const conditions = [
    `Measured wait of a commit: ${waits.join(", ")}.`,
    `Other programs took ${others} % of the processor. Seed ${seed}.`,
  ]
  return { figures: [...figures, worst], details: [tableOf(costs), conditions.join(" ")].join("\n\n") }
}

const isSame = (a: Case, b: Case) =>
  a.commit === b.commit && a.processes === b.processes && a.callers === b.callers && a.isTimed === b.isTimed

function compared(one: Case, measured: readonly Measured[], costs: readonly Costs[]): Figure {
  const { commit, processes, callers, isTimed } = one
  const ours = measured.map(({ sent }) => sent.reduce((sum, { transfers, seconds }) => sum + transfers / seconds, 0))
  const model = measured.map(({ commitUs }, round) => {
    const fitted = costs[round]
    if (!fitted) throw new Error("a round without costs")
    const design = { ...thisMachine, ...fitted, commitUs, processes, callers, knowsAccounts: !isTimed }
    return simulate(design, { seconds: 2, seed }).perSecond
  })
  const name = `commit ${commit}, ${count(processes, "process", "processes")}, ${count(callers, "caller", "callers")}`
  const side = (rounds: readonly number[]) => ({ rounds, unit: "/s" })
  return ratio(isTimed ? `${name} (fitted)` : name, side(ours), side(model))
}

const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`

/** The costs as a table, with the medians of the rounds. */
function tableOf(costs: readonly Costs[]): string {
  const middle = (us: (costs: Costs) => number) => shown(median(costs.map(us)))
  const steps = (["prepare", "read", "check", "write"] as const).map((name) => [
    name,
    middle((one) => one[name].batchUs),
    middle((one) => one[name].transferUs),
  ])
  return aligned([
    ["Cost in µs", "of a batch", "of a transfer"],
    ["request", "", middle(({ requestUs }) => requestUs)],
    ...steps,
    ["round trip", middle(({ roundTripUs }) => roundTripUs), ""],
    ["wait of a commit", middle(({ commitUs }) => commitUs), ""],
  ])
}
