import { expect, test } from "bun:test"
import { parseOutput } from "../../bench/load.ts"

const output = (line: string) => `Running 2s test @ http://127.0.0.1:8000
  1 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     2.26ms    1.02ms  12.11ms   84.11%
${line}
`

test("the results of wrk are read from the line that the script prints", () => {
  const line = 'measured {"requests":5000,"us":2000000,"p50":1500,"p99":12250,"refused":0,"broken":0}'
  expect(parseOutput(output(line))).toEqual({
    requests: 5000,
    perSecond: 2500,
    p50Ms: 1.5,
    p99Ms: 12.25,
    refused: 0,
  })
})

test("refused requests are counted", () => {
  const line = 'measured {"requests":5000,"us":2000000,"p50":1500,"p99":12250,"refused":7,"broken":0}'
  expect(parseOutput(output(line)).refused).toBe(7)
})

test("a run that failed or answered no request is an error", () => {
  const broken = 'measured {"requests":5000,"us":2000000,"p50":1500,"p99":12250,"refused":0,"broken":3}'
  const nothing = 'measured {"requests":0,"us":2000000,"p50":0,"p99":0,"refused":0,"broken":0}'
  expect(() => parseOutput(output(broken))).toThrow("3 connections failed or timed out")
  expect(() => parseOutput(output(nothing))).toThrow("no request was answered")
  expect(() => parseOutput(output("load.lua: cannot open file"))).toThrow("wrk did not come to its end")
})
