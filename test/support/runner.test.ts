import { expect, test } from "bun:test"
import { createRunner } from "../../src/support/runner.ts"
import { until } from "./until.ts"

const hour = 3_600_000

test("work is called one call at a time, and its lease is extended meanwhile", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [calls, extended] = [0, 0]
  const runner = createRunner({
    work() {
      calls += 1
      return promise
    },
    everyMs: 1,
    extend: () => void extended++,
  })
  runner.start()
  await until(() => extended >= 3)
  expect(calls).toBe(1)
  resolve()
  await until(() => calls > 1)
  await runner.stop()
})

test("work that failed is called again", async () => {
  const failures: unknown[] = []
  const runner = createRunner({
    work: async () => {
      throw "no"
    },
    everyMs: 1,
    failed: (error) => failures.push(error),
  })
  runner.start()
  await until(() => failures.length >= 2)
  await runner.stop()
  expect(failures.slice(0, 2)).toEqual(["no", "no"])
})

test("what a stop aborts has not failed", async () => {
  const failures: unknown[] = []
  const runner = createRunner({
    work: () => new Promise((_, reject) => runner.signal.addEventListener("abort", () => reject("stopped"))),
    everyMs: hour,
    failed: (error) => failures.push(error),
  })
  runner.start()
  runner.look()
  await runner.stop()
  expect(failures).toEqual([])
})

test("nothing is called before the start, nor after the stop", async () => {
  let calls = 0
  const runner = createRunner({
    work: async () => void calls++,
    everyMs: hour,
  })
  runner.look()
  runner.lookIn(1)
  runner.start()
  runner.look()
  await runner.stop()
  runner.look()
  runner.lookIn(1)
  await Bun.sleep(10)
  expect(calls).toBe(1)
})

test("a stop waits for the rest, and aborts it only after its grace", async () => {
  const rest = Promise.withResolvers<void>()
  const runner = createRunner({ work: async () => {}, everyMs: hour })
  const stopped = runner.stop(hour, () => rest.promise)
  expect(runner.signal.aborted).toBe(false)
  rest.resolve()
  await stopped
  const late = runner.stop(1, () => new Promise((resolve) => runner.signal.addEventListener("abort", () => resolve(0))))
  await late
  expect(runner.signal.aborted).toBe(true)
})
