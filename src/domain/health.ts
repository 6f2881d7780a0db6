import type { DiscardedJobs, JobState } from "./jobs/ports.ts"
import type { WebhookCounts } from "./webhooks/model.ts"

/** The state of the store, for metrics and the health page. */
export interface StoreReading {
  /** How many transactions the ledger has. */
  readonly transactions: number
  /** How many jobs are in each state. Finished ones are deleted after a while. */
  readonly jobs: Readonly<Record<JobState, number>>
  readonly discarded: DiscardedJobs
  /** How long the oldest job that is due or retried has waited, its failed attempts included, in milliseconds; else 0. */
  readonly waitingMs: number
  readonly webhooks: WebhookCounts
  readonly databaseBytes: number
  /** Size of the write-ahead log. */
  readonly walBytes: number
}

/** The state of scheduled backups. */
export interface BackupState {
  /** The interval of the schedule; 0 when there is no schedule. */
  readonly everyMs: number
  /** When this process started the schedule; null when it has not. */
  readonly startedAt: number | null
  /** When the newest backup was made; null when there is none. */
  readonly lastSuccessAt: number | null
  /** Null when nothing has failed since the last success. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | null
}

/** For monitoring. Not part of `Store`, because no rule needs it. */
export interface StoreHealth {
  /**
   * Writes a page that stays as it was, durably. Null when it succeeds, otherwise the reason, without file names and
   * secrets.
   */
  checkWritable(): Promise<string | null>
  read(now: number): Promise<StoreReading>
}
