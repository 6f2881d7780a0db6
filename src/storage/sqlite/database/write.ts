import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { Log } from "../../../support/log.ts"
import { retryAfterSeconds } from "../../open-store.ts"
import { isBusy, isFailedSync, sqliteCodeOf } from "./errors.ts"

/** The pauses between two attempts to get the lock double from the first of these to the second. */
const pausesMs = { first: 1, longest: 20 }

type Outage = "the disk is full" | "another process keeps it locked"

/** The step of a transaction that failed. */
type Step = "begin" | "work" | "commit"

interface Dependencies {
  readonly writer: Database
  readonly log: Log
  /** How long a write waits while another process holds the lock. */
  readonly lockTimeoutMs: number
  /** Throws once `fail` was called. */
  readonly throwIfFailed: () => void
  /** Called when nothing may be written any more, with the reason. */
  readonly fail: (error: unknown) => void
  /** Why nobody else can see what was committed (`watchFiles` in files.ts); null when the files are in place. */
  readonly lost: () => Error | null
  /** Called at once after a commit that has written something. */
  readonly committed: () => void
  /** Called next. Resolves when the commit is durable and readers see it. @throws when its sync has failed */
  readonly show: () => Promise<void>
  /** Called last. */
  readonly checkpoint: () => void
}

/**
 * Runs the write transactions of this process, one at a time in the order in which they are called. Nothing blocks the event
 * loop while another process holds the write lock, or while a commit is synced. Each waits for the sync of the one before.
 *
 * Two failures leave no trace, so serving continues and the next write tries again: a full disk, which SQLite notices before
 * the commit record is complete, and a lock held by another process. They become DomainError `unwritable`. After any other
 * failed commit, and after a failed sync anywhere, what is on disk is unknown: the system drops what it could not write and
 * would report the next sync as a success.
 */
export function createWrites(dependencies: Dependencies) {
  const { writer, log, lockTimeoutMs, throwIfFailed, fail, lost, committed, show, checkpoint } = dependencies
  // Beginning a transaction must not block the event loop. In WAL mode nothing else waits for a lock.
  writer.run("PRAGMA busy_timeout = 0")
  const begin = writer.prepare("BEGIN IMMEDIATE")
  const end = writer.prepare("COMMIT")
  const totalChanges = writer.prepare<{ count: number }, []>("SELECT total_changes() AS count")
  /** Why the last write was refused; null since a write has succeeded. */
  let outage: Outage | null = null
  /** How many rows the connection had changed before this transaction. */
  let changesBefore = 0
  /** How many transactions run or wait, and the promise of the last one. */
  let inLine = 0
  let last: Promise<unknown> = Promise.resolve()
  /** When the last transaction that waited in line ended. */
  let endedAt = 0

  return {
    /** `Connection.write` */
    write<T>(work: () => T | Promise<T>): Promise<T> {
      const calledAt = performance.now()
      return inTurn(async () => {
        await begun(calledAt)
        const result = await worked(work)
        commit()
        await show()
        checkpoint()
        endedAt = performance.now()
        return result
      })
    },

    /** Runs `work` while no transaction of this process runs. */
    alone: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(() => {
        throwIfFailed()
        return work()
      }),

    /** Waits until no transaction runs or waits. */
    async end() {
      while (inLine > 0) await last
    },
  }

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    inLine += 1
    const turn = last.then(run).finally(() => {
      inLine -= 1
    })
    last = turn.catch(() => {})
    return turn
  }

  /** @throws DomainError `unwritable` when another process holds the lock for too long */
  async function begun(calledAt: number) {
    // Time that earlier transactions of this process took does not count as waiting for another process.
    const since = Math.max(calledAt, endedAt)
    for (let pause = pausesMs.first; ; pause = Math.min(2 * pause, pausesMs.longest)) {
      const busy = tryBegin()
      if (busy === null) return
      if (performance.now() - since >= lockTimeoutMs) throw refusal("another process keeps it locked", busy)
      await Bun.sleep(pause)
    }
  }

  /** SQLite's error when another process holds the lock, else null. */
  function tryBegin(): Error | null {
    throwIfFailed()
    changesBefore = changes()
    try {
      begin.run()
      return null
    } catch (error) {
      if (error instanceof Error && isBusy(error)) return error
      throw failedIn("begin", error)
    }
  }

  async function worked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw failedIn("work", error)
    }
  }

  function commit() {
    throwIfFailed()
    try {
      end.run()
    } catch (error) {
      throw failedIn("commit", error)
    }
    // A transaction that changes no row writes nothing: it needs no sync, and succeeds on a full disk too.
    const hasWritten = changes() !== changesBefore
    if (hasWritten) committed()
    throwIfMoved()
    if (outage === null || (outage === "the disk is full" && !hasWritten)) return
    log.info("the database can be written again")
    outage = null
  }

  function throwIfMoved() {
    const fault = lost()
    if (fault === null) return
    fail(fault)
    throw fault
  }

  /** Rolls back. Returns what to throw. */
  function failedIn(step: Step, error: unknown): unknown {
    const isFull = sqliteCodeOf(error) === "SQLITE_FULL"
    const isUnknown = isFailedSync(error) || (step === "commit" && !isFull)
    if (isUnknown) fail(error) // first, because the next statement may fail as well
    if (writer.inTransaction) writer.run("ROLLBACK") // SQLite may have rolled back already
    return isFull ? refusal("the disk is full", error) : error
  }

  function refusal(reason: Outage, cause: unknown): DomainError {
    if (outage !== reason) log.warn("the database cannot be written for now", { reason, error: String(cause) })
    outage = reason
    return new DomainError("unwritable", { retryAfterSeconds, cause })
  }

  /** How many rows this connection has changed. */
  function changes(): number {
    return totalChanges.get()?.count ?? 0
  }
}
