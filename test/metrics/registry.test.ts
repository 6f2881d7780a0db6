import { expect, test } from "bun:test"
import { Histogram, Registry } from "prom-client"
import { createRegistry } from "../../src/metrics/registry.ts"
import { createTally } from "../../src/metrics/tally.ts"

const bounds = [0.1, 0.5, 1]
const values = [0, 0.1, 0.100001, 0.5, 0.7, 1, 1.1, 1000]

/** Metrics and samples without regard to their order, which means nothing. */
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(",").sort()}}`))
    .sort()

test("a histogram of tallies reads as the library's own would, with labels and without", async () => {
  const [registry, library] = [createRegistry(), new Registry()]
  const [alone, ana, bruno] = [createTally(bounds), createTally(bounds), createTally(bounds)]
  const registers = [library]
  const plain = new Histogram({ name: "plain_seconds", help: "Plain.", buckets: bounds, registers })
  const named = new Histogram({
    name: "named_seconds",
    help: "Named.",
    buckets: bounds,
    labelNames: ["who"],
    registers,
  })
  for (const value of values) {
    alone.add(value)
    plain.observe(value)
    ana.add(value * 2)
    named.observe({ who: "ana" }, value * 2)
  }
  bruno.add(0.2)
  named.observe({ who: 'b"r\\u\nno' }, 0.2)

  registry.histogram("plain_seconds", "Plain.", [], () => [{ labels: {}, value: alone.read() }])
  registry.histogram("named_seconds", "Named.", ["who"], () => [
    { labels: { who: "ana" }, value: ana.read() },
    { labels: { who: 'b"r\\u\nno' }, value: bruno.read() },
  ])

  expect(lines(await registry.text())).toEqual(lines(await library.metrics()))
})

test("a tally counts what is at most as large as each bound", () => {
  const tally = createTally(bounds)
  for (const value of values) tally.add(value)
  expect(tally.read()).toEqual({
    atMost: [
      { bound: 0.1, count: 2 },
      { bound: 0.5, count: 4 },
      { bound: 1, count: 6 },
    ],
    count: 8,
    sum: values.reduce((sum, value) => sum + value),
  })
})

test("gauges and counters are read anew each time; what is null is absent", async () => {
  const registry = createRegistry()
  let value: number | null = 5
  let jobs = { running: 1, available: 0 } as Record<string, number>
  registry.gauge("points", "Points.", () => value)
  registry.counter("sent_total", "Sent.", () => value ?? 0)
  registry.gauges("jobs", "Jobs.", ["state"], () =>
    Object.entries(jobs).map(([state, value]) => ({ labels: { state }, value })),
  )
  const samples = async () => (await registry.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"))

  expect(await samples()).toEqual(["points 5", "sent_total 5", 'jobs{state="running"} 1', 'jobs{state="available"} 0'])
  value = 7
  jobs = { running: 2 }
  expect(await samples()).toEqual(["points 7", "sent_total 7", 'jobs{state="running"} 2'])
  value = null
  jobs = {}
  expect(await samples()).toEqual(["sent_total 0"])
})
