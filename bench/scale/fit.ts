import { median } from "../report.ts"
import type { Sent, Steps } from "./client.ts"
import type { Measured } from "./measure.ts"
import type { Costs, Work } from "./model.ts"

/** Computes the costs of the model from measurements of one process with different numbers of callers. */
export function fit(measured: readonly Pick<Measured, "sent" | "commitUs">[]): Costs {
  const alone = measured.flatMap(({ sent, commitUs }) => sent.map((one) => ({ ...one, commitUs })))
  const lineOf = (usOf: (one: Sent & { readonly commitUs: number }) => number) =>
    line(alone.map((one) => ({ count: one.transfers / one.batches, us: usOf(one) / one.batches })))
  const step = (name: keyof Steps) => lineOf(({ stepUs }) => stepUs[name])
  const roundTripUs = median(alone.map((one) => one.roundTripUs))
  const prepare = step("prepare")
  const rest = lineOf(({ seconds, stepUs }) => seconds * 1e6 - Object.values(stepUs).reduce((sum, us) => sum + us, 0))
  return {
    requestUs: rest.transferUs,
    prepare: { ...prepare, batchUs: prepare.batchUs + rest.batchUs },
    read: lineOf(({ stepUs, batches }) => stepUs.first - batches * roundTripUs),
    check: step("check"),
    write: lineOf(({ stepUs, batches, commitUs }) => stepUs.second - batches * (roundTripUs + commitUs)),
    roundTripUs,
    commitUs: median(alone.map(({ commitUs }) => commitUs)),
  }
}

interface Point {
  readonly count: number
  readonly us: number
}

/** The straight line with the least relative errors. Neither its start nor its slope is negative. */
export function line(points: readonly Point[]): Work {
  const sum = (value: (point: Point) => number) =>
    points.reduce((all, point) => all + value(point) / Math.max(1, point.us) ** 2, 0)
  const [weights, counts, squares] = [sum(() => 1), sum(({ count }) => count), sum(({ count }) => count * count)]
  const [values, products] = [sum(({ us }) => us), sum(({ count, us }) => count * us)]
  const slope = (weights * products - counts * values) / (weights * squares - counts * counts)
  if (slope < 0) return { batchUs: Math.max(0, values / weights), transferUs: 0 }
  const start = (values - slope * counts) / weights
  return start < 0 ? { batchUs: 0, transferUs: Math.max(0, products / squares) } : { batchUs: start, transferUs: slope }
}
