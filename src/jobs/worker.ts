import { discardedKeptDays } from "../domain/jobs/jobs.ts"
import { createLease } from "../domain/jobs/lease.ts"
import type { Job, JobOutcome, JobStore, Lane, ScheduleStore } from "../domain/jobs/ports.ts"
import { createRunner } from "../support/runner.ts"
import { type AttemptOptions, codeOf, createAttempt, describe, overdue, stopped } from "./attempt.ts"

export interface WorkerOptions extends AttemptOptions {
  readonly jobs: Pick<JobStore, "claim" | "endAttempt" | "prune">
  /** How long a claim lasts: at least a few polls. An attempt is aborted after two thirds of it. */
  readonly leaseMs: number
  /** How long completed jobs are kept with their result; discarded ones are kept for `discardedKeptDays`. */
  readonly resultTtlMs: number
  readonly pollMs?: number
  /** How many attempts run at the same time in each lane. This worker claims no jobs of lanes that are left out. */
  readonly places?: Readonly<Partial<Record<Lane, number>>>
  /** Other housekeeping, called about once a minute. */
  readonly housekeeping?: readonly Task[]
  /** Deletes what has expired, as this worker does with jobs, about once a minute. */
  readonly pruning?: readonly Task[]
  /** Leases `pruning` to one worker of all that share the store; null: each does it. */
  readonly schedule?: ScheduleStore | null
  /** Milliseconds since any one moment, for durations, which must not change when the clock is set. */
  readonly elapsed?: () => number
}

type Task = (now: number) => Promise<void>

export type JobWorker = ReturnType<typeof createWorker>

/** Mail servers allow few connections at a time, and a push service that is silent takes one for seconds. */
export const defaultPlaces: Readonly<Record<Lane, number>> = {
  accounts: 2,
  invitations: 2,
  mail: 4,
  push: 8,
  chats: 4,
}

interface Run {
  readonly lane: Lane
  readonly abort: (reason: DOMException) => void
  readonly deadline: number
  readonly done: Promise<void>
}

const housekeepingMs = 60_000
/**
 * Due again after half a minute, so that the next worker that cleans up finds it due. When its owner dies, another worker
 * goes on after the lease.
 */
const pruningWork = { name: "pruning", everyMs: housekeepingMs / 2, leaseMs: 5 * 60_000 }
/** The delay from the start to the first housekeeping, so that the first requests do not wait for it. */
const firstHousekeepingMs = 1000

/** Runs the jobs of the store, each at least once: polls, claims, attempts, stores the outcomes, prunes. */
export function createWorker(options: WorkerOptions) {
  const { jobs, clock, log, leaseMs, resultTtlMs, pollMs = 1000, places = defaultPlaces, housekeeping = [] } = options
  const { pruning = [], schedule = null } = options
  const { elapsed = () => performance.now() } = options
  const attempt = createAttempt(options)
  const name = crypto.randomUUID()
  const lease = schedule && createLease(schedule, pruningWork, clock)
  const runs = new Set<Run>()
  let phase: "running" | "stopping" | "stopped" = "running"
  let claims = 0
  /** The lanes in which to look for due jobs. */
  const waiting = new Set<Lane>()
  let claiming = Promise.resolve()
  let cleanedAt = elapsed() - housekeepingMs + firstHousekeepingMs
  let cleaning = Promise.resolve()
  /** For each job whose outcome could not be stored, the function that tries again. */
  let unsaved: (() => void)[] = []
  let lookedAt: number | null = null

  const poll = (): undefined => {
    const now = elapsed()
    for (const run of runs) if (now >= run.deadline) run.abort(overdue)
    retrySettling()
    if (phase !== "running") return
    if (now - cleanedAt >= housekeepingMs) {
      cleanedAt = now
      cleaning = cleanUp(clock())
    }
    for (const lane of Object.keys(places) as Lane[]) claimSoon(lane)
  }

  const runner = createRunner({ work: poll, everyMs: pollMs })

  const retrySettling = () => {
    const retries = unsaved
    unsaved = []
    for (const retry of retries) retry()
  }

  const cleanUp = async (now: number) => {
    const before = { completed: now - resultTtlMs, discarded: now - discardedKeptDays * 24 * 3_600_000 }
    for (const task of housekeeping) await attempted(task, now)
    const prune = async () => {
      for (const task of [() => jobs.prune(before), ...pruning]) await attempted(task, now)
    }
    await (lease === null ? prune() : lease.hold(prune, () => pruningWork.everyMs))
  }

  const attempted = (task: Task, now: number) =>
    task(now).catch((error) => log.error("housekeeping failed", { error: codeOf(error) }))

  const claimSoon = (lane: Lane) => {
    const isQueued = waiting.size > 0
    waiting.add(lane)
    if (isQueued) return
    claiming = claiming.then(() => {
      const due = [...waiting]
      waiting.clear()
      // Retried at the next poll, not sooner: a failing store gets no extra load.
      return claimDue(due).catch((error) => log.error("jobs cannot be claimed", { error: codeOf(error) }))
    })
  }

  const claimDue = async (due: readonly Lane[]) => {
    for (const lane of due) await claimIn(lane, places[lane] ?? 0)
    lookedAt = elapsed()
  }

  const running = (lane: Lane) => [...runs].filter((run) => run.lane === lane).length

  const claimIn = async (lane: Lane, most: number) => {
    while (phase === "running" && running(lane) < most) {
      // A new name for each claim: an attempt whose lease expired must not end the next attempt of this process.
      const owner = `${name}/${++claims}`
      const claimedAt = elapsed()
      const job = await jobs.claim(owner, clock(), leaseMs, lane)
      if (job === null) return
      begin(job, owner, lane, claimedAt + (leaseMs * 2) / 3)
    }
  }

  const begin = (job: Job, owner: string, lane: Lane, deadline: number) => {
    const controller = new AbortController()
    const done = attempt(job, controller.signal)
      .then((outcome) => end(job, owner, outcome))
      .then(() => {
        runs.delete(run)
        claimSoon(lane)
      })
    const run = { lane, abort: (reason: DOMException) => controller.abort(reason), deadline, done }
    runs.add(run)
    if (phase === "stopped") run.abort(stopped)
  }

  const end = async (job: Job, owner: string, outcome: JobOutcome) => {
    for (;;) {
      try {
        const isStored = await jobs.endAttempt(job.id, owner, outcome, clock())
        if (!isStored) log.warn("job settled after its lease was lost", describe(job))
        return
      } catch (error) {
        log.error("job cannot be settled", { ...describe(job), error: codeOf(error) })
        // The job is left as after a crash: another attempt follows when the lease expires.
        if (phase === "stopped") return
        await new Promise<void>((retry) => unsaved.push(retry))
      }
    }
  }

  const drained = async () => {
    await claiming
    await Promise.all([cleaning, ...[...runs].map((run) => run.done)])
  }

  return {
    start() {
      lookedAt = elapsed() // until its first look has ended, it counts from here
      runner.start()
      runner.look()
    },
    /** Looks for due jobs now instead of at the next poll. Call it after this process has enqueued one. */
    wake: () => runner.look(),
    /** When the worker last looked for due jobs successfully, by `elapsed`; null while it does not run. */
    lookedAt: (): number | null => (phase === "running" ? lookedAt : null),
    /** Stops claiming, waits `graceMs` for running attempts, then aborts the rest; their jobs are due again at once. */
    async stop(graceMs: number): Promise<void> {
      phase = "stopping"
      await waitAtMost(drained(), graceMs)
      phase = "stopped"
      for (const run of runs) run.abort(stopped)
      retrySettling()
      await drained()
      await runner.stop()
    },
  }
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
