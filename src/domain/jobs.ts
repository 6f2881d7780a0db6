/** The part of the port that holds work for later; store.ts has the rest. Times are milliseconds since the epoch, UTC. */
export type JobState = "available" | "running" | "completed" | "discarded"

/** One piece of work for the worker. It runs at least once; a crash uses up an attempt. */
export interface Job {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly state: JobState
  /** How often it was claimed, this time included. */
  readonly attempts: number
  readonly maxAttempts: number
  /** Not before this time. */
  readonly runAt: number
  readonly lockedBy: string | null
  /** End of the lease: from then on another worker may claim it. */
  readonly lockedUntil: number | null
  readonly lastError: string | null
  readonly result: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export type NewJob = Pick<Job, "kind" | "payload" | "maxAttempts" | "runAt" | "createdAt">

export type Outcome =
  | { readonly state: "completed"; readonly result: string }
  | { readonly state: "discarded"; readonly error: string }
  /** Another attempt at `runAt`; discarded instead when all attempts are used up. */
  | { readonly state: "available"; readonly error: string; readonly runAt: number }

export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  /** Takes the one that is due longest, available or with its lease run out, and counts the attempt before it runs.
   *  One whose attempts are used up is discarded instead. Null when nothing is due. */
  claim(worker: string, now: number, leaseMs: number): Promise<Job | null>
  /** False, and nothing changed, when `worker` no longer holds the lease. */
  settle(id: number, worker: string, outcome: Outcome, now: number): Promise<boolean>
  /** Forgets jobs finished before `finishedBefore`. */
  prune(finishedBefore: number): Promise<void>
}
