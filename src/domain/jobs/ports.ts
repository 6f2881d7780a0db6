import type { AuditEntry } from "../audit/ports.ts"
import type { PageRange } from "../paging.ts"

export type JobState = "available" | "running" | "completed" | "discarded"

/** Kinds of jobs that share places in the worker. No job waits for one of another lane. */
export const lanes = ["accounts", "invitations", "mail", "push", "chats"] as const
export type Lane = (typeof lanes)[number]

/** Work for the background worker. It runs at least once; a crash uses up an attempt. */
export interface Job {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly state: JobState
  /** How often it was claimed, the present attempt included. */
  readonly attempts: number
  /**
   * When the last attempt fails, the job is discarded. A temporary failure raises this by one: it uses up no attempt.
   */
  readonly maxAttempts: number
  /** Temporary failures are retried until this time; afterwards the job would be of no use. */
  readonly retryUntil: number
  /** No worker claims the job before this time. */
  readonly runAt: number
  /** Name of the worker that holds the lease. */
  readonly lockedBy: string | null
  /** When the lease ends. From then on any worker may claim the job again. */
  readonly lockedUntil: number | null
  readonly lastError: string | null
  readonly result: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export interface NewJob extends Pick<Job, "kind" | "payload" | "maxAttempts" | "retryUntil" | "runAt" | "createdAt"> {
  /** Of the jobs with the same number, one runs at a time, in all processes together. */
  readonly turnOf?: number
}

/**
 * Why a mail was not sent: the operator has to correct something, the recipient has no mailbox, or the mail server is
 * unreachable or asks for a later attempt.
 */
export const failureCauses = ["operator", "recipient", "unreachable"] as const
export type FailureCause = (typeof failureCauses)[number]

interface JobFailure {
  readonly error: string
  /** Whose fault it is; absent or null when nobody knows. */
  readonly cause?: FailureCause | null
  /** What an operator can do; absent or null when nobody knows. */
  readonly cure?: string | null
}

/** How an attempt ended. */
export type JobOutcome =
  | { readonly state: "completed"; readonly result: string }
  | ({ readonly state: "discarded" } & JobFailure)
  /** Try again at `runAt`. A temporary failure uses up no attempt. */
  | ({ readonly state: "available"; readonly runAt: number; readonly isTemporary: boolean } & JobFailure)

/** Mail that is not sent: it waits for its next attempt, or was given up. */
export const mailStates = ["waiting", "discarded"] as const
export type MailState = (typeof mailStates)[number]

/** One mail by its id, or all of these causes. */
export type MailSelection = { readonly id: number } | { readonly causes: readonly FailureCause[] }

export interface QueuedMail extends Pick<Job, "id" | "kind" | "attempts"> {
  /** The address; null when nobody has it any more. */
  readonly to: string | null
  readonly state: MailState
  /** What the mail server said at the last attempt, or why it was not reached; null before the first. */
  readonly lastAnswer: string | null
  readonly cause: FailureCause | null
  readonly cure: string | null
  /** When the next attempt is due; null for mail that was given up. */
  readonly nextAt: number | null
}

/** The mail that waits because the operator has to correct something. */
export interface RefusedMail {
  readonly count: number
  /** Of the newest: what the mail server said, without addresses, and the cure. Null when there is none. */
  readonly newest: { readonly answer: string; readonly cure: string | null } | null
}

/** A step of work that enqueues jobs at intervals. The work chooses the format of `from` and `to`. */
interface JobProgress {
  readonly work: string
  /** Null: the first step. */
  readonly from: string | null
  readonly to: string
}

/** Discarded jobs that the store still has. */
export interface DiscardedJobs {
  readonly count: number
  /** Null when there is none. Its error contains no e-mail address. */
  readonly newest: { readonly kind: string; readonly at: number; readonly error: string } | null
}

/** Work that one process does for all processes. */
export interface ScheduledWork {
  readonly name: string
  readonly everyMs: number
  /** How long a claim holds. When its owner dies, the work is free again after this time. */
  readonly leaseMs: number
}

/** The queue of background jobs. */
export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  /**
   * Leases the job of this lane that has been due longest to `owner` for `leaseMs`: one that is available, or whose lease has
   * ended. When none is due, one of a wrong clock is (`latestDueAt` in jobs.ts). The claim counts as an attempt; a job without
   * attempts left is discarded instead. Null when nothing is due.
   */
  claim(owner: string, now: number, leaseMs: number, lane: Lane): Promise<Job | null>
  /** Stores how an attempt ended. False, with nothing changed, when `owner` no longer holds the lease. */
  endAttempt(id: number, owner: string, outcome: JobOutcome, now: number): Promise<boolean>
  /** The last stored progress of work that enqueues jobs at intervals (see `JobProgress`); null when it never ran. */
  progressOf(work: string): Promise<string | null>
  /** Enqueues jobs and stores the new progress in one commit. False, with nothing changed, if it is not at `from`. */
  advance(progress: JobProgress, jobs: readonly NewJob[]): Promise<boolean>
  /** Enqueues invitations to these addresses, in the place of those to them that wait or were given up. */
  invite(emails: readonly string[], jobs: readonly NewJob[], entry: AuditEntry): Promise<void>
  /** Mail that waits or was given up, newest first. */
  mail(query: { readonly state?: MailState | undefined } & PageRange): Promise<readonly QueuedMail[]>
  /** Null unless it waits or was given up. */
  mailWith(id: number): Promise<QueuedMail | null>
  /**
   * Makes mail due at `now`, also what was given up: one of this id, or all of these causes. It waits again as long as at
   * first. Returns how many; what is being sent at this moment is left alone.
   */
  retryMail(which: MailSelection, now: number, maxAttempts: number, entry: AuditEntry): Promise<number>
  /** The mail that waits because the operator has to correct something. */
  refusedMail(): Promise<RefusedMail>
  /** Deletes jobs that finished before these times. */
  prune(before: { readonly completed: number; readonly discarded: number }): Promise<void>
}

/**
 * Work that one process does for all processes, at intervals. Times further ahead than two intervals or leases were
 * written by a wrong clock, and count as past.
 */
export interface ScheduleStore {
  /**
   * Leases the work to `owner` when it is due by `now` and nobody holds it; for its owner, extends the lease. Work that was
   * never done is due. When an owner ends without `release`, the work is free again after the lease.
   */
  claim(work: ScheduledWork, owner: string, now: number): Promise<boolean>
  /** Ends the lease and sets when the work is next due. False, with nothing changed, when `owner` no longer holds it. */
  release(name: string, owner: string, dueAt: number): Promise<boolean>
}
