import type { Clock, Job, JobOutcome } from "../domain/model.ts"
import type { Log } from "../log.ts"
import { PermanentFailure, TemporaryFailure } from "./failure.ts"

/**
 * The work of one kind of job. Resolves with the result that the job keeps.
 * A PermanentFailure discards the job; a TemporaryFailure leads to another attempt as long as the job is of use, any
 * other error as long as it has attempts left. It may run more than once.
 */
export type Handler = (payload: unknown, run: { signal: AbortSignal; attempt: number }) => Promise<string>

export interface AttemptOptions {
  /** By kind. */
  readonly handlers: Readonly<Record<string, Handler>>
  readonly clock: Clock
  readonly log: Log
  /** 0 to 1, for the jitter. */
  readonly random?: () => number
}

/** Why an attempt is aborted: it would outlast its lease, or the worker stops. */
export const overdue = new DOMException("the attempt took too long for its lease", "TimeoutError")
export const stopped = new DOMException("the worker stopped", "AbortError")

/** Calls the handler of a claimed job and says what becomes of the job; an aborted signal ends the wait. Never rejects. */
export function createAttempt(options: AttemptOptions): (job: Job, signal: AbortSignal) => Promise<JobOutcome> {
  const { handlers, clock, log, random = Math.random } = options

  const afterFailure = (job: Job, error: unknown): JobOutcome => {
    const now = clock()
    // That an attempt was stopped, or took too long, says nothing against the job.
    const isTemporary = error instanceof TemporaryFailure || error === overdue || error === stopped
    const isOver = isTemporary ? error !== stopped && now >= job.retryUntil : job.attempts >= job.maxAttempts
    const isDiscarded = error instanceof PermanentFailure || isOver
    const fields = { ...about(job), error: nameOf(error), ...cureOf(error) }
    if (isDiscarded) log.error("job discarded", fields)
    else log.warn("job failed", fields)

    const message = messageOf(error)
    if (isDiscarded) return { state: "discarded", error: message }
    const next = now + (error === stopped ? 0 : backoffMs(job.attempts, random()))
    const runAt = isTemporary ? Math.min(next, Math.max(job.retryUntil, now)) : next
    return { state: "available", error: message, runAt, isTemporary }
  }

  return async (job, signal) => {
    try {
      const handler = Object.hasOwn(handlers, job.kind) ? handlers[job.kind] : undefined
      if (!handler) throw new PermanentFailure(`nothing handles jobs of kind ${job.kind}`)
      // It listens before the handler does, so that its reason comes before what the handler makes of it.
      const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      const result = await Promise.race([aborted, handler(job.payload, { signal, attempt: job.attempts })])
      log.info("job completed", about(job))
      return { state: "completed", result }
    } catch (error) {
      return afterFailure(job, error)
    }
  }
}

/** What a log line may say of a job. Payload and error message may name people: they stay in the table. */
export const about = ({ kind, id, attempts }: Job) => ({ kind, id, attempt: attempts })

/** The code of the error or of what caused it, else its name. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if ("code" in error && typeof error.code === "string") return error.code
  return error.cause instanceof Error ? nameOf(error.cause) : error.name
}

/** What an operator can do about it, where the error says so. */
function cureOf(error: unknown): { cure?: string } {
  if (!(error instanceof Error)) return {}
  return "cure" in error && typeof error.cure === "string" ? { cure: error.cure } : cureOf(error.cause)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** 5 s, 10 s, 20 s and so on up to 15 min, each up to 20 % more or less: what failed together does not return together. */
function backoffMs(attempts: number, random: number): number {
  const base = Math.min(5_000 * 2 ** (attempts - 1), 15 * 60_000)
  return Math.round(base * (0.8 + 0.4 * random))
}
