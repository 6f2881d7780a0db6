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
  /** One that fails for no known reason, or whose process ends, is tried this often; a temporary failure adds one. */
  readonly maxAttempts: number
  /** A temporary failure is tried again until this time: later the work is of no use. */
  readonly retryUntil: number
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

export type NewJob = Pick<Job, "kind" | "payload" | "maxAttempts" | "retryUntil" | "runAt" | "createdAt">

export type Outcome =
  | { readonly state: "completed"; readonly result: string }
  | { readonly state: "discarded"; readonly error: string }
  /** Another attempt at `runAt`; unless `isTemporary`, discarded instead when all attempts are used up. */
  | { readonly state: "available"; readonly error: string; readonly runAt: number; readonly isTemporary: boolean }

/** The work that was given up and is still remembered. */
export interface DiscardedJobs {
  readonly count: number
  /** The last error names nobody's address. Null when there is none. */
  readonly newest: { readonly kind: string; readonly at: number; readonly error: string } | null
}

/** What was given up stays as long, so that whoever looks once a month sees it. */
export const discardedKeptDays = 30

/** Mail servers repeat the address that they refuse. */
export const withoutAddresses = (text: string): string =>
  text.slice(0, 500).replaceAll(/[^\s<>()"':;,]+@[^\s<>()"':;,]+/g, "…@…")

export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  /** Takes the one that is due longest, available or with its lease run out, and counts the attempt before it runs.
   *  One whose attempts are used up is discarded instead. Null when nothing is due. */
  claim(worker: string, now: number, leaseMs: number): Promise<Job | null>
  /** False, and nothing changed, when `worker` no longer holds the lease. */
  settle(id: number, worker: string, outcome: Outcome, now: number): Promise<boolean>
  /** Forgets jobs that finished before these times. */
  prune(before: { readonly completed: number; readonly discarded: number }): Promise<void>
}
