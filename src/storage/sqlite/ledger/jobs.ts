import type { Database } from "bun:sqlite"
import type { NewJob } from "../../../domain/model.ts"
import { asJson } from "../../jobs.ts"

/** Stores a job in the commit of the change that it is about. */
export function createJobInsert(client: Database) {
  const insert = client.prepare(
    `INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at)
     VALUES (?, ?, 'available', ?, ?, ?, ?)`,
  )
  return ({ kind, payload, maxAttempts, retryUntil, runAt, createdAt }: NewJob) => {
    insert.run(kind, asJson(payload), maxAttempts, retryUntil, runAt, createdAt)
  }
}
