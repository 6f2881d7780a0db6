import type { StoreReading } from "../domain/health.ts"
import type { JobState } from "../domain/jobs/ports.ts"
import type { WebhookCounts } from "../domain/webhooks/model.ts"
import { one, type Reads } from "./database.ts"
import { discardedJobs, waitsSince } from "./jobs.ts"
import { sql } from "./sql.ts"
import { jobs, ledgerState, webhooks } from "./tables.ts"

type Counts = Omit<StoreReading, "databaseBytes" | "walBytes">

/** What a reading of a store's health counts, whatever the database is. */
export async function readCounts(reads: Reads, now: number): Promise<Counts> {
  const [ledger, states, discarded, counts] = await Promise.all([
    one(
      reads,
      sql<{ transactions: number; waitingSince: number | null }>`
        SELECT ${ledgerState.transactionCount} AS transactions, (SELECT min(${waitsSince}) FROM ${jobs}
          WHERE ${jobs.finishedAt} IS NULL AND ${waitsSince} <= ${now}) AS "waitingSince" FROM ${ledgerState}`,
    ),
    reads.all(
      sql<{ state: JobState; count: number }>`SELECT ${jobs.state} AS state, count(*) AS count FROM ${jobs}
        GROUP BY ${jobs.state}`,
    ),
    discardedJobs(reads),
    one(
      reads,
      sql<WebhookCounts>`SELECT count(*) FILTER (WHERE ${webhooks.isActive} = 1) AS active,
        count(*) FILTER (WHERE ${webhooks.isActive} = 1 AND ${webhooks.failures} > 0) AS failing,
        count(*) FILTER (WHERE ${webhooks.stoppedBecause} IS NOT NULL) AS stopped FROM ${webhooks}`,
    ),
  ])
  return {
    transactions: ledger.transactions,
    jobs: { ...noJobs, ...Object.fromEntries(states.map(({ state, count }) => [state, count])) },
    discarded,
    waitingMs: now - (ledger.waitingSince ?? now),
    webhooks: counts,
  }
}

const noJobs: Readonly<Record<JobState, number>> = { available: 0, running: 0, completed: 0, discarded: 0 }
