import { latestDueAt, withoutAddresses } from "../../domain/jobs.ts"
import type { DiscardedJobs, Job, JobOutcome, NewJob } from "../../domain/model.ts"
import type { JobStore, ScheduleStore } from "../../domain/store.ts"
import type { Client, Queries, Transaction } from "./database/client.ts"
import type { Parameter } from "./database/connection.ts"
import { createPruning } from "./database/pruning.ts"

const jobColumns = `id, kind, payload, state, attempts, max_attempts AS "maxAttempts",
  retry_until AS "retryUntil", run_at AS "runAt", locked_by AS "lockedBy",
  locked_until AS "lockedUntil", last_error AS "lastError", result, created_at AS "createdAt",
  finished_at AS "finishedAt"`

/** An available job is due at its time, a running one when its lease ends. $2: `latestDueAt`. */
const isDue = "finished_at IS NULL AND (coalesce(locked_until, run_at) <= $1 OR coalesce(locked_until, run_at) > $2)"

/** `JobStore`. Workers that claim at the same moment skip each other's rows, so none waits and none gets a job twice. */
export function createJobStore(client: Client): JobStore {
  const prune = createPruning<[completed: number, discarded: number]>(client, {
    table: "jobs",
    key: "id",
    condition:
      "finished_at < greatest($1::bigint, $2) AND finished_at < CASE state WHEN 'completed' THEN $1 ELSE $2 END",
  })

  return {
    async enqueue(job) {
      const [created] = await client.query<Job>(`${insert} RETURNING ${jobColumns}`, [jsonOf([job])])
      if (!created) throw new Error("a job that was inserted was not returned")
      return created
    },

    claim: (worker, now, leaseMs) =>
      client.transaction(async (tx) => {
        await tx.query(
          `UPDATE jobs SET state = 'discarded', locked_by = NULL, locked_until = NULL, finished_at = $1,
             last_error = 'the process ended during the last attempt'
           WHERE id IN (SELECT id FROM jobs WHERE ${isDue} AND attempts >= max_attempts FOR UPDATE SKIP LOCKED)`,
          [now, latestDueAt(now, leaseMs)],
        )
        const [claimed] = await tx.query<Job>(
          `UPDATE jobs SET state = 'running', attempts = attempts + 1, locked_by = $3, locked_until = $4
           WHERE id = (
             SELECT id FROM jobs WHERE ${isDue} ORDER BY coalesce(locked_until, run_at), id
             LIMIT 1 FOR UPDATE SKIP LOCKED
           ) RETURNING ${jobColumns}`,
          [now, latestDueAt(now, leaseMs), worker, now + leaseMs],
        )
        return claimed ?? null
      }),

    async settle(id, worker, outcome, now) {
      const { changes, params } = changesOf(outcome, now)
      const settled = await client.change(
        `UPDATE jobs SET locked_by = NULL, locked_until = NULL, ${changes} WHERE id = $1 AND locked_by = $2 RETURNING 1`,
        [id, worker, ...params],
      )
      return settled.length > 0
    },

    async progressOf(work) {
      const [row] = await client.query<{ reached: string }>("SELECT reached FROM job_progress WHERE work = $1", [work])
      return row?.reached ?? null
    },

    advance: ({ work, from, to }, jobs) =>
      client.transaction(async (tx) => {
        // When another process is moving the progress, either statement waits for it, and then does nothing.
        const moved =
          from === null
            ? await tx.query(
                "INSERT INTO job_progress (work, reached) VALUES ($1, $2) ON CONFLICT (work) DO NOTHING RETURNING 1",
                [work, to],
              )
            : await tx.query("UPDATE job_progress SET reached = $2 WHERE work = $1 AND reached = $3 RETURNING 1", [
                work,
                to,
                from,
              ])
        if (moved.length === 0) return false
        sendJobs(tx, jobs)
        return true
      }),

    prune: ({ completed, discarded }) => prune(completed, discarded),
  }
}

/** Stores jobs in the commit of the change that they are about. */
export function sendJobs({ send }: Transaction, jobs: readonly NewJob[]) {
  if (jobs.length > 0) send(insert, [jsonOf(jobs)])
}

const insert = `INSERT INTO jobs (kind, payload, max_attempts, retry_until, run_at, created_at, state)
     SELECT kind, payload, "maxAttempts", "retryUntil", "runAt", "createdAt", 'available'
     FROM json_to_recordset($1::text::json) AS job (place int, kind text, payload json, "maxAttempts" int,
       "retryUntil" bigint, "runAt" bigint, "createdAt" bigint) ORDER BY place`

const jsonOf = (jobs: readonly NewJob[]): string => asJson(jobs.map((job, place) => ({ ...job, place })))

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

/** The changes to the row of a job. Their parameters begin with $3. */
function changesOf(
  outcome: JobOutcome,
  now: number,
): { readonly changes: string; readonly params: readonly Parameter[] } {
  if (outcome.state === "completed")
    return { changes: "state = 'completed', result = $3, finished_at = $4", params: [outcome.result, now] }
  if (outcome.state === "discarded")
    return { changes: "state = 'discarded', last_error = $3, finished_at = $4", params: [outcome.error, now] }
  const { error, runAt, isTemporary } = outcome
  return {
    changes: `state = 'available', last_error = $3, run_at = $4${isTemporary ? ", max_attempts = max_attempts + 1" : ""}`,
    params: [error, runAt],
  }
}

/** `ScheduleStore`. One statement decides, so of several processes one gets the lease. */
export function createScheduleStore(client: Client): ScheduleStore {
  return {
    async claim({ name, everyMs, leaseMs }, owner, now) {
      const { count } = await client.change(
        `INSERT INTO scheduled_work AS work (name, due_at, locked_by, locked_until) VALUES ($1, $2, $3, $2::bigint + $4::bigint)
         ON CONFLICT (name) DO UPDATE SET locked_by = excluded.locked_by, locked_until = excluded.locked_until
         WHERE CASE WHEN work.locked_until > $2 AND work.locked_until <= $2::bigint + 2 * $4::bigint
           THEN work.locked_by = $3
           ELSE work.due_at <= $2 OR work.due_at > $2::bigint + 2 * $5::bigint END`,
        [name, now, owner, leaseMs, everyMs],
      )
      return count > 0
    },
    async settle(name, owner, dueAt) {
      const { count } = await client.change(
        `UPDATE scheduled_work SET due_at = $3, locked_by = NULL, locked_until = NULL
         WHERE name = $1 AND locked_by = $2`,
        [name, owner, dueAt],
      )
      return count > 0
    },
  }
}

/**
 * JSON that PostgreSQL accepts. Its text cannot hold the character NUL or half of a surrogate pair: each becomes U+FFFD.
 */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\0", "\ufffd").toWellFormed() : part,
  )
