import { setTimeout as sleep } from "node:timers/promises"
import type { SQL } from "bun"
import type { DatabaseUrl } from "../../../config/database-url.ts"
import type { DomainError } from "../../../domain/errors.ts"
import type { Log } from "../../../support/log.ts"
import { rootCodeOf } from "../../../support/system-errors.ts"
import {
  type Connection,
  type ConnectionMode,
  createConnector,
  type Parameter,
  type Rows,
  type ServerFacts,
} from "./connection.ts"
import { ConnectionLost, cureOf, isConflict, isLost, isTemporary, outage, outcomeUnknown } from "./errors.ts"
import { createPool, type PoolState } from "./pool.ts"

/** How often a transaction is tried when it conflicts with another. */
const maxAttempts = 5

/** How long to wait before asking again whether a transaction was committed. */
const resolveAgainMs = 100

/** The least time for a transaction, and for the look-up of its outcome, however long the caller has waited already. */
const minAttemptMs = 300

/** How long `listen` waits before it connects again. */
const listenAgainMs = 1000

/** How often a listener checks its connection, because a firewall may drop a quiet one without telling either end. */
const checkListenersEveryMs = 10_000

export interface Queries {
  /**
   * Runs one statement with `$1`, `$2`, … in place of values. `bigint` comes as a number, `bytea` as Uint8Array, `jsonb`
   * parsed; the result's `count` says how many rows were touched. `sum` and the like of `bigint` are `numeric`, and need a
   * cast to `bigint`. Statements that are started together in one transaction are sent together (pipelined).
   */
  query<T = unknown>(text: string, parameters?: readonly Parameter[]): Promise<Rows<T>>
}

export interface OpenTransaction extends Queries {
  /**
   * Starts a statement without waiting: it is sent together with those that follow, and with the COMMIT. When it fails, the
   * transaction fails.
   */
  send(text: string, parameters?: readonly Parameter[]): void
}

interface TransactionOptions {
  /**
   * Called when the connection broke during the COMMIT. Returns what says, with another connection, whether the transaction
   * was committed. That must first take a lock that the transaction held, so that it waits until the server has ended the
   * transaction. Without it, `transaction` throws DomainError `outcome_unknown`.
   */
  readonly lookUp?: () => ((queries: Queries) => Promise<boolean>) | undefined
  /** How long the work may take in all, in milliseconds, when it takes longer than a request. */
  readonly patienceMs?: number | undefined
  /** Since when the caller has waited for the transaction to begin (`Bun.nanoseconds()`). Absent: it has not. */
  readonly since?: number | undefined
}

/** Reads that are each on one snapshot of the database. */
export interface Snapshots extends Queries {
  /** Runs `work` on one snapshot of the database, in which it cannot write. `patienceMs` as for a transaction. */
  snapshot<T>(work: (queries: Queries) => Promise<T>, patienceMs?: number): Promise<T>
}

export interface Client extends Snapshots {
  /** Reads for a caller who may leave: one that has no connection yet when the signal aborts throws its reason. */
  until(signal: AbortSignal | undefined): Snapshots
  /** Like `query`, for a statement that changes something: its own transaction, so that an unknown outcome is noticed. */
  change: Queries["query"]
  /**
   * Runs `work` in a transaction of isolation READ COMMITTED and commits. Repeats the whole of it a few times after a
   * serialization failure or a deadlock, so `work` changes nothing outside the database before it has returned.
   */
  transaction<T>(work: (transaction: OpenTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** In one transaction: calls `next`, and runs the text of several statements that it returns, if any. */
  script(next: (queries: Queries) => Promise<string | null>, patienceMs: number): Promise<void>
  /**
   * Calls `onNotify` for every notification on this channel, from any process, and `onListening` whenever it begins to
   * listen: the first time, and after each interruption, during which notifications were lost. Returns a function to stop.
   */
  listen(channel: string, onNotify: (payload: string) => void, onListening: () => void): () => Promise<void>
  /** The facts of the server that a connection leads to now. */
  server(): Promise<ServerFacts>
  pool(): PoolState
  close(): Promise<void>
}

interface Options {
  readonly url: DatabaseUrl
  readonly poolSize: number
  readonly log: Log
  /**
   * How long a caller waits; absent: a little less than the 5 s within which a request must be answered. A caller that
   * has waited before the transaction may wait up to twice `minAttemptMs` longer.
   */
  readonly patienceMs?: number
  readonly checkListenersMs?: number
  /** Absent: shared. */
  readonly mode?: ConnectionMode | undefined
}

/**
 * Connections to PostgreSQL. While the database cannot be used, every method throws DomainError `unavailable` within
 * `patienceMs` (`unwritable` while its disk is full), and works again by itself afterwards. Other errors of PostgreSQL
 * are passed on unchanged.
 */
export function createClient({
  url,
  poolSize,
  log,
  patienceMs = 4300,
  checkListenersMs = checkListenersEveryMs,
  mode,
}: Options): Client {
  const connector = createConnector(url, mode)
  const pool = createPool({ size: poolSize, open: connector.connect })
  const listeners = new Set<() => Promise<void>>()
  const transaction: Client["transaction"] = (work, options = {}) => retried(() => attemptOf(work, options))
  let isFailing = false

  return {
    ...until(undefined),
    until,
    change: (text, parameters) => transaction(({ query }) => query(text, parameters)),
    transaction,
    script: (next, patience) =>
      using(patience, async (connection) => {
        const { unknown } = await inTransaction(connection, patience, async ({ query }) => {
          const script = await next({ query })
          if (script !== null) await connection.runScript(script)
        })
        if (unknown !== null) throw outcomeUnknown(unknown)
      }),
    listen,
    server: () => using(patienceMs, async ({ server }) => server),
    pool: pool.state,
    async close() {
      await Promise.all([...listeners].map((stop) => stop()))
      pool.close()
    },
  }

  function until(signal: AbortSignal | undefined): Snapshots {
    return {
      query: (text, parameters) =>
        retried(() =>
          using(patienceMs, (connection) => {
            signal?.throwIfAborted()
            return connection.run(text, parameters)
          }),
        ),
      snapshot: (work, patience) =>
        using(patience ?? patienceMs, async (connection) => {
          signal?.throwIfAborted()
          const { result } = await inTransaction(connection, patience, work, {
            mode: "ISOLATION LEVEL REPEATABLE READ READ ONLY",
          })
          return result
        }),
    }
  }

  async function retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isConflict(error)) throw error
        if (attempts === maxAttempts) throw refused(error)
        await Bun.sleep(Math.random() * 10 * 2 ** attempts)
      }
    }
  }

  async function attemptOf<T>(
    work: (transaction: OpenTransaction) => Promise<T>,
    { lookUp, patienceMs: patience, since = Bun.nanoseconds() }: TransactionOptions,
  ): Promise<T> {
    const allowedMs = patience ?? patienceMs
    const leftMs = allowedMs - msSince(since)
    if (leftMs <= 0) throw refused(new ConnectionLost(`no turn within ${allowedMs} ms`))
    const outcome = await using(Math.max(minAttemptMs, leftMs), (connection) =>
      inTransaction(connection, patience, work),
    )
    if (outcome.unknown === null) return outcome.result
    const isCommitted = lookUp?.()
    if (isCommitted === undefined) throw outcomeUnknown(outcome.unknown)
    if (await resolved(isCommitted, since, outcome.unknown)) return outcome.result
    throw outage(outcome.unknown)
  }

  /** Asks until the database answers, for as long as the caller waits, but at least once. */
  async function resolved(
    isCommitted: (queries: Queries) => Promise<boolean>,
    since: number,
    cause: unknown,
  ): Promise<boolean> {
    for (;;) {
      const leftMs = Math.max(minAttemptMs, patienceMs - msSince(since))
      try {
        const found = await using(leftMs, (connection) => inTransaction(connection, undefined, isCommitted))
        // "Not committed" holds only once the look-up itself is committed: its change makes a late COMMIT fail.
        if (found.result || found.unknown === null) return found.result
      } catch {
        // Does not throw the error of the look-up itself: if it were a conflict, `retried` would repeat a transaction
        // that may have been committed.
      }
      if (leftMs <= minAttemptMs) throw outcomeUnknown(cause)
      await Bun.sleep(resolveAgainMs)
    }
  }

  /** Runs `work` on one connection. Work that takes longer than `patience` ms fails, and its connection is closed. */
  async function using<T>(patience: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const startedAt = Bun.nanoseconds()
    const connection = await pool.acquire(patience).catch((error: unknown) => {
      throw refused(error)
    })
    let isStalled = false
    const timer = setTimeout(
      () => {
        isStalled = true
        connection.close()
      },
      Math.max(0, patience - msSince(startedAt)),
    )
    try {
      const result = await work(connection)
      if (isFailing) log.info("the database can be used again")
      isFailing = false
      return result
    } catch (error) {
      if (isLost(error)) connection.close()
      if (isStalled) pool.dropIdle()
      if (!isTemporary(error)) throw error
      if (isStalled) throw refused(new ConnectionLost(`no answer within ${Math.round(patience)} ms`))
      throw isConflict(error) ? outage(error) : refused(error) // after a conflict, another try may succeed
    } finally {
      clearTimeout(timer)
      pool.release(connection)
    }
  }

  function refused(error: unknown): DomainError {
    const refusal = outage(error)
    if (!isFailing)
      log.warn("the database cannot be used for now", {
        reason: rootCodeOf(refusal),
        error: String(error),
        cure: cureOf(error, url),
      })
    isFailing = true
    return refusal
  }

  function listen(channel: string, onNotify: (payload: string) => void, onListening: () => void) {
    const stopping = new AbortController()
    const done = listenUntil(stopping.signal, channel, onNotify, onListening)
    const stop = async () => {
      listeners.delete(stop)
      stopping.abort()
      await done
    }
    listeners.add(stop)
    return stop
  }

  async function listenUntil(
    signal: AbortSignal,
    channel: string,
    onNotify: (payload: string) => void,
    onListening: () => void,
  ) {
    while (!signal.aborted) {
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const end = () => resolve()
      signal.addEventListener("abort", end)
      try {
        const listener = await connector.connectToListen(end)
        const listening = listener.listen(channel, onNotify, onListening)
        const checking = checkRegularly(listener, checkListenersMs, end)
        try {
          await Promise.race([ended, listening])
          await ended
        } finally {
          clearInterval(checking)
          await listener.close({ timeout: 0 })
        }
      } catch {
        // The next read or write reports the failure.
      }
      signal.removeEventListener("abort", end)
      await sleep(listenAgainMs, undefined, { signal }).catch(() => {}) // `stop` aborts it
    }
  }
}

const msSince = (time: number): number => (Bun.nanoseconds() - time) / 1e6

/** Sends a notification to `listener` at intervals, and calls `onSilence` when one has not arrived before the next. */
function checkRegularly(listener: SQL, everyMs: number, onSilence: () => void): Timer {
  const channel = `rewards_${crypto.randomUUID()}`
  let isAwaited = true
  const arrived = () => {
    isAwaited = false
  }
  listener.listen(channel, arrived, arrived).catch(onSilence)
  return setInterval(() => {
    if (isAwaited) return onSilence()
    isAwaited = true
    listener.notify(channel, "").catch(onSilence)
  }, everyMs)
}

interface Outcome<T> {
  readonly result: T
  /** Why nobody knows whether it was committed; null when it was. */
  readonly unknown: unknown
}

/** BEGIN is sent with the first statements of `work`, and COMMIT with the last. */
async function inTransaction<T>(
  connection: Connection,
  patience: number | undefined,
  work: (transaction: OpenTransaction) => Promise<T>,
  { mode = "" }: { readonly mode?: string } = {},
): Promise<Outcome<T>> {
  const sent: Promise<unknown>[] = []
  const send = (text: string, parameters?: readonly Parameter[]) => {
    const done = connection.run(text, parameters)
    done.catch(() => {}) // it is awaited at the end
    sent.push(done)
  }
  send(`BEGIN ${mode}`)
  if (patience !== undefined)
    send(
      "SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)",
      [`${Math.ceil(patience)}ms`],
    )
  let result: T
  try {
    result = await work({ query: connection.run, send })
  } catch (error) {
    await rollBack(connection)
    // The first failed statement is the cause: it makes all that follow fail.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected")
    throw failed?.status === "rejected" ? failed.reason : error
  }

  // A read has nothing to commit, and its end has no outcome that anybody waits for.
  const end = mode === "" ? "COMMIT" : "ROLLBACK"
  const [committed, ...others] = await Promise.allSettled([connection.run(end), ...sent])
  const failure = others.find(({ status }) => status === "rejected")
  if (failure?.status === "rejected" && !isLost(failure.reason)) throw failure.reason
  if (committed.status === "fulfilled") {
    if (committed.value.command !== end) throw new Error("the server rolled a transaction back")
    return { result, unknown: null }
  }
  if (isLost(committed.reason)) return { result, unknown: committed.reason }
  throw committed.reason
}

async function rollBack(connection: Connection) {
  await connection.run("ROLLBACK").catch(() => connection.close())
}
