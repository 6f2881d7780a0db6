import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import { nextTick } from "../../../domain/ticks.ts"
import type { Log } from "../../../support/log.ts"
import { retryAfterSeconds } from "../../open-store.ts"
import { isFailedSync, sqliteCodeOf } from "./errors.ts"

/** The pauses between two attempts to get the lock double from the first of these to the second. */
const pausesMs = { first: 1, longest: 20 }

type Outage = "the disk is full" | "another process keeps it locked"

/** The step of a transaction that failed. */
type Step = "begin" | "work" | "commit"

/** Work in time slices: the event loop runs whenever it yields. */
export type Slices<T> = Generator<undefined, T, undefined>

interface Dependencies {
  readonly client: Database
  /** Opens another connection to the same database. */
  readonly openAnother: () => Database
  readonly log: Log
  /** How long a write waits while another process holds the lock. */
  readonly lockTimeoutMs: number
  /** Throws once `fail` was called. */
  readonly throwIfFailed: () => void
  /** Called when nothing may be written any more, with the reason. */
  readonly fail: (error: unknown) => void
  /** Why nobody else can see what was committed (`watchFiles` in files.ts); null when the files are in place. */
  readonly lost: () => Error | null
  /** Called after each commit. */
  readonly checkpoint: () => void
  /** Called instead after the commit of a long transaction. */
  readonly checkpointLong: () => Promise<void>
  /** Syncs what a long transaction has written so far, so that its commit has little left to do on the event loop. */
  readonly syncAhead: () => Promise<void>
  /** Called right after a commit of another connection. */
  readonly invalidate: () => void
}

/**
 * Runs the write transactions of this process, one at a time in the order in which they are called. Nothing blocks the event
 * loop while another process holds the write lock. A transaction that need not wait runs before the call returns.
 *
 * Two failures leave no trace, so serving continues and the next write tries again: a full disk, which SQLite notices before
 * the commit record is complete, and a lock held by another process. They become DomainError `unwritable`. After any other
 * failed commit, and after a failed sync anywhere, what is on disk is unknown: the system drops what it could not write and
 * would report the next sync as a success.
 */
export function createWrites(dependencies: Dependencies) {
  const { client, openAnother, log, lockTimeoutMs, throwIfFailed, fail, lost, invalidate } = dependencies
  const { checkpoint, checkpointLong, syncAhead } = dependencies
  const main = transactionsOn(client)
  /** Why the last write was refused; null since a write has succeeded. */
  let outage: Outage | null = null
  /** During an outage: how many rows the connection had changed before this transaction. */
  let changesBefore = 0
  /** The connection of `writeAwaited`, opened when it is first needed. */
  let writer: Transactions | null = null
  /** How many transactions run or wait, and the promise of the last one. */
  let inLine = 0
  let last: Promise<unknown> = Promise.resolve()
  /** When the last transaction that waited in line ended. */
  let endedAt = 0

  return {
    /** `Connection.write` */
    async write<T>(work: () => T): Promise<T> {
      if (inLine === 0 && tryBegin(main) === null) return completed(work)
      return inTurn((calledAt) => begun(main, calledAt, () => completed(work)))
    },

    /** `Database.write` */
    writeAwaited: <T>(work: (writer: Database) => Promise<T>, isLong: boolean): Promise<T> =>
      inTurn((calledAt) => onWriter(work, isLong, calledAt)),

    /** `Connection.writeInSlices` */
    writeInSlices: <T>(work: (another: Database) => Slices<T>): Promise<T> =>
      inTurn(async (calledAt) => {
        const result = await onAnother(work, calledAt)
        await checkpointLater()
        return result
      }),

    /** Runs `work` while no transaction of this process runs. */
    alone: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(() => {
        throwIfFailed()
        return work()
      }),

    /** Waits until no transaction runs or waits, and closes what `writeAwaited` has opened. */
    async end() {
      while (inLine > 0) await last
      writer?.client.close()
      writer = null
    },
  }

  function inTurn<T>(run: (calledAt: number) => Promise<T>): Promise<T> {
    const calledAt = performance.now()
    inLine += 1
    const turn = last.then(async () => {
      try {
        const result = await run(calledAt)
        endedAt = performance.now()
        return result
      } finally {
        inLine -= 1
      }
    })
    last = turn.catch(() => {})
    return turn
  }

  function completed<T>(work: () => T): T {
    const result = attempt(main, "work", work)
    commit(main)
    checkpoint()
    return result
  }

  /** Runs on a connection of its own, so that reads between the slices do not see what is not committed. */
  async function onAnother<T>(work: (another: Database) => Slices<T>, calledAt: number): Promise<T> {
    throwIfFailed()
    const another = openAnother()
    try {
      throwIfMoved() // otherwise the new connection would open another file
      const transactions = transactionsOn(another)
      const slices = await begun(transactions, calledAt, () => work(another))
      const next = () => {
        throwIfFailed()
        return slices.next()
      }
      let slice = attempt(transactions, "work", next)
      while (!slice.done) {
        await nextTick()
        slice = attempt(transactions, "work", next)
      }
      await syncBeforeCommit(transactions)
      commit(transactions)
      invalidate()
      return slice.value
    } finally {
      another.close()
    }
  }

  /** Runs on a connection that is kept open, so that reads do not see what is not committed. */
  async function onWriter<T>(work: (writer: Database) => Promise<T>, isLong: boolean, calledAt: number): Promise<T> {
    throwIfFailed()
    if (writer === null) {
      throwIfMoved() // otherwise the new connection would open another file
      writer = transactionsOn(openAnother())
    }
    const transactions = writer
    const result = await begun(transactions, calledAt, () => work(transactions.client)).catch((error: unknown) =>
      failedIn(transactions, "work", error),
    )
    throwIfFailed()
    if (isLong) await syncBeforeCommit(transactions)
    commit(transactions)
    invalidate()
    if (isLong) await checkpointLater()
    else checkpoint()
    return result
  }

  async function syncBeforeCommit(transactions: Transactions) {
    await syncAhead().catch((error) => rolledBack(transactions, error))
    throwIfFailed()
  }

  /** The commit of a long transaction has blocked the event loop for long, so other work runs before the checkpoint. */
  async function checkpointLater() {
    await nextTick()
    await checkpointLong()
  }

  /**
   * Calls `next` right after the transaction has begun. If the caller awaited the beginning instead, other microtasks
   * would run in between, and their reads on the same connection would be inside the transaction.
   * @throws DomainError `unwritable` when another process holds the lock for too long
   */
  async function begun<T>(transactions: Transactions, calledAt: number, next: () => T): Promise<T> {
    // Time that earlier transactions of this process took does not count as waiting for another process.
    const since = Math.max(calledAt, endedAt)
    for (let pause = pausesMs.first; ; pause = Math.min(2 * pause, pausesMs.longest)) {
      const busy = tryBegin(transactions)
      if (busy === null) return next()
      if (performance.now() - since >= lockTimeoutMs) throw refusal("another process keeps it locked", busy)
      await Bun.sleep(pause)
    }
  }

  /** SQLite's error when another process holds the lock, else null. */
  function tryBegin(transactions: Transactions): Error | null {
    throwIfFailed()
    if (outage !== null) changesBefore = transactions.changes()
    return attempt(transactions, "begin", transactions.tryBegin)
  }

  function commit(transactions: Transactions) {
    attempt(transactions, "commit", transactions.commit)
    throwIfMoved()
    if (outage === null) return
    // A transaction that changes no row writes nothing, and so succeeds on a full disk too.
    if (outage === "the disk is full" && transactions.changes() === changesBefore) return
    log.info("the database can be written again")
    outage = null
  }

  function throwIfMoved() {
    const fault = lost()
    if (fault === null) return
    fail(fault)
    throw fault
  }

  function attempt<T>(transactions: Transactions, step: Step, act: () => T): T {
    try {
      return act()
    } catch (error) {
      return failedIn(transactions, step, error)
    }
  }

  function failedIn({ client }: Transactions, step: Step, error: unknown): never {
    const isFull = sqliteCodeOf(error) === "SQLITE_FULL"
    const isUnknown = isFailedSync(error) || (step === "commit" && !isFull)
    if (isUnknown) fail(error) // first, because the next statement may fail as well
    // SQLite may have rolled back already. If not, nobody may read what was not acknowledged.
    if (client.inTransaction) client.run("ROLLBACK")
    throw isFull ? refusal("the disk is full", error) : error
  }

  /** After a failed sync the state on disk is unknown, so nothing more may be written. */
  function rolledBack({ client }: Transactions, error: unknown): never {
    fail(error)
    client.run("ROLLBACK")
    throw error
  }

  function refusal(reason: Outage, cause: unknown): DomainError {
    if (outage !== reason) log.warn("the database cannot be written for now", { reason, error: String(cause) })
    outage = reason
    return new DomainError("unwritable", { retryAfterSeconds, cause })
  }
}

type Transactions = ReturnType<typeof transactionsOn>

function transactionsOn(client: Database) {
  // Beginning a transaction must not block the event loop. In WAL mode nothing else waits for a lock.
  client.run("PRAGMA busy_timeout = 0")
  const begin = client.prepare("BEGIN IMMEDIATE")
  const commit = client.prepare("COMMIT")
  const changes = client.prepare<{ count: number }, []>("SELECT total_changes() AS count")

  return {
    client,
    /** SQLite's error when the lock is held, else null. */
    tryBegin(): Error | null {
      try {
        begin.run()
        return null
      } catch (error) {
        if (error instanceof Error && sqliteCodeOf(error).startsWith("SQLITE_BUSY")) return error
        throw error
      }
    },
    commit: () => commit.run(),
    /** How many rows this connection has changed. */
    changes: (): number => changes.get()?.count ?? 0,
  }
}
