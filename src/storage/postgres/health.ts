import type { DatabaseUrl } from "../../config/database-url.ts"
import { withoutAddresses } from "../../domain/jobs.ts"
import type { DiscardedJobs, JobState, WebhookCounts } from "../../domain/model.ts"
import type { StoreHealth } from "../../domain/store.ts"
import { rootCodeOf } from "../../system-errors.ts"
import { jobCountsOf, jobWaitsSince, webhookCounts } from "../rows.ts"
import type { Client, Queries } from "./database/client.ts"
import { cureOf } from "./database/errors.ts"

interface Row {
  readonly transactions: number
  readonly waitingSince: number | null
  readonly databaseBytes: number
}

/** `StoreHealth`. */
export function createHealth(client: Client, url: DatabaseUrl): StoreHealth {
  return {
    async checkWritable() {
      try {
        await client.query("SELECT pg_logical_emit_message(true, 'rewards', '')") // waits for the disk, like any commit
        return null
      } catch (error) {
        return [rootCodeOf(error), cureOf(error, url)].filter(Boolean).join("; ")
      }
    },

    async read(now) {
      const [[row], jobs, discarded, [webhooks]] = await Promise.all([
        client.query<Row>(
          `SELECT transaction_count AS transactions, pg_database_size(current_database()) AS "databaseBytes",
             (SELECT min(${jobWaitsSince}) FROM jobs
              WHERE finished_at IS NULL AND ${jobWaitsSince} <= $1) AS "waitingSince"
           FROM ledger_state`,
          [now],
        ),
        client.query<{ state: JobState; count: number }>("SELECT state, count(*) AS count FROM jobs GROUP BY state"),
        discardedIn(client),
        client.query<WebhookCounts>(webhookCounts),
      ])
      return {
        transactions: row?.transactions ?? 0,
        jobs: jobCountsOf(jobs),
        discarded,
        waitingMs: now - (row?.waitingSince ?? now),
        webhooks: webhooks ?? { active: 0, failing: 0, stopped: 0 },
        databaseBytes: row?.databaseBytes ?? 0,
        walBytes: 0,
      }
    },
  }
}

export async function discardedIn({ query }: Queries): Promise<DiscardedJobs> {
  const [[discarded], [newest]] = await Promise.all([
    query<{ count: number }>("SELECT count(*) AS count FROM jobs WHERE state = 'discarded'"),
    query<NonNullable<DiscardedJobs["newest"]>>(
      `SELECT kind, finished_at AS at, coalesce(last_error, '') AS error FROM jobs WHERE state = 'discarded'
       ORDER BY finished_at DESC, id DESC LIMIT 1`,
    ),
  ])
  return {
    count: discarded?.count ?? 0,
    newest: newest ? { ...newest, error: withoutAddresses(newest.error) } : null,
  }
}
