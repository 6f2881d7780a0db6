import type { Database } from "bun:sqlite"
import { and, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm"
import { latestDueAt, withoutAddresses } from "../../domain/jobs.ts"
import type { DiscardedJobs, Job, JobOutcome, NewJob, ScheduledWork } from "../../domain/model.ts"
import type { JobStore, ScheduleStore } from "../../domain/store.ts"
import type { Connection } from "./database/connection.ts"
import { createPruning } from "./database/pruning.ts"
import { jobs } from "./database/schema.ts"

export function createJobStore({ client, db, write }: Connection): JobStore {
  /** The expression of the index jobs_by_due: an available job is due at its time, a running one when its lease ends. */
  const dueAt = sql`coalesce(${jobs.lockedUntil}, ${jobs.runAt})`
  const first = (isDue: SQL) =>
    db
      .select()
      .from(jobs)
      .where(and(isNull(jobs.finishedAt), isDue))
      .orderBy(dueAt, jobs.id)
      .limit(1)
      .get()
  const nextDue = (now: number, leaseMs: number) =>
    first(lte(dueAt, now)) ?? first(gt(dueAt, latestDueAt(now, leaseMs)))
  // Raw SQL, because Drizzle takes 3 ms to write its first query, and every start would wait for it.
  const isAnyDue = client.prepare<unknown, [number, number]>(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs WHERE finished_at IS NULL AND coalesce(locked_until, run_at) <= ?)
       OR EXISTS (SELECT 1 FROM jobs WHERE finished_at IS NULL AND coalesce(locked_until, run_at) > ?)`,
  )
  const prune = createPruning<[completed: number, discarded: number]>(
    { client, write },
    {
      table: "jobs",
      key: "id",
      condition: "finished_at < max(?1, ?2) AND finished_at < iif(state = 'completed', ?1, ?2)",
    },
  )
  const progress = client.prepare<{ reached: string }, [string]>("SELECT reached FROM job_progress WHERE work = ?")
  const move = client.prepare(
    `INSERT INTO job_progress (work, reached) VALUES (?, ?)
     ON CONFLICT (work) DO UPDATE SET reached = excluded.reached`,
  )
  const insertJob = createJobInsert(client)

  const finish = { lockedBy: null, lockedUntil: null }

  return {
    enqueue: async (job) =>
      write(() =>
        db
          .insert(jobs)
          .values({ ...job, state: "available" })
          .returning()
          .get(),
      ),

    claim: async (worker, now, leaseMs) => {
      // Checked without the write lock first: an idle worker must not block writers.
      if (!isAnyDue.get(now, latestDueAt(now, leaseMs))) return null
      return write(() => {
        for (let job = nextDue(now, leaseMs); job; job = nextDue(now, leaseMs)) {
          const mine = eq(jobs.id, job.id)
          if (job.attempts < job.maxAttempts)
            return db
              .update(jobs)
              .set({ state: "running", attempts: job.attempts + 1, lockedBy: worker, lockedUntil: now + leaseMs })
              .where(mine)
              .returning()
              .get()
          db.update(jobs)
            .set({
              ...finish,
              state: "discarded",
              finishedAt: now,
              lastError: "the process ended during the last attempt",
            })
            .where(mine)
            .run()
        }
        return null
      })
    },

    settle: async (id, worker, outcome, now) =>
      write(() => {
        const job = db
          .select()
          .from(jobs)
          .where(and(eq(jobs.id, id), eq(jobs.lockedBy, worker)))
          .get()
        if (!job) return false
        db.update(jobs)
          .set({ ...finish, ...changesOf(outcome, job, now) })
          .where(eq(jobs.id, id))
          .run()
        return true
      }),

    progressOf: async (work) => progress.get(work)?.reached ?? null,

    advance: ({ work, from, to }, newJobs) =>
      write(() => {
        if ((progress.get(work)?.reached ?? null) !== from) return false
        move.run(work, to)
        for (const job of newJobs) insertJob(job)
        return true
      }),

    prune: ({ completed, discarded }) => prune(completed, discarded),
  }
}

/** Stores a job in the commit of the change that it is about. */
export function createJobInsert(client: Database) {
  const insert = client.prepare(
    `INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at)
     VALUES (?, ?, 'available', ?, ?, ?, ?)`,
  )
  return ({ kind, payload, maxAttempts, retryUntil, runAt, createdAt }: NewJob) => {
    insert.run(kind, JSON.stringify(payload), maxAttempts, retryUntil, runAt, createdAt)
  }
}

function changesOf(outcome: JobOutcome, { maxAttempts }: Pick<Job, "maxAttempts">, now: number) {
  if (outcome.state === "completed") return { state: outcome.state, result: outcome.result, finishedAt: now }
  if (outcome.state === "discarded") return { state: outcome.state, lastError: outcome.error, finishedAt: now }
  const { state, error: lastError, runAt, isTemporary } = outcome
  return { state, lastError, runAt, ...(isTemporary && { maxAttempts: maxAttempts + 1 }) }
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
      // Checked without the write lock first: the work is rarely due.
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
