import { version } from "../../package.json" with { type: "json" }
import type { BackupState } from "../domain/backups.ts"
import type { Clock } from "../domain/model.ts"
import type { VitalSigns, Vitals } from "../domain/store.ts"
import { watchEventLoop } from "./event-loop.ts"
import { describeProcess } from "./process.ts"
import { createRegistry, type MetricRegistry } from "./registry.ts"
import type { Tallies } from "./tallies.ts"
import type { TallyReading } from "./tally.ts"

export interface MetricSources {
  readonly tallies: Tallies
  readonly vitals: Pick<Vitals, "read">
  readonly clock: Clock
  readonly stream: () => StreamReading
  readonly backups: () => BackupState
  /** Whether each part is as it must be, by its name. */
  readonly checks: () => Promise<Readonly<Record<string, { readonly ok: boolean }>>>
}

export interface StreamReading {
  readonly clients: number
  /** Bytes that were sent and not yet taken. */
  readonly buffered: number
  /** How many clients were closed because they did not read. */
  readonly dropped: number
}

export type Metrics = ReturnType<typeof createMetrics>

/** What an operator's Prometheus reads of this process and its store. docs/operations/monitoring.md lists the names. */
export function createMetrics(sources: MetricSources) {
  const { tallies, vitals, clock, checks } = sources
  const registry = createRegistry()
  let signs: VitalSigns | null = null
  let ready: Awaited<ReturnType<typeof checks>> = {}
  let failures = 0

  describeTallies(registry, tallies)
  describeStore(registry, () => signs)
  describeStream(registry, sources.stream)
  registry.gauge("rewards_backup_last_success_timestamp_seconds", "When the newest scheduled backup was made.", () => {
    const at = sources.backups().lastSuccessAt
    return at === null ? null : at / 1000
  })
  describeProcess(registry)
  registry.gauges("rewards_ready", "Whether this part is as it must be: 1 or 0, as /readyz tells.", ["check"], () =>
    Object.entries(ready).map(([check, { ok }]) => ({ labels: { check }, value: Number(ok) })),
  )
  registry.counter(
    "rewards_store_read_failures_total",
    "How often the store could not be read for this.",
    () => failures,
  )
  registry.gauges("rewards_build_info", "Always 1.", ["version", "bun"], () => [
    { labels: { version, bun: Bun.version }, value: 1 },
  ])

  return {
    /** What is told of each request, behind its answer. `routeOf` gives null for a path that nothing answers. */
    observer:
      (routeOf: (path: string) => string | null) => (method: string, path: string, status: number, ms: number) =>
        tallies.request(method, routeOf(path), status, ms),
    contentType: registry.contentType,
    /** The Prometheus text, as of now. */
    async text(): Promise<string> {
      ready = await checks()
      // What does not come from the store is needed most when the store fails.
      signs = await vitals.read(clock()).catch(() => {
        failures += 1
        return null
      })
      return registry.text()
    },
    /** Watches the event loop. Returns how to stop. */
    watch: () => watchEventLoop(tallies.delay),
  }
}

function describeTallies({ histogram }: MetricRegistry, { readings }: Tallies) {
  const alone = (read: () => TallyReading) => () => [{ labels: {}, value: read() }]
  histogram(
    "rewards_http_request_duration_seconds",
    "Requests, from the first byte of the head to the answer.",
    ["method", "route", "status"],
    readings.requests,
  )
  histogram("rewards_ledger_batch_entries", "Entries that shared one commit.", [], alone(readings.batches))
  histogram("rewards_ledger_commit_duration_seconds", "Commits of the ledger.", [], alone(readings.commits))
  histogram("rewards_event_loop_delay_seconds", "How late a timer came.", [], alone(readings.delays))
}

function describeStore({ gauge, gauges }: MetricRegistry, signs: () => VitalSigns | null) {
  const number = (name: string, help: string, of: (signs: VitalSigns) => number) =>
    gauge(name, help, () => {
      const read = signs()
      return read && of(read)
    })
  number("rewards_ledger_transactions", "Transactions in the ledger.", ({ transactions }) => transactions)
  number("rewards_database_bytes", "Size of the database file.", ({ databaseBytes }) => databaseBytes)
  number("rewards_wal_bytes", "Size of the write-ahead log.", ({ walBytes }) => walBytes)
  number(
    "rewards_jobs_oldest_waiting_seconds",
    "How long the job that is due longest has been waiting.",
    ({ waitingMs }) => waitingMs / 1000,
  )
  gauges(
    "rewards_jobs",
    "Jobs; completed ones are forgotten after jobs.result_ttl_seconds, discarded ones after 30 days.",
    ["state"],
    () => Object.entries(signs()?.jobs ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  )
}

function describeStream({ gauge, counter }: MetricRegistry, read: () => StreamReading) {
  gauge("rewards_stream_clients", "Open streams.", () => read().clients)
  gauge("rewards_stream_buffered_bytes", "Sent to streams and not yet taken.", () => read().buffered)
  counter("rewards_stream_dropped_total", "Streams closed because nobody read them.", () => read().dropped)
}
