import {
  invitationKind,
  laneOf,
  latestDueAt,
  mailLanes,
  newcomerMailKind,
  withoutAddresses,
} from "../domain/jobs/jobs.ts"
import type {
  DiscardedJobs,
  JobOutcome,
  JobStore,
  Lane,
  MailSelection,
  NewJob,
  QueuedMail,
  RefusedMail,
  ScheduleStore,
} from "../domain/jobs/ports.ts"
import { writeAudit } from "./audit.ts"
import { type Database, exists, one, type Reads, type Tx } from "./database.ts"
import { prune } from "./pruning.ts"
import { columnsOf, fields, list, raw, records, returning, row, type SQL, select, set, sql } from "./sql.ts"
import { jobProgress, jobs, scheduledWork, transactions, users } from "./tables.ts"

const job = fields(columnsOf(jobs, "lane", "turnOf", "cause", "cure"))

/**
 * The expression of the indexes jobs_by_lane and jobs_by_turn: an available job is due at its time, a running one when its lease
 * ends.
 */
const dueAt = sql`coalesce(${jobs.lockedUntil}, ${jobs.runAt})`

/**
 * Since when a job that is not finished waits. A retry moves `run_at` on, so that a job that has been tried waits since it
 * was created; only debug mail is due some seconds later than that.
 */
export const waitsSince = sql`CASE WHEN ${jobs.attempts} = 0 THEN ${jobs.runAt} ELSE ${jobs.createdAt} END`

const unfinished = sql`${jobs} WHERE ${jobs.finishedAt} IS NULL`

const unlocked = { lockedBy: null, lockedUntil: null }

/** Workers that claim at the same moment skip each other's rows, so none waits and none gets a job twice. */
export function createJobStore(db: Database): JobStore {
  return {
    enqueue: ({ payload, ...newJob }) =>
      db.write((tx) => {
        const stored = {
          ...newJob,
          lane: laneOf(newJob.kind),
          payload: sql`${asJson(payload)}::text::jsonb`,
          state: "available" as const,
        }
        return one(tx, returning(job)`INSERT INTO ${jobs} ${row(jobs, stored)}`)
      }),

    async claim(worker, now, leaseMs, lane) {
      const latest = latestDueAt(now, leaseMs)
      const free = freeJobs(lane, now, latest)
      // Checked without a lock first: an idle worker must not block writers.
      const isAnyDue = sql`SELECT 1 AS due WHERE EXISTS (SELECT 1 FROM ${free} AND ${dueAt} <= ${now})
        OR EXISTS (SELECT 1 FROM ${free} AND ${dueAt} > ${latest})`
      if ((await db.first(isAnyDue)) === null) return null
      const first = (tx: Tx) => firstDue(tx, free, now, latest)
      return db.write(async (tx) => {
        for (let due = await first(tx); due !== null; due = await first(tx)) {
          const { id, attempts, maxAttempts } = due
          if (attempts < maxAttempts) {
            const state = "running" as const
            const leased = { state, attempts: attempts + 1, lockedBy: worker, lockedUntil: now + leaseMs }
            change(tx, id, leased)
            return { ...due, ...leased }
          }
          const lastError = "the process ended during the last attempt"
          change(tx, id, { ...unlocked, state: "discarded", finishedAt: now, lastError, cause: null, cure: null })
        }
        return null
      })
    },

    endAttempt: (id, worker, outcome, now) =>
      db.write(async (tx) => {
        const changed = await tx.run(
          sql`UPDATE ${jobs} SET ${set(jobs, { ...unlocked, ...changesOf(outcome, now) })}
            WHERE ${jobs.id} = ${id} AND ${jobs.lockedBy} = ${worker}`,
        )
        return changed > 0
      }),

    async progressOf(work) {
      const progress = await db.first(
        sql<{ reached: string }>`SELECT ${jobProgress.reached} AS reached FROM ${jobProgress}
          WHERE ${jobProgress.work} = ${work}`,
      )
      return progress?.reached ?? null
    },

    advance: ({ work, from, to }, newJobs) =>
      db.write(async (tx) => {
        // When another process is moving the progress, either statement waits for it, and then does nothing.
        const moved = await tx.run(
          from === null
            ? sql`INSERT INTO ${jobProgress} ${row(jobProgress, { work, reached: to })} ON CONFLICT (work) DO NOTHING`
            : sql`UPDATE ${jobProgress} SET reached = ${to}
                WHERE ${jobProgress.work} = ${work} AND ${jobProgress.reached} = ${from}`,
        )
        if (moved === 0) return false
        insertJobs(tx, newJobs)
        return true
      }),

    invite: (emails, newJobs, entry) =>
      db.write(async (tx) => {
        tx.send(sql`DELETE FROM ${jobs} WHERE ${jobs.kind} = ${invitationKind}
          AND ${jobs.state} IN ('available', 'discarded')
          AND payload ->> 'email' IN (SELECT value FROM ${list("invited", emails, "text")})`)
        insertJobs(tx, newJobs)
        writeAudit(tx, entry)
      }),

    mail: ({ state, before, limit }) =>
      db.all(
        select(queuedMail)`FROM ${jobs} WHERE ${isMail} AND ${jobs.id} < ${before ?? Number.MAX_SAFE_INTEGER}
          AND ${state === undefined ? isUnsent : inState[state]} ORDER BY ${jobs.id} DESC LIMIT ${limit}`,
      ),

    mailWith: (id) => db.first(select(queuedMail)`FROM ${jobs} WHERE ${isMail} AND ${isUnsent} AND ${jobs.id} = ${id}`),

    retryMail: (which, now, maxAttempts, entry) =>
      db.write(async (tx) => {
        const count = await tx.run(sql`
          UPDATE ${jobs} SET state = 'available', finished_at = NULL, run_at = ${now}, created_at = ${now},
            retry_until = retry_until - created_at + ${now}, max_attempts = attempts + ${maxAttempts}
          WHERE ${isMail} AND ${jobs.state} IN ('available', 'discarded') AND ${selected(which)}`)
        if (count > 0) writeAudit(tx, { ...entry, count })
        return count
      }),

    refusedMail: () => refusedMail(db),

    prune: ({ completed, discarded }) =>
      prune(db, {
        table: jobs,
        condition: sql`${jobs.finishedAt} < ${Math.max(completed, discarded)}
          AND ${jobs.finishedAt} < CASE ${jobs.state} WHEN 'completed' THEN ${completed}::bigint ELSE ${discarded} END`,
      }),
  }
}

/**
 * The jobs of a lane. Of the jobs with the same `turn_of`, it has the one that has been due longest, and none while one of them runs.
 * So two workers that claim at the same moment want the same job, and one of the two skips it.
 */
const freeJobs = (lane: Lane, now: number, latest: number) => sql`${unfinished} AND ${jobs.lane} = ${lane}
  AND NOT EXISTS (SELECT 1 FROM ${jobs} AS other
    WHERE other.turn_of = ${jobs.turnOf} AND other.finished_at IS NULL AND other.id <> ${jobs.id}
      AND (other.locked_until > ${now} AND other.locked_until <= ${latest}
        OR coalesce(other.locked_until, other.run_at) <= ${now}
          AND (coalesce(other.locked_until, other.run_at), other.id) < (${dueAt}, ${jobs.id})))`

/** The job that has been due longest; when none is, one that a wrong clock dated later than `latest`. Locks it. */
async function firstDue(tx: Tx, free: SQL, now: number, latest: number) {
  const first = (isDue: SQL) =>
    tx.first(select(job)`FROM ${free} AND ${isDue}
      ORDER BY ${dueAt}, ${jobs.id} LIMIT 1 FOR UPDATE SKIP LOCKED`)
  return (await first(sql`${dueAt} <= ${now}`)) ?? first(sql`${dueAt} > ${latest}`)
}

const change = (tx: Tx, id: number, changes: Parameters<typeof set<typeof jobs>>[1]) =>
  tx.send(sql`UPDATE ${jobs} SET ${set(jobs, changes)} WHERE ${jobs.id} = ${id}`)

function changesOf(outcome: JobOutcome, now: number) {
  if (outcome.state === "completed") return { state: outcome.state, result: outcome.result, finishedAt: now }
  const { error: lastError, cause = null, cure = null } = outcome
  if (outcome.state === "discarded") return { state: outcome.state, lastError, cause, cure, finishedAt: now }
  const { state, runAt, isTemporary } = outcome
  return { state, lastError, cause, cure, runAt, ...(isTemporary && { maxAttempts: sql`max_attempts + 1` }) }
}

/** Stores jobs in the commit of the change that they are about. */
export function insertJobs(tx: Pick<Tx, "send">, newJobs: readonly NewJob[]) {
  if (newJobs.length === 0) return
  const added = newJobs.map(({ payload, ...newJob }, place) => ({
    ...newJob,
    turnOf: newJob.turnOf ?? null,
    lane: laneOf(newJob.kind),
    payload: asJson(payload),
    place,
  }))
  tx.send(sql`
    INSERT INTO ${jobs} (kind, payload, state, max_attempts, retry_until, run_at, created_at, lane, turn_of)
    SELECT added.kind, added.payload::jsonb, 'available', added."maxAttempts", added."retryUntil", added."runAt",
      added."createdAt", added.lane, added."turnOf"
    FROM ${records("added", added, {
      kind: "text",
      payload: "text",
      maxAttempts: "bigint",
      retryUntil: "bigint",
      runAt: "bigint",
      createdAt: "bigint",
      lane: "text",
      turnOf: "bigint",
      place: "bigint",
    })} ORDER BY added.place`)
}

const isMail = raw(`jobs.lane IN (${mailLanes.map((lane) => `'${lane}'`).join(", ")})`)

const inState = {
  waiting: sql`${jobs.finishedAt} IS NULL`,
  discarded: sql`${jobs.state} = 'discarded'`,
}
const isUnsent = sql`${jobs.state} <> 'completed'`

const selected = (which: MailSelection): SQL =>
  "id" in which
    ? sql`${jobs.id} = ${which.id}`
    : sql`${jobs.cause} IN (SELECT value FROM ${list("causes", [...which.causes], "text")})`

/** Whom a payload names: a user's id, who gets the mail, but for one about a newcomer, which the manager gets. */
const named = sql`CAST(coalesce(payload ->> 'userId', payload ->> 'to') AS BIGINT)`

const queuedMail = fields({
  id: jobs.id,
  kind: jobs.kind,
  to: sql<QueuedMail["to"]>`coalesce(payload ->> 'email', (
    SELECT email FROM ${users} WHERE ${users.id} = CASE
      WHEN payload ->> 'transactionId' IS NOT NULL THEN (
        SELECT ${transactions.userId} FROM ${transactions}
        WHERE ${transactions.id} = CAST(payload ->> 'transactionId' AS BIGINT))
      WHEN ${jobs.kind} = ${newcomerMailKind} THEN (
        SELECT newcomer.manager_id FROM ${users} AS newcomer WHERE newcomer.id = ${named})
      ELSE ${named} END))`,
  state: sql<QueuedMail["state"]>`CASE WHEN ${jobs.finishedAt} IS NULL THEN 'waiting' ELSE 'discarded' END`,
  attempts: jobs.attempts,
  lastAnswer: jobs.lastError,
  cause: jobs.cause,
  cure: jobs.cure,
  nextAt: sql<QueuedMail["nextAt"]>`CASE WHEN ${jobs.finishedAt} IS NULL THEN ${jobs.runAt} END`,
})

/** Mail that waits for the operator, and what the newest was answered. */
export async function refusedMail(reads: Reads): Promise<RefusedMail> {
  const isRefused = sql`${unfinished} AND ${isMail} AND ${jobs.cause} = 'operator'`
  const newest = await reads.first(
    sql<{ answer: string; cure: string | null; count: number }>`
      SELECT coalesce(${jobs.lastError}, '') AS answer, ${jobs.cure} AS cure, (SELECT count(*) FROM ${isRefused}) AS count
      FROM ${isRefused} ORDER BY ${jobs.id} DESC LIMIT 1`,
  )
  if (newest === null) return { count: 0, newest: null }
  const { count, answer, cure } = newest
  return { count, newest: { answer: withoutAddresses(answer), cure } }
}

/** The discarded jobs that are not pruned yet. */
export async function discardedJobs(reads: Reads): Promise<DiscardedJobs> {
  const newest = await reads.first(
    sql<{ kind: string; at: number; error: string; count: number }>`
      SELECT ${jobs.kind} AS kind, ${jobs.finishedAt} AS at,
        coalesce(${jobs.lastError}, '') || coalesce('; ' || ${jobs.cure}, '') AS error,
        (SELECT count(*) FROM ${jobs} WHERE ${jobs.state} = 'discarded') AS count
      FROM ${jobs} WHERE ${jobs.state} = 'discarded' ORDER BY ${jobs.finishedAt} DESC, ${jobs.id} DESC LIMIT 1`,
  )
  if (newest === null) return { count: 0, newest: null }
  const { kind, at, error, count } = newest
  return { count, newest: { kind, at, error: withoutAddresses(error) } }
}

/**
 * JSON that PostgreSQL accepts. Its text cannot hold the character NUL or half of a surrogate pair: each becomes U+FFFD.
 */
const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\0", "\ufffd").toWellFormed() : part,
  )

/** Of several processes that ask at the same moment, one gets the lease. */
export function createScheduleStore(db: Database): ScheduleStore {
  return {
    async claim({ name, everyMs, leaseMs }, owner, now) {
      const isFree = sql`CASE
        WHEN ${scheduledWork.lockedUntil} > ${now} AND ${scheduledWork.lockedUntil} <= ${now + 2 * leaseMs}
        THEN ${scheduledWork.lockedBy} = ${owner}
        ELSE ${scheduledWork.dueAt} <= ${now} OR ${scheduledWork.dueAt} > ${now + 2 * everyMs} END`
      // Checked without a lock first: the work is rarely due.
      if (await exists(db, sql`${scheduledWork} WHERE ${scheduledWork.name} = ${name} AND NOT ${isFree}`)) return false
      const leased = { name, dueAt: now, lockedBy: owner, lockedUntil: now + leaseMs }
      const claimed = await db.write((tx) =>
        tx.run(sql`INSERT INTO ${scheduledWork} ${row(scheduledWork, leased)}
          ON CONFLICT (name) DO UPDATE SET locked_by = excluded.locked_by, locked_until = excluded.locked_until
          WHERE ${isFree}`),
      )
      return claimed > 0
    },
    async release(name, owner, dueAt) {
      const changed = await db.write((tx) =>
        tx.run(sql`UPDATE ${scheduledWork} SET ${set(scheduledWork, { ...unlocked, dueAt })}
          WHERE ${scheduledWork.name} = ${name} AND ${scheduledWork.lockedBy} = ${owner}`),
      )
      return changed > 0
    },
  }
}
