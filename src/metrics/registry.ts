import { Counter, Gauge, Registry } from "prom-client"

/** The names of the labels are the same for every sample of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type MetricRegistry = ReturnType<typeof createRegistry>

/** A prom-client registry for metrics whose value is read when Prometheus asks for it. */
export function createRegistry() {
  const registry = new Registry()
  const registers = [registry]

  return {
    /** For metrics that are observed as things happen. */
    registers,
    contentType: registry.contentType,
    /** The Prometheus text. */
    text: () => registry.metrics(),

    /** A value that goes up and down; left out while it is null. */
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
    counters(name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]) {
      const collect = function (this: Counter) {
        this.reset()
        for (const { labels, value } of read()) this.inc(labels, value)
      }
      new Counter({ name, help, labelNames, registers, collect })
    },
    /** A value that only goes up while the process lives. */
    counter(name: string, help: string, read: () => number) {
      const collect = function (this: Counter) {
        this.reset()
        this.inc(read())
      }
      new Counter({ name, help, registers, collect })
    },
  }
}
