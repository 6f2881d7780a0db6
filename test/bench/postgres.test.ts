import { expect, test } from "bun:test"
import { ratePgbenchPrints } from "../../bench/postgres.ts"

const output = (failed: number, last: string) => `number of transactions actually processed: 3207
number of failed transactions: ${failed} (0.000%)
latency average = 4.941 ms
initial connection time = 45.869 ms
${last}
`

test("the rate of pgbench is read from its last line", () => {
  expect(ratePgbenchPrints(output(0, "tps = 1619.070602 (without initial connection time)"))).toBe(1619.070602)
})

test("failed transactions or a missing rate are an error", () => {
  const rate = "tps = 1619.070602 (without initial connection time)"
  expect(() => ratePgbenchPrints(output(3, rate))).toThrow("pgbench did not come to its end")
  expect(() => ratePgbenchPrints(output(0, "pgbench: error: client 0 aborted"))).toThrow("client 0 aborted")
})
