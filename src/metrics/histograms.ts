import { Counter, Gauge, Histogram, Registry } from "prom-client"

const requestSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const commitSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const batchEntries = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
const delaySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Unknown methods and paths share this label; otherwise callers could fill the memory with names. */
const other = "other"
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** How often the delay of the event loop is measured. A tenth of a second shows what users notice; a shorter interval
 *  costs an idle server more. */
const delayIntervalMs = 100

export type Histograms = ReturnType<typeof createHistograms>

/** The metrics that are observed as things happen, and the registry of all metrics. */
export function createHistograms() {
  const registry = createRegistry()
  const { registers } = registry
  const requests = new Histogram({
    name: "rewards_http_request_duration_seconds",
    help: "Requests, from the end of the head to the answer.",
    labelNames: ["method", "route", "status"],
    buckets: requestSeconds,
    registers,
  })
  const batches = new Histogram({
    name: "rewards_ledger_batch_entries",
    help: "Transactions that shared one commit, refused ones included.",
    buckets: batchEntries,
    registers,
  })
  const commits = new Histogram({
    name: "rewards_ledger_commit_duration_seconds",
    help: "Commits of the ledger.",
    buckets: commitSeconds,
    registers,
  })
  const delays = new Histogram({
    name: "rewards_event_loop_delay_seconds",
    help: "How late timers fire, which is how long the event loop was blocked.",
    buckets: delaySeconds,
    registers,
  })

  const rejections = new Counter({
    name: "rewards_rejected_requests_total",
    help: "Requests answered with status 503, by the limit or the outage that is the reason.",
    labelNames: ["reason"],
    registers,
  })

  return {
    registry,
    /** A request that was answered; `route` is null for a path that no route matches. */
    request(method: string, route: string | null, status: number, ms: number) {
      requests.observe({ method: methods.has(method) ? method : other, route: route ?? other, status }, ms / 1000)
    },
    /** Requests that were answered with status 503; with `count` 0 the reason is only made known. */
    rejected: (reason: string, count = 1) => rejections.inc({ reason }, count),
    /** One commit of the ledger: how many transactions shared it, and how long it took. */
    commit({ entries, ms }: { readonly entries: number; readonly ms: number }) {
      batches.observe(entries)
      commits.observe(ms / 1000)
    },
    /**
     * Measures how late a repeating timer fires, which is how long the event loop was blocked. Returns a function that
     * stops this.
     */
    watchEventLoop(): () => void {
      let last = performance.now()
      const timer = setInterval(() => {
        const now = performance.now()
        delays.observe(Math.max(0, now - last - delayIntervalMs) / 1000)
        last = now
      }, delayIntervalMs)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

/** The names of the labels are the same for every sample of a metric. */
interface Sample {
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
