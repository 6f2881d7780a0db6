import { expect, test } from "bun:test"
import { type Design, simulate } from "../../../bench/scale/model.ts"

const seed = 20_261_122
const nothing = { batchUs: 0, transferUs: 0 }

/** One process with unlimited cores whose work costs nothing: each test adds what it is about. */
const free: Design = {
  processes: 1,
  callers: 1,
  batchLimit: 1,
  cores: 64,
  databaseCores: 64,
  ledgers: 1,
  knowsAccounts: false,
  spread: 0,
  requestUs: 0,
  prepare: nothing,
  read: nothing,
  check: nothing,
  write: nothing,
  roundTripUs: 0,
  commitUs: 0,
}

/** Costs as a small server has them. */
const usual: Design = {
  ...free,
  batchLimit: 512,
  requestUs: 40,
  prepare: { batchUs: 50, transferUs: 2 },
  read: { batchUs: 60, transferUs: 2 },
  check: { batchUs: 50, transferUs: 4 },
  write: { batchUs: 80, transferUs: 8 },
  roundTripUs: 100,
  commitUs: 1000,
}

const run = (design: Partial<Design>, base = free) => simulate({ ...base, ...design }, { seconds: 2, seed })

test("a single caller waits for two round trips and the commit each time", () => {
  const { perSecond, meanMs, batch } = run({ roundTripUs: 200, commitUs: 600 })
  expect(perSecond).toBeCloseTo(1e6 / (2 * 200 + 600), 0)
  expect(meanMs).toBeCloseTo(1, 6)
  expect(batch).toBe(1)
})

test("one process with full batches sends one batch in the time that all its steps take", () => {
  const { perSecond, batch } = run({ callers: 64, batchLimit: 64, requestUs: 0 }, usual)
  const fixedUs = 50 + 60 + 50 + 80
  const eachUs = 2 + 2 + 4 + 8
  const batchUs = fixedUs + 64 * eachUs + 2 * 100 + 1000
  expect(perSecond / ((64 * 1e6) / batchUs)).toBeCloseTo(1, 2)
  expect(batch).toBe(64)
})

test("a process that knows the balances reads none and checks while its first trip is under way", () => {
  const design = { callers: 512, batchLimit: 64, requestUs: 0, knowsAccounts: true }
  const writtenUs = 50 + 64 * 2 + 80 + 64 * 8 + 100 + 1000
  const longCheck = run(design, usual)
  expect(longCheck.perSecond / ((64 * 1e6) / (writtenUs + 50 + 64 * 4))).toBeCloseTo(1, 2)
  const longRead = run({ ...design, read: { batchUs: 400, transferUs: 9 } }, usual)
  expect(longRead.perSecond / ((64 * 1e6) / (writtenUs + 100 + 400))).toBeCloseTo(1, 2)
})

test("a process knows the balances only if it is the only one", () => {
  const several = { processes: 2, callers: 128 }
  expect(run({ ...several, knowsAccounts: true }, usual)).toEqual(run(several, usual))
})

test("callers beyond the batch limit wait for the next batch and do not raise the rate", () => {
  const { perSecond, batch, meanMs } = run({ callers: 40, batchLimit: 10, commitUs: 1000 })
  expect(perSecond).toBeCloseTo(10_000, -2)
  expect(batch).toBe(10)
  expect(meanMs).toBeCloseTo(4, 1)
})

test("a process whose requests use up its core is limited by that core", () => {
  const { perSecond, coreUse } = run({ callers: 500, batchLimit: 500, requestUs: 50, cores: 1, commitUs: 100 })
  expect(perSecond / 20_000).toBeCloseTo(1, 1)
  expect(coreUse).toBeGreaterThan(0.95)
  expect(coreUse).toBeLessThanOrEqual(1)
})

test("many single callers that share a lock follow the repairman formula", () => {
  // Random work of 1 ms each, then a random commit of 0.2 ms, one at a time: a closed queue (M/M/1//N).
  const [callers, workUs, commitUs] = [8, 1000, 200]
  const { perSecond } = simulate(
    { ...free, processes: callers, callers, requestUs: workUs, commitUs, spread: 1 },
    { seconds: 60, seed },
  )
  const load = commitUs / workUs
  let weight = 1
  let sum = 1
  for (let waiting = 1; waiting <= callers; waiting += 1) {
    weight *= (callers - waiting + 1) * load
    sum += weight
  }
  const expected = (1e6 / commitUs) * (1 - 1 / sum)
  expect(perSecond / expected).toBeCloseTo(1, 2)
})

test("processes that compete for the lock share one rate: more processes make smaller batches", () => {
  const design = { callers: 400, requestUs: 0, prepare: nothing, databaseCores: 64 }
  const holdUs = (count: number) => 60 + 50 + 80 + count * (2 + 4 + 8) + 1.5 * 100 + 1000
  for (const processes of [4, 8]) {
    const { perSecond, batch, lockUse } = run({ ...design, processes }, usual)
    const count = 400 / processes
    expect(batch).toBeCloseTo(count, 1)
    expect(perSecond / ((count * 1e6) / holdUs(count))).toBeCloseTo(1, 1)
    expect(lockUse).toBeGreaterThan(0.9)
  }
})

test("a lock never has two holders, and each holder releases it", () => {
  const held = new Map<number, number>()
  let [most, locked, lastUs] = [0, 0, 0]
  const design = { ...usual, processes: 5, callers: 300, ledgers: 3, cores: 2, databaseCores: null, spread: 0.5 }
  simulate(design, {
    seconds: 2,
    seed,
    trace({ atUs, ledger, isHeld }) {
      const count = (held.get(ledger) ?? 0) + (isHeld ? 1 : -1)
      held.set(ledger, count)
      most = Math.max(most, count)
      locked += isHeld ? 1 : 0
      expect(count).toBeGreaterThanOrEqual(0)
      expect(atUs).toBeGreaterThanOrEqual(lastUs)
      lastUs = atUs
    },
  })
  expect(most).toBe(1)
  expect(held.size).toBe(3)
  expect(locked).toBeGreaterThan(1000)
})

test("no design is faster than a full batch for each commit, or than its cores allow", () => {
  const spent = 40 + 2 + 2 + 4 + 8
  for (const processes of [1, 2, 4])
    for (const callers of [1, 32, 512, 2048])
      for (const commitUs of [200, 1000, 5000]) {
        const design = { ...usual, processes, callers, commitUs, batchLimit: 128, cores: 2, databaseCores: null }
        const { perSecond, lockUse, coreUse } = simulate(design, { seconds: 0.5, seed })
        expect(perSecond).toBeLessThanOrEqual((128 * 1e6) / commitUs)
        expect(perSecond).toBeLessThanOrEqual((2 * 1e6) / spent)
        expect(lockUse).toBeLessThanOrEqual(1)
        expect(coreUse).toBeLessThanOrEqual(1)
      }
})

test("the callers, the rate and the waiting time obey Little's law", () => {
  const { perSecond, meanMs } = run({ processes: 3, callers: 240, requestUs: 0, spread: 0.5 }, usual)
  expect((perSecond * meanMs) / 1000 / 240).toBeCloseTo(1, 1)
})

test("ledgers with separate locks commit in parallel", () => {
  const one = run({ processes: 4, callers: 1024, batchLimit: 4, commitUs: 1000 })
  const four = run({ processes: 4, callers: 1024, batchLimit: 4, commitUs: 1000, ledgers: 4 })
  expect(one.perSecond).toBeCloseTo(4000, -2)
  expect(four.perSecond / one.perSecond).toBeGreaterThan(3)
  expect(four.perSecond / one.perSecond).toBeLessThanOrEqual(4.01)
})

test("the same seed gives the same figures, and another seed gives others", () => {
  const design = { ...usual, processes: 3, callers: 100, spread: 0.5 }
  const first = simulate(design, { seconds: 1, seed: 1 })
  expect(simulate(design, { seconds: 1, seed: 1 })).toEqual(first)
  expect(simulate(design, { seconds: 1, seed: 2 })).not.toEqual(first)
})
