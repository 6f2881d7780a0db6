import { and, eq, isNotNull, isNull, lt, lte, sql } from "drizzle-orm"
import type { JobStore, Outcome } from "../../domain/jobs.ts"
import type { Connection } from "./connection.ts"
import { jobs } from "./schema.ts"

export function createJobStore({ db, write }: Connection): JobStore {
  /** As in the index jobs_by_due: an available job is due at its time, a running one when its lease is over. */
  const dueAt = sql`coalesce(${jobs.lockedUntil}, ${jobs.runAt})`
  const nextDue = db
    .select()
    .from(jobs)
    .where(and(isNull(jobs.finishedAt), lte(dueAt, sql.placeholder("now"))))
    .orderBy(dueAt, jobs.id)
    .limit(1)
    .prepare()

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
      // Looked at without the write lock first: an idle worker must not disturb writers.
      if (!nextDue.get({ now })) return null
      return write(() => {
        for (let job = nextDue.get({ now }); job; job = nextDue.get({ now })) {
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
        const usedUp = job.attempts >= job.maxAttempts
        db.update(jobs)
          .set({ ...finish, ...settled(outcome, usedUp, now) })
          .where(eq(jobs.id, id))
          .run()
        return true
      }),

    prune: async (finishedBefore) => {
      write(() =>
        db
          .delete(jobs)
          .where(and(isNotNull(jobs.finishedAt), lt(jobs.finishedAt, finishedBefore)))
          .run(),
      )
    },
  }
}

function settled(outcome: Outcome, usedUp: boolean, now: number) {
  if (outcome.state === "completed") return { state: outcome.state, result: outcome.result, finishedAt: now }
  if (outcome.state === "discarded" || usedUp)
    return { state: "discarded" as const, lastError: outcome.error, finishedAt: now }
  return { state: outcome.state, lastError: outcome.error, runAt: outcome.runAt }
}
