import { DomainError } from "../../../domain/errors.ts"
import { beginTick } from "../../../domain/ticks.ts"
import type { Log } from "../../../support/log.ts"
import { retryAfterSeconds } from "../../open-store.ts"
import { thrown } from "./errors.ts"
import type { Call, Failure, Row } from "./runner.ts"
import type { Runs } from "./threads.ts"

type Outage = "the disk is full" | "another process keeps it locked"

interface Dependencies {
  readonly writer: Runs
  readonly log: Log
  /** How long a write waits in all while another process holds the lock. */
  readonly lockTimeoutMs: number
  /** Throws once `fail` was called. */
  readonly throwIfFailed: () => Promise<void>
  /** Called when nothing may be written any more, with the reason. Resolves when the process could have ended. */
  readonly fail: (error: unknown) => Promise<void>
  /** Why nobody else can see what was committed (`watchFiles` in files.ts); null when the files are in place. */
  readonly lost: () => Error | null
}

/** A transaction. Statements of one tick share a message, and so do those that are only sent and the next one. */
export interface Transaction {
  /** The rows of the statement, or how many it changed. */
  run(call: Call): Promise<Row[] | number>
  send(call: Call): void
  /** Resolves when what was sent has run. */
  flush(): Promise<void>
}

/** A body may run once more when it expected another state than it found. */
const maxAttempts = 5

/**
 * Runs the write transactions of this process, one at a time in the order in which they are called. The writer's thread waits
 * for the lock of another process and for the disk. SQLite syncs in the commit, and shows it to readers only then.
 *
 * Two failures leave no trace, so serving continues and the next write tries again: a full disk, which SQLite notices before
 * the commit record is complete, and a lock held by another process. They become DomainError `unwritable`. After any other
 * failed commit or checkpoint what is on the disk is unknown: the writer does nothing more, and `fail` ends the process.
 */
export function createWrites({ writer, log, lockTimeoutMs, throwIfFailed, fail, lost }: Dependencies) {
  /** Why the last write was refused; null since a write has succeeded. */
  let outage: Outage | null = null
  /** Since when another process holds the lock, as far as is known, by `Bun.nanoseconds()`. */
  let lockedSince: number | null = null
  /** How many transactions run or wait, and the promise of the last one. */
  let inLine = 0
  let last: Promise<unknown> = Promise.resolve()

  return {
    /** `since`: when the caller began to wait, by `Bun.nanoseconds()`. */
    write: <T>(body: (transaction: Transaction) => Promise<T>, since = Bun.nanoseconds()): Promise<T> =>
      inTurn(() => attempts(body, since)),
    /** Runs `work` while no transaction of this process runs. */
    alone: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        await throwIfFailed()
        return work()
      }),
    /** Waits until no transaction runs or waits. */
    async end() {
      while (inLine > 0) await last
    },
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    inLine += 1
    const turn = last.then(work).finally(() => {
      inLine -= 1
    })
    last = turn.catch(() => {})
    return turn
  }

  async function attempts<T>(body: (transaction: Transaction) => Promise<T>, since: number): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOf(body, since)
      if (outcome !== stale) return outcome
      if (attempt === maxAttempts) throw new Error("a transaction found another state each time")
    }
  }

  async function attemptOf<T>(
    body: (transaction: Transaction) => Promise<T>,
    since: number,
  ): Promise<T | typeof stale> {
    await throwIfFailed()
    const open = createTransaction(writer, () => lockWaitOf(since))
    let result: T
    try {
      result = await body(open.transaction)
    } catch (error) {
      await open.rollBack()
      const failure = open.failure()
      noteLock(open.begunAt(), failure)
      if (failure?.step === "stale") return stale
      throw failure ? await explained(failure, error) : error
    }
    const hasWritten = await open.commit()
    const failure = open.failure()
    noteLock(open.begunAt(), failure)
    if (failure?.step === "stale") return stale
    if (failure) throw await explained(failure, thrown(failure))
    beginTick()
    await throwIfMoved()
    recovered(hasWritten)
    return result
  }

  /**
   * How long a write may wait for the lock of another process. What it has waited in line behind writes that waited for the same lock
   * counts, and what it has waited for others does not.
   */
  function lockWaitOf(since: number): number {
    const waitedMs = lockedSince === null ? 0 : (Bun.nanoseconds() - Math.max(since, lockedSince)) / 1e6
    return Math.max(0, Math.ceil(lockTimeoutMs - waitedMs))
  }

  function noteLock(begunAt: number | null, failure: Failure | undefined) {
    if (begunAt === null) return
    lockedSince = failure !== undefined && isLocked(failure) ? (lockedSince ?? begunAt) : null
  }

  async function throwIfMoved() {
    const fault = lost()
    if (fault === null) return
    await fail(fault)
    throw fault
  }

  /** A transaction that changes no row writes nothing, and succeeds on a full disk too. */
  function recovered(hasWritten: boolean) {
    if (outage === null || (outage === "the disk is full" && !hasWritten)) return
    log.info("the database can be written again")
    outage = null
  }

  /** What to throw: the reason why nothing can be written, or else what the body has thrown. */
  async function explained(failure: Failure, error: unknown): Promise<unknown> {
    const cause = thrown(failure)
    if (failure.isFinal) {
      await fail(cause) // the process ends first, so that nobody is answered
      return cause
    }
    if (/^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(failure.code)) return refusal("the disk is full", cause)
    if (isLocked(failure)) return refusal("another process keeps it locked", cause)
    return error
  }

  function refusal(reason: Outage, cause: unknown): DomainError {
    if (outage !== reason) log.warn("the database cannot be written for now", { reason, error: String(cause) })
    outage = reason
    return new DomainError("unwritable", { retryAfterSeconds, cause })
  }
}

const stale = Symbol("stale")

/** Whether another process held the lock. */
const isLocked = ({ step, code }: Failure): boolean => step === "begin" && code.startsWith("SQLITE_BUSY")

interface Pending {
  readonly call: Call
  readonly resolve?: (result: Row[] | number) => void
  readonly reject?: (reason: unknown) => void
}

/**
 * Gathers statements into messages. The first one begins the transaction, the last one commits it. `lockWait`: how many milliseconds
 * the beginning may wait for the lock.
 */
function createTransaction(writer: Runs, lockWait: () => number) {
  let pending: Pending[] = []
  let begunAt: number | null = null
  let failure: Failure | undefined
  let isScheduled = false
  /** The message that is under way. */
  let running: Promise<unknown> = Promise.resolve()

  const transaction: Transaction = {
    run: (call) =>
      new Promise((resolve, reject) => {
        pending.push({ call, resolve, reject })
        if (isScheduled) return
        isScheduled = true
        queueMicrotask(() => {
          isScheduled = false
          if (pending.length > 0) post().catch(() => {}) // each statement gets the error
        })
      }),
    send: (call) => void pending.push({ call }),
    async flush() {
      if (pending.length > 0) await post()
      await running
      if (failure) throw thrown(failure)
    },
  }

  return {
    transaction,
    failure: () => failure,
    /** When it began to wait for the lock, by `Bun.nanoseconds()`; null while it has not. */
    begunAt: () => begunAt,
    /** Returns whether anything was written. */
    async commit(): Promise<boolean> {
      if (begunAt === null && pending.length === 0) return false
      const [answer] = await Promise.all([post({ commits: true }), running])
      return answer?.hasWritten === true
    },
    async rollBack() {
      for (const { reject } of pending) reject?.(new Error("the transaction was rolled back"))
      pending = []
      await running
      if (begunAt !== null && failure === undefined) await post({ rollsBack: true })
    },
  }

  async function post(ends: { readonly commits?: true; readonly rollsBack?: true } = {}) {
    const sent = pending
    pending = []
    // What runs after a failure would run outside the transaction.
    if (failure) return void refuse(sent, thrown(failure))
    const begins = begunAt === null ? ({ begins: true, waitsMs: lockWait() } as const) : {}
    begunAt ??= Bun.nanoseconds()
    const asked = writer.run([{ calls: sent.map(({ call }) => call), ...begins, ...ends }])
    const before = running
    running = asked.catch(() => {})
    await before
    try {
      const [answer] = await asked
      if (answer === undefined) throw new Error("a write was not answered")
      failure ??= answer.failure
      for (const [index, { resolve, reject }] of sent.entries()) {
        const result = answer.results[index]
        if (result !== undefined) resolve?.(result)
        else reject?.(answer.failure ? thrown(answer.failure) : new Error("a statement was not answered"))
      }
      return answer
    } catch (error) {
      refuse(sent, error)
      throw error
    }
  }

  function refuse(sent: readonly Pending[], error: unknown) {
    for (const { reject } of sent) reject?.(error)
  }
}
