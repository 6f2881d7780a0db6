import { expect, test } from "bun:test"
import { fit, line } from "../../../bench/scale/fit.ts"
import { type Costs, simulate } from "../../../bench/scale/model.ts"

test("points on a line yield that line", () => {
  const points = [1, 8, 32, 512].map((count) => ({ count, us: 120 + 3.5 * count }))
  const { batchUs, transferUs } = line(points)
  expect(batchUs).toBeCloseTo(120, 6)
  expect(transferUs).toBeCloseTo(3.5, 6)
})

test("a fitted cost is never negative", () => {
  expect(line([1, 8, 64].map((count) => ({ count, us: 10 * count - 5 })))).toMatchObject({ batchUs: 0 })
  expect(line([1, 8, 64].map((count) => ({ count, us: 100 - count })))).toMatchObject({ transferUs: 0 })
})

test("with costs fitted to steps of known length, the model has the rate of those steps", () => {
  const commitUs = 1000
  const seconds = 2
  const roundOf = (count: number) => {
    const stepUs = { prepare: 5 + count, first: 150 + 3 * count, check: 10 + 2 * count, second: 1200 + 12 * count }
    const cycleUs = Object.values(stepUs).reduce((sum, us) => sum + us, 0) + count
    const batches = (seconds * 1e6) / cycleUs
    const scaled = { prepare: 0, first: 0, check: 0, second: 0 }
    for (const name of ["prepare", "first", "check", "second"] as const) scaled[name] = stepUs[name] * batches
    const sent = { seconds, batches, transfers: batches * count, stepUs: scaled, roundTripUs: 50, processUs: 0 }
    return { commitUs, sent: [sent] }
  }
  const counts = [1, 16, 256]
  const costs: Costs = fit(counts.map(roundOf))
  expect(costs.read.batchUs).toBeCloseTo(100, 3)
  expect(costs.write.batchUs).toBeCloseTo(150, 3)

  for (const callers of counts) {
    const machine = {
      processes: 1,
      batchLimit: 512,
      cores: 2,
      databaseCores: null,
      ledgers: 1,
      knowsAccounts: false,
      spread: 0,
    }
    const { perSecond } = simulate({ ...machine, ...costs, callers }, { seconds, seed: 1 })
    const measured = (roundOf(callers).sent[0]?.transfers ?? 0) / seconds
    expect(perSecond / measured).toBeCloseTo(1, 1)
  }
})
