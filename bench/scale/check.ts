import { aligned, type Figure, median, type Options, type Report, ratio, shown } from "../report.ts"
import { fit } from "./fit.ts"
import { type Case, commits, measure, type Round } from "./measure.ts"
import { type Costs, simulate } from "./model.ts"
import { seed } from "./scale.ts"

/** How far the model may be from what it was not fitted to. */
const errorAtMost = 0.25

const thisMachine = {
  batchLimit: 512,
  cores: navigator.hardwareConcurrency,
  databaseCores: null,
  ledgers: 1,
  spread: 0.2,
}

/** Fits the model to one process, and compares its forecast for several, and for other commits, with measurements. */
export async function check(options: Options): Promise<Report> {
  const measured = [...(await measure(options))]
  const costs = fit(measured.filter(([one]) => isFitted(one)).map(([, rounds]) => rounds))
  const figures = measured.map(([one, rounds]) => compared(one, rounds, costs))
  const forecasts = figures.filter((_, index) => !isFitted(measured[index]?.[0]))
  const worst: Figure = {
    name: "largest error where the model is not fitted",
    rounds: [Math.max(...forecasts.map(({ rounds }) => Math.abs(median(rounds) - 1)))],
    target: { atMost: errorAtMost },
  }
  const waits = commits.map((commit) => {
    const rounds = measured.flatMap(([one, rounds]) => (one.commit === commit ? rounds : []))
    return `${commit} ${shown(median(rounds.map(({ commitUs }) => commitUs)))} µs`
  })
  const others = median(measured.flatMap(([, rounds]) => rounds.map(({ others }) => others)))
  const conditions = `Measured wait of a commit: ${waits.join(", ")}. Other programs took ${Math.round(others * 100)} % of the processor. Seed ${seed}.`
  return { figures: [...figures, worst], details: [tableOf(costs), conditions].join("\n\n") }
}

const isFitted = (one: Case | undefined) => one?.commit === "1 ms" && one.processes === 1

function compared(one: Case, rounds: readonly Round[], costs: Costs): Figure {
  const { commit, processes, callers } = one
  const measured = rounds.map(({ sent }) => sent.reduce((sum, { transfers, seconds }) => sum + transfers / seconds, 0))
  const model = rounds.map(
    ({ commitUs }) =>
      simulate({ ...thisMachine, ...costs, commitUs, processes, callers }, { seconds: 2, seed }).perSecond,
  )
  const name = `commit ${commit}, ${count(processes, "process", "processes")}, ${count(callers, "caller", "callers")}`
  const [ours, other] = [
    { rounds: measured, unit: "/s" },
    { rounds: model, unit: "/s" },
  ]
  return ratio(isFitted(one) ? `${name} (fitted)` : name, ours, other)
}

const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`

function tableOf({ requestUs, prepare, read, check, write, roundTripUs, commitUs }: Costs): string {
  const steps = { prepare, read, check, write }
  return aligned([
    ["Cost in µs", "of a batch", "of a transfer"],
    ["request", "", shown(requestUs)],
    ...Object.entries(steps).map(([name, { batchUs, transferUs }]) => [name, shown(batchUs), shown(transferUs)]),
    ["round trip", shown(roundTripUs), ""],
    ["wait of a commit", shown(commitUs), ""],
  ])
}
