import type { NewJob } from "../../../domain/model.ts"
import { asJson } from "../../jobs.ts"
import type { Transaction } from "../database/client.ts"

/** Stores jobs in the commit of the change that they are about. */
export function sendJobs({ send }: Transaction, jobs: readonly NewJob[]) {
  if (jobs.length > 0) send(insert, [asJson(jobs.map((job, place) => ({ ...job, place })))])
}

const insert = `INSERT INTO jobs (kind, payload, max_attempts, retry_until, run_at, created_at, state)
     SELECT kind, payload, "maxAttempts", "retryUntil", "runAt", "createdAt", 'available'
     FROM json_to_recordset($1::text::json) AS job (place int, kind text, payload json, "maxAttempts" int,
       "retryUntil" bigint, "runAt" bigint, "createdAt" bigint) ORDER BY place`
