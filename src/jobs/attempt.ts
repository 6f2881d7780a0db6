import type { Clock } from "../domain/clock.ts"
import { DatabaseDamaged } from "../domain/damage.ts"
import type { FailureCause, Job, JobOutcome } from "../domain/jobs/ports.ts"
import type { Log } from "../support/log.ts"
import { backoffMs } from "./backoff.ts"

/**
 * The work of one kind of job; may run more than once. Resolves with the result to store with the job.
 * A PermanentFailure discards the job. A TemporaryFailure is retried until the job's `retryUntil`, any other error until
 * its attempts are used up.
 */
export type Handler = (payload: unknown, run: Run) => Promise<string>

export interface Run {
  readonly signal: AbortSignal
  readonly attempt: number
  /** Tells the job from all others, and is the same at every attempt. */
  readonly key: string
}

interface Explanation extends ErrorOptions {
  /** Whose fault it is. */
  readonly blame?: FailureCause
  /** What an operator can do. */
  readonly cure?: string
}

class Failure extends Error {
  readonly blame: FailureCause | null
  readonly cure: string | null

  constructor(message: string, { blame, cure, ...options }: Explanation = {}) {
    super(message, options)
    this.blame = blame ?? null
    this.cure = cure ?? null
  }
}

/** Thrown by a handler when something else has to recover first, such as a mail server. */
export class TemporaryFailure extends Failure {
  override readonly name = "TemporaryFailure"
}

/** Thrown by a handler when another attempt cannot help. */
export class PermanentFailure extends Failure {
  override readonly name = "PermanentFailure"
}

export interface AttemptOptions {
  /** By kind. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for the jitter. */
  readonly random?: () => number
}

/** Reasons to abort an attempt: it would outlast its lease, or the worker stops. */
export const overdue = new DOMException("the attempt took too long for its lease", "TimeoutError")
export const stopped = new DOMException("the worker stopped", "AbortError")
/** What is said of an attempt that was overdue. */
const slow = { blame: "unreachable", cure: "raise jobs.lease_seconds" } as const

/** Runs the handler of a claimed job and returns the job's next state. Stops waiting when `signal` aborts. Never rejects. */
export function createAttempt(options: AttemptOptions): (job: Job, signal: AbortSignal) => Promise<JobOutcome> {
  const { handlers, clock, log, random = Math.random } = options

  return async (job, signal) => {
    try {
      const handler = Object.hasOwn(handlers, job.kind) ? handlers[job.kind] : undefined
      if (!handler) throw new PermanentFailure(`nothing handles jobs of kind ${job.kind}`)
      // Listens before the handler does, so that an abort rejects with its reason and not with the handler's own error.
      const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      const result = await Promise.race([
        aborted,
        handler(job.payload, { signal, attempt: job.attempts, key: keyOf(job) }),
      ])
      log.info("job completed", describe(job))
      return { state: "completed", result }
    } catch (error) {
      return afterFailure(job, error)
    }
  }

  function afterFailure(job: Job, error: unknown): JobOutcome {
    const now = clock()
    // A stopped or overdue attempt is not the job's fault: the store gives it back.
    const isTemporary = error instanceof TemporaryFailure || error === overdue || error === stopped
    const isOver = isTemporary ? error !== stopped && now >= job.retryUntil : job.attempts >= job.maxAttempts
    const isDiscarded = error instanceof PermanentFailure || isOver
    const { blame, cure } = error instanceof Failure ? error : error === overdue ? slow : { blame: null, cure: null }
    const fields = { ...describe(job), error: codeOf(error), ...(cure !== null && { cure }) }
    if (isDiscarded) log.error("job discarded", fields)
    else log.warn("job failed", fields)

    const said = { error: messageOf(error), cause: blame, cure }
    if (isDiscarded) return { state: "discarded", ...said }
    const next = now + (error === stopped ? 0 : backoffMs(job.attempts, random()))
    const runAt = isTemporary ? Math.min(next, Math.max(job.retryUntil, now)) : next
    return { state: "available", ...said, runAt, isTemporary }
  }
}

/** With the payload, because a database that was restored gives its ids once more. */
const keyOf = ({ kind, id, payload }: Job): string => `${kind} ${id} ${JSON.stringify(payload)}`

/** The fields of a job that may be logged. Payload and error message may name people; they stay in the table. */
export const describe = ({ kind, id, attempts }: Job) => ({ kind, id, attempt: attempts })

/** What is damaged; otherwise the code of the error, or else of its cause; the name of the last error if none has a code. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error instanceof DatabaseDamaged) return error.message
  if ("code" in error && typeof error.code === "string") return error.code
  return error.cause instanceof Error ? codeOf(error.cause) : error.name
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)
