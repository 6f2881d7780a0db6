import { expect, test } from "bun:test"
import { createRegistry } from "../../src/metrics/histograms.ts"

test("gauges and counters are read at each request, and a gauge with the value null is omitted", async () => {
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
