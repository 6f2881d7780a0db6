import { discardedKeptDays } from "../domain/jobs.ts"
import type { Job, JobOutcome } from "../domain/model.ts"
import type { JobStore } from "../domain/store.ts"
import { type AttemptOptions, about, createAttempt, nameOf, overdue, stopped } from "./attempt.ts"

export interface WorkerOptions extends AttemptOptions {
  readonly jobs: Pick<JobStore, "claim" | "settle" | "prune">
  /** How long an attempt holds its job; at two thirds of it the attempt is aborted. At least some polls long. */
  readonly leaseMs: number
  /** How long completed jobs keep their result; discarded ones stay for `discardedKeptDays`. */
  readonly resultTtlMs: number
  readonly pollMs?: number
  /** Attempts at the same time. */
  readonly concurrency?: number
  /** Other things to forget, called about once a minute. */
  readonly housekeeping?: readonly ((now: number) => Promise<void>)[]
}

export interface JobWorker {
  start(): void
  /** Looks for due jobs now instead of at the next poll. After an enqueue of this process. */
  wake(): void
  /** When it last looked for due jobs and could, by the clock; null while it does not run. */
  lookedAt(): number | null
  /** Claims no more, gives running attempts `graceMs`, then aborts the rest and leaves their jobs due at once. */
  stop(graceMs: number): Promise<void>
}

interface Run {
  readonly abort: (reason: DOMException) => void
  readonly deadline: number
  readonly done: Promise<void>
}

const housekeepingMs = 60_000

/** Runs the jobs of the store, each at least once (contract, "Events"): polls, claims, attempts, settles, prunes. */
export function createWorker(options: WorkerOptions): JobWorker {
  const { jobs, clock, log, leaseMs, resultTtlMs, pollMs = 1000, concurrency = 4, housekeeping = [] } = options
  const attempt = createAttempt(options)
  const name = crypto.randomUUID()
  const runs = new Set<Run>()
  let timer: Timer | undefined
  let phase: "running" | "stopping" | "stopped" = "running"
  let claims = 0
  let claimIsQueued = false
  let claiming = Promise.resolve()
  let housekept = Number.NEGATIVE_INFINITY
  let keeping = Promise.resolve()
  let waiting: (() => void)[] = []
  let lookedAt: number | null = null

  const tick = () => {
    const now = clock()
    for (const run of runs) if (now >= run.deadline) run.abort(overdue)
    resume()
    if (phase !== "running") return
    if (now - housekept >= housekeepingMs) {
      housekept = now
      keeping = keepHouse(now)
    }
    claimSoon()
  }

  const resume = () => {
    const resumed = waiting
    waiting = []
    for (const go of resumed) go()
  }

  const keepHouse = async (now: number) => {
    const before = { completed: now - resultTtlMs, discarded: now - discardedKeptDays * 24 * 3_600_000 }
    for (const prune of [() => jobs.prune(before), ...housekeeping])
      await prune(now).catch((error) => log.error("housekeeping failed", { error: nameOf(error) }))
  }

  const claimSoon = () => {
    if (claimIsQueued) return
    claimIsQueued = true
    claiming = claiming.then(() => {
      claimIsQueued = false
      // The next poll tries again: a store that fails is not asked any faster.
      return claimDue().catch((error) => log.error("jobs cannot be claimed", { error: nameOf(error) }))
    })
  }

  const claimDue = async () => {
    while (phase === "running" && runs.size < concurrency) {
      // A name for each claim: an attempt whose lease ran out must not settle the one that this process began after it.
      const holder = `${name}/${++claims}`
      const now = clock()
      const job = await jobs.claim(holder, now, leaseMs)
      if (job === null) break
      begin(job, holder, now + (leaseMs * 2) / 3)
    }
    lookedAt = clock()
  }

  const begin = (job: Job, holder: string, deadline: number) => {
    const controller = new AbortController()
    const done = attempt(job, controller.signal)
      .then((outcome) => settle(job, holder, outcome))
      .then(() => {
        runs.delete(run)
        claimSoon()
      })
    const run = { abort: (reason: DOMException) => controller.abort(reason), deadline, done }
    runs.add(run)
    if (phase === "stopped") run.abort(stopped)
  }

  const settle = async (job: Job, holder: string, outcome: JobOutcome) => {
    for (;;) {
      try {
        const settled = await jobs.settle(job.id, holder, outcome, clock())
        if (!settled) log.warn("job settled after its lease was lost", about(job))
        return
      } catch (error) {
        log.error("job cannot be settled", { ...about(job), error: nameOf(error) })
        // What stays behind is what a crash leaves: when the lease is over, another attempt follows.
        if (phase === "stopped") return
        await new Promise<void>((go) => waiting.push(go))
      }
    }
  }

  const drained = async () => {
    await claiming
    await Promise.all([keeping, ...[...runs].map((run) => run.done)])
  }

  return {
    start() {
      timer = setInterval(tick, pollMs)
      tick()
    },
    wake() {
      if (timer) tick()
    },
    lookedAt: () => (phase === "running" ? lookedAt : null),
    async stop(graceMs) {
      phase = "stopping"
      await within(drained(), graceMs)
      phase = "stopped"
      for (const run of runs) run.abort(stopped)
      resume()
      await drained()
      clearInterval(timer)
    },
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
