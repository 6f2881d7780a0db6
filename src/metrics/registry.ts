import { Counter, Gauge, Histogram, Registry } from "prom-client"
import type { TallyReading } from "./tally.ts"

type Labels = Readonly<Record<string, string>>

/** A number with labels; the names of the labels are the same for every sample of a metric. */
export interface Sample<T = number> {
  readonly labels: Labels
  readonly value: T
}

export type MetricRegistry = ReturnType<typeof createRegistry>

/** Metrics that are read when somebody asks for them, in the words of prom-client. */
export function createRegistry() {
  const registry = new Registry()
  const registers = [registry]

  return {
    contentType: registry.contentType,
    /** The Prometheus text. */
    text: () => registry.metrics(),

    /** A value that goes up and down; absent while it is null. */
    gauge(name: string, help: string, read: () => number | null) {
      const collect = function (this: Gauge) {
        const value = read()
        if (value === null) this.remove()
        else this.set(value)
      }
      new Gauge({ name, help, registers, collect })
    },
    gauges(name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]) {
      const collect = function (this: Gauge) {
        this.reset()
        for (const { labels, value } of read()) this.set(labels, value)
      }
      new Gauge({ name, help, labelNames, registers, collect })
    },
    /** A value that only goes up while the process lives. */
    counter(name: string, help: string, read: () => number) {
      const collect = function (this: Counter) {
        this.reset()
        this.inc(read())
      }
      new Counter({ name, help, registers, collect })
    },
    /** Without labels: one sample with none. */
    histogram(name: string, help: string, labelNames: readonly string[], read: () => readonly Sample<TallyReading>[]) {
      // The library gives name, help and type; what was counted elsewhere takes the place of its own buckets.
      const metric = new Histogram({ name, help, labelNames, registers })
      const reading = async () => ({
        name,
        help,
        type: "histogram",
        values: read().flatMap((sample) => lines(name, sample)),
      })
      Object.assign(metric, { get: reading, getForPromString: reading })
    },
  }
}

function lines(name: string, { labels, value: { atMost, count, sum } }: Sample<TallyReading>) {
  const buckets = [...atMost, { bound: "+Inf", count }]
  return [
    ...buckets.map(({ bound, count }) => ({
      metricName: `${name}_bucket`,
      labels: { le: bound, ...labels },
      value: count,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
