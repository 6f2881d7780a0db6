import { readdirSync } from "node:fs"
import { version } from "../../package.json" with { type: "json" }
import type { Clock } from "../domain/clock.ts"
import type { BackupState, StoreHealth, StoreReading } from "../domain/health.ts"
import { discardedKeptDays } from "../domain/jobs/jobs.ts"
import type { Histograms, MetricRegistry } from "./histograms.ts"

interface MetricSources {
  readonly histograms: Histograms
  readonly health: Pick<StoreHealth, "read">
  readonly clock: Clock
  readonly stream: () => StreamReading
  readonly apiTokens: () => { readonly accepted: number; readonly refused: number }
  readonly webhooks: () => { readonly delivered: number; readonly failed: number }
  /** Log-ins through the provider, by how they ended. */
  readonly singleSignOn: () => ReadonlyMap<string, number>
  readonly backups: () => BackupState
  /** The copies of the backups in a bucket. */
  readonly offSite: () => BackupState
  readonly linesLost: () => number
  /** Whether each part works, by its name. */
  readonly checks: () => Promise<Readonly<Record<string, { readonly ok: boolean }>>>
}

interface StreamReading {
  readonly clients: number
  /** Bytes sent that the clients have not received yet. */
  readonly buffered: number
  /** How many clients were closed because they did not read. */
  readonly dropped: number
}

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of this process and its store, for Prometheus. docs/operations/monitoring.md lists them. */
export function createMetrics(sources: MetricSources) {
  const { histograms, health, clock, checks, stream, apiTokens, webhooks, singleSignOn, backups, offSite, linesLost } =
    sources
  const { registry } = histograms
  let reading: StoreReading | null = null
  let ready: Awaited<ReturnType<typeof checks>> = {}
  let failures = 0

  describeStore(registry, () => reading)
  describeStream(registry, stream)
  registry.counters(
    "rewards_api_tokens_total",
    "API tokens that requests and streams of this process presented, by whether they were valid.",
    ["result"],
    () => Object.entries(apiTokens()).map(([result, value]) => ({ labels: { result }, value })),
  )
  describeWebhooks(registry, webhooks, () => reading)
  registry.counters(
    "rewards_single_sign_on_total",
    "Log-ins through the provider of this process, by how they ended.",
    ["result"],
    () => [...singleSignOn()].map(([result, value]) => ({ labels: { result }, value })),
  )
  registry.gauge("rewards_backup_last_success_timestamp_seconds", "When the newest scheduled backup was made.", () =>
    lastSuccess(backups()),
  )
  registry.gauge(
    "rewards_backup_off_site_last_success_timestamp_seconds",
    "When the newest backup that is in the bucket was made.",
    () => lastSuccess(offSite()),
  )
  describeProcess(registry)
  registry.gauges("rewards_ready", "Whether this part works: 1 or 0, as in /readyz.", ["check"], () =>
    Object.entries(ready).map(([check, { ok }]) => ({ labels: { check }, value: Number(ok) })),
  )
  registry.counter(
    "rewards_store_read_failures_total",
    "How often these metrics could not be read from the store.",
    () => failures,
  )
  registry.counter(
    "rewards_log_lines_lost_total",
    "Lines of the log that nobody read, or that could not be written.",
    linesLost,
  )
  registry.gauges("rewards_build_info", "Always 1.", ["version", "bun"], () => [
    { labels: { version, bun: Bun.version }, value: 1 },
  ])

  return {
    /** Called after each answer. `route` is null for a path that no route matches. */
    observe: histograms.request,
    /** Called for each answer with status 503. */
    countRejected: histograms.rejected,
    contentType: registry.contentType,
    /** The Prometheus text, as of now. */
    async text(): Promise<string> {
      ready = await checks()
      // The other metrics are still shown, because they are needed most when the store fails.
      reading = await health.read(clock()).catch(() => {
        failures += 1
        return null
      })
      return registry.text()
    },
    /** Watches the event loop. Returns a function that stops this. */
    watch: histograms.watchEventLoop,
  }
}

const lastSuccess = ({ lastSuccessAt }: BackupState): number | null =>
  lastSuccessAt === null ? null : lastSuccessAt / 1000

function describeStore({ gauge, gauges }: MetricRegistry, reading: () => StoreReading | null) {
  const number = (name: string, help: string, of: (reading: StoreReading) => number) =>
    gauge(name, help, () => {
      const read = reading()
      return read && of(read)
    })
  number("rewards_ledger_transactions", "Transactions in the ledger.", ({ transactions }) => transactions)
  number("rewards_database_bytes", "Size of the database file.", ({ databaseBytes }) => databaseBytes)
  number("rewards_wal_bytes", "Size of the write-ahead log.", ({ walBytes }) => walBytes)
  number(
    "rewards_jobs_oldest_waiting_seconds",
    "How long the oldest job that is due or retried has waited, since before its first attempt.",
    ({ waitingMs }) => waitingMs / 1000,
  )
  gauges(
    "rewards_jobs",
    `Jobs; completed ones are deleted after jobs.result_ttl_seconds, discarded ones after ${discardedKeptDays} days.`,
    ["state"],
    () => Object.entries(reading()?.jobs ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  )
}

function describeStream({ gauge, counter }: MetricRegistry, read: () => StreamReading) {
  gauge("rewards_stream_clients", "Open streams.", () => read().clients)
  gauge("rewards_stream_buffered_bytes", "Bytes sent to streams and not received yet.", () => read().buffered)
  counter("rewards_stream_dropped_total", "Streams closed because the client did not read.", () => read().dropped)
}

function describeWebhooks(
  { gauges, counter }: MetricRegistry,
  read: MetricSources["webhooks"],
  reading: () => StoreReading | null,
) {
  gauges(
    "rewards_webhooks",
    "Webhooks: active ones, those of them that fail, and those that were deactivated because they failed.",
    ["state"],
    () => Object.entries(reading()?.webhooks ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  )
  counter("rewards_webhook_deliveries_total", "Webhook deliveries that succeeded.", () => read().delivered)
  counter("rewards_webhook_failures_total", "Attempts to deliver to a webhook that failed.", () => read().failed)
}

/** The process, under the usual names of Prometheus clients. prom-client's own defaults would add about forty metrics of
 *  Node's that mean nothing under Bun. */
function describeProcess({ gauge, counter }: MetricRegistry) {
  const started = Date.now() / 1000 - process.uptime()
  gauge("process_start_time_seconds", "When the process started, since the epoch.", () => started)
  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss())
  counter("process_cpu_seconds_total", "Processor time, user and system.", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge("process_open_fds", "Open file descriptors; on Linux only.", openFiles)
}

/** Minus one: the descriptor that reads the folder. */
const openFiles = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length - 1 : null)
