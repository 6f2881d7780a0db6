import type { Database } from "bun:sqlite"
import { withoutAddresses } from "../../domain/jobs.ts"
import type { DiscardedJobs, Job, JobOutcome, NewJob, ScheduledWork } from "../../domain/model.ts"
import type { JobStore, ScheduleStore } from "../../domain/store.ts"
import { type Connection, mapped, type Value } from "./database/connection.ts"

const columns = `id, kind, payload, state, attempts, max_attempts AS maxAttempts, retry_until AS retryUntil,
  run_at AS runAt, locked_by AS lockedBy, locked_until AS lockedUntil, last_error AS lastError, result,
  created_at AS createdAt, finished_at AS finishedAt`

const insertion = `INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at)
  VALUES (?, ?, 'available', ?, ?, ?, ?)`

const inserted = ({ kind, payload, maxAttempts, retryUntil, runAt, createdAt }: NewJob): Value[] => [
  kind,
  JSON.stringify(payload),
  maxAttempts,
  retryUntil,
  runAt,
  createdAt,
]

interface JobRow extends Job {
  /** JSON */
  readonly payload: string
}

const jobOf = (row: JobRow): Job => ({ ...row, payload: JSON.parse(row.payload) })

export function createJobStore({ client, write }: Connection): JobStore {
  const insert = client.prepare<JobRow, Value[]>(`${insertion} RETURNING ${columns}`)
  /** By the expression of the index jobs_by_due: an available job is due at its time, a running one when its lease ends. */
  const due = client.prepare<JobRow, [number]>(
    `SELECT ${columns} FROM jobs WHERE finished_at IS NULL AND coalesce(locked_until, run_at) <= ?
     ORDER BY coalesce(locked_until, run_at), id LIMIT 1`,
  )
  const lock = client.prepare<JobRow, [string, number, number]>(
    `UPDATE jobs SET state = 'running', attempts = attempts + 1, locked_by = ?, locked_until = ? WHERE id = ?
     RETURNING ${columns}`,
  )
  const held = client.prepare<JobRow, [number, string]>(`SELECT ${columns} FROM jobs WHERE id = ? AND locked_by = ?`)
  const settle = client.prepare<unknown, Value[]>(
    `UPDATE jobs SET locked_by = NULL, locked_until = NULL,
       state = ?, max_attempts = ?, run_at = ?, last_error = ?, result = ?, finished_at = ? WHERE id = ?`,
  )
  const prune = client.prepare<unknown, [number, number]>(
    "DELETE FROM jobs WHERE (state = 'completed' AND finished_at < ?) OR (state = 'discarded' AND finished_at < ?)",
  )

  return {
    enqueue: async (job) =>
      write(() => {
        const created = insert.get(...inserted(job))
        if (!created) throw new Error("a job that was inserted was not returned")
        return jobOf(created)
      }),

    claim: async (worker, now, leaseMs) => {
      // Checked without the write lock first: an idle worker must not block writers.
      if (!due.get(now)) return null
      return write(() => {
        for (let job = due.get(now); job; job = due.get(now)) {
          if (job.attempts < job.maxAttempts) return mapped(lock.get(worker, now + leaseMs, job.id), jobOf)
          end(job, { state: "discarded", error: "the process ended during the last attempt" }, now)
        }
        return null
      })
    },

    settle: async (id, worker, outcome, now) =>
      write(() => {
        const job = held.get(id, worker)
        if (job) end(job, outcome, now)
        return job !== null
      }),

    prune: async ({ completed, discarded }) => {
      await write(() => prune.run(completed, discarded))
    },
  }

  function end(job: JobRow, outcome: JobOutcome, now: number) {
    const after = { ...job, ...changesOf(outcome, job, now) }
    const { state, maxAttempts, runAt, lastError, result, finishedAt } = after
    settle.run(state, maxAttempts, runAt, lastError, result, finishedAt, job.id)
  }
}

/** Stores a job in the commit of the change that it is about. */
export function createJobInsert(client: Database) {
  const insert = client.prepare<unknown, Value[]>(insertion)
  return (job: NewJob) => void insert.run(...inserted(job))
}

function changesOf(outcome: JobOutcome, { attempts, maxAttempts }: Pick<Job, "attempts" | "maxAttempts">, now: number) {
  if (outcome.state === "completed") return { state: outcome.state, result: outcome.result, finishedAt: now }
  if (outcome.state === "discarded") return { state: outcome.state, lastError: outcome.error, finishedAt: now }
  const { state, error: lastError, runAt, isTemporary } = outcome
  if (isTemporary) return { state, lastError, runAt, maxAttempts: maxAttempts + 1 }
  if (attempts >= maxAttempts) return { state: "discarded" as const, lastError, finishedAt: now }
  return { state, lastError, runAt }
}

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

interface Row {
  readonly dueAt: number
  readonly lockedBy: string | null
  readonly lockedUntil: number
}

export function createScheduleStore({ client, write }: Connection): ScheduleStore {
  const find = client.prepare<Row, [string]>(
    `SELECT due_at AS dueAt, locked_by AS lockedBy, coalesce(locked_until, 0) AS lockedUntil
     FROM scheduled_work WHERE name = ?`,
  )
  const lock = client.prepare(
    `INSERT INTO scheduled_work (name, due_at, locked_by, locked_until) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET locked_by = excluded.locked_by, locked_until = excluded.locked_until`,
  )
  const settle = client.prepare(
    "UPDATE scheduled_work SET due_at = ?, locked_by = NULL, locked_until = NULL WHERE name = ? AND locked_by = ?",
  )

  return {
    async claim(work, owner, now) {
      // Checked without the write lock first: it is rarely due.
      if (!isFree(work, owner, now)) return false
      return write(() => {
        if (!isFree(work, owner, now)) return false
        lock.run(work.name, now, owner, now + work.leaseMs)
        return true
      })
    },
    settle: async (name, owner, dueAt) => write(() => settle.run(dueAt, name, owner).changes > 0),
  }

  function isFree({ name, everyMs, leaseMs }: ScheduledWork, owner: string, now: number): boolean {
    const row = find.get(name)
    if (row === null) return true
    const { dueAt, lockedBy, lockedUntil } = row
    if (lockedBy !== null && lockedUntil > now && lockedUntil <= now + 2 * leaseMs) return lockedBy === owner
    return dueAt <= now || dueAt > now + 2 * everyMs
  }
}
