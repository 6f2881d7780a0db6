import type { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { withoutAddresses } from "../../domain/jobs.ts"
import type { DiscardedJobs, JobState, WebhookCounts } from "../../domain/model.ts"
import type { StoreHealth } from "../../domain/store.ts"
import { rootCodeOf } from "../../system-errors.ts"
import { jobCountsOf, jobWaitsSince, webhookCounts } from "../rows.ts"
import type { Connection } from "./database/connection.ts"
import { applicationId } from "./database/migrations.ts"

export function createHealth({ client, write }: Connection, path: string): StoreHealth {
  // Setting the id that is already set still writes a page to the WAL. Updating a row to what it holds does not, but
  // tells `createWrites` that this is a write.
  const touch = client.prepare(`PRAGMA application_id = ${applicationId}`)
  const count = client.prepare("UPDATE ledger_state SET transaction_count = transaction_count")
  const ledger = client.prepare<{ count: number }, []>("SELECT transaction_count AS count FROM ledger_state")
  const jobs = client.prepare<{ state: JobState; count: number }, []>(
    "SELECT state, count(*) AS count FROM jobs GROUP BY state",
  )
  const longest = client.prepare<{ since: number | null }, [number]>(
    `SELECT min(${jobWaitsSince}) AS since FROM jobs WHERE finished_at IS NULL AND ${jobWaitsSince} <= ?`,
  )
  const webhooks = client.prepare<WebhookCounts, []>(webhookCounts)

  return {
    async checkWritable() {
      try {
        await write(() => {
          touch.run()
          count.run()
        })
        return null
      } catch (error) {
        return rootCodeOf(error)
      }
    },
    read: async (now) => ({
      transactions: ledger.get()?.count ?? 0,
      jobs: jobCountsOf(jobs.all()),
      discarded: discardedIn(client),
      waitingMs: now - (longest.get(now)?.since ?? now),
      webhooks: webhooks.get() ?? { active: 0, failing: 0, stopped: 0 },
      databaseBytes: bytesOf(path),
      walBytes: bytesOf(`${path}-wal`),
    }),
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

export function discardedIn(client: Database): DiscardedJobs {
  const count = client
    .query<{ count: number }, []>("SELECT count(*) AS count FROM jobs WHERE state = 'discarded'")
    .get()
  const newest = client
    .query<{ kind: string; at: number; error: string | null }, []>(
      `SELECT kind, finished_at AS at, last_error AS error FROM jobs WHERE state = 'discarded'
       ORDER BY finished_at DESC, id DESC LIMIT 1`,
    )
    .get()
  return { count: count?.count ?? 0, newest: newest && { ...newest, error: withoutAddresses(newest.error ?? "") } }
}
