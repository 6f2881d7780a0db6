import type { DiscardedJobs, JobState } from "./jobs.ts"

/** The part of the port that tells an operator how the store is; store.ts has the rest. */
export interface Vitals {
  /** Writes durably what changes nothing. @throws what any other write would */
  prove(): Promise<void>
  /** `now` in milliseconds since the epoch, UTC. */
  read(now: number): Promise<VitalSigns>
}

export interface VitalSigns {
  /** How many the ledger has. */
  readonly transactions: number
  /** How many there are; finished ones are forgotten after a while. */
  readonly jobs: Readonly<Record<JobState, number>>
  readonly discarded: DiscardedJobs
  /** How long the job that is due longest has been waiting, in milliseconds; 0 when none is due. */
  readonly waitingMs: number
  /** What the files take on the disk. */
  readonly databaseBytes: number
  readonly walBytes: number
}
