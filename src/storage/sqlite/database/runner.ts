import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite"
import { cutOff, forgetWrittenBack } from "./failed-sync.ts"

/* A connection that runs statements in the order of its requests. It knows no table, and imports little: a thread loads it. */

export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>

export interface Opening {
  readonly path: string
  /** How long a statement waits while another process holds the lock, where its request does not say. */
  readonly busyTimeoutMs: number
  readonly pragmas: readonly string[]
  /** A reader runs the statements of a request on one snapshot, and cannot write. */
  readonly isReader: boolean
}

/** A statement by its number, with its text at least when it comes for the first time. */
export interface Call {
  readonly number: number
  readonly text?: string
  readonly parameters: readonly Value[]
  /** Returns how many rows it changed, in place of rows. */
  readonly counts?: true
  /** The first value that it must return. With another one the request is stale, and its transaction is rolled back. */
  readonly expects?: Value
}

/** Statements to run in their order, and where the transaction of a writer begins and ends. */
export interface Request {
  readonly calls: readonly Call[]
  readonly begins?: true
  readonly commits?: true
  readonly rollsBack?: true
  /** How long it waits while another process holds the lock. */
  readonly waitsMs?: number
  /** Runs outside of a transaction, as VACUUM must. */
  readonly isAlone?: true
}

export interface Failure {
  /** `stale`: a statement returned another value than expected. */
  readonly step: "begin" | "statement" | "stale" | "commit" | "checkpoint"
  readonly code: string
  readonly message: string
  /** What is on the disk is unknown. This connection does nothing more. */
  readonly isFinal: boolean
}

/** The rows of each statement or how many it changed, up to the one that failed. After a failure no transaction is open. */
export interface Answer {
  readonly results: readonly (Row[] | number)[]
  readonly failure?: Failure
  /** Whether the transaction has changed anything. */
  readonly hasWritten?: boolean
}

/** The state of the WAL after a checkpoint. */
export interface Checkpoint {
  /** Frames (pages of 4 KiB) in the WAL, and those of them that are in the database file too. */
  readonly frames: number
  readonly writtenBack: number
  readonly failure?: Failure
}

/** As SQLite tells it. */
interface WalState {
  readonly log: number
  readonly checkpointed: number
}

const nothing: WalState = { log: 0, checkpointed: 0 }

export type Runner = ReturnType<typeof createRunner>

/** Frames that may wait in the WAL before a commit writes them back. */
export const framesBetween = 3000

const isFull = /^SQLITE_(FULL|IOERR_SHMSIZE)$/
/** The system may have dropped what it could not write, and would report the next sync as a success. */
const isFailedSync = /^SQLITE_IOERR_(DIR_)?FSYNC$/

export function createRunner({ path, busyTimeoutMs, pragmas, isReader }: Opening) {
  const client = new Database(path, { readwrite: true, create: false, strict: true })
  for (const pragma of pragmas) client.run(pragma)
  const texts = new Map<number, string>()
  const statements = new Map<number, Statement<Row, SQLQueryBindings[]>>()
  const begin = client.query(isReader ? "BEGIN" : "BEGIN IMMEDIATE")
  const end = client.query("COMMIT")
  const rollback = client.query("ROLLBACK")
  const changes = client.query<{ count: number }, []>("SELECT total_changes() AS count")
  const walState = client.query<WalState, []>("PRAGMA wal_checkpoint(NOOP)")
  const writeBack = client.query("PRAGMA wal_checkpoint(FULL)")
  let waitsNow: number | undefined
  waitAtMost(busyTimeoutMs)
  let changesBefore = 0
  /** Frames in the WAL when a checkpoint last stopped before its end, and the index of the WAL since then. */
  let stopped: { readonly at: number; readonly index: number | undefined } | undefined
  let final: Failure | undefined

  return { run, checkpoint, cutOff: leave, discard, close }

  function run({ calls, begins, commits, rollsBack, isAlone, waitsMs = busyTimeoutMs }: Request): Answer {
    for (const { number, text } of calls) if (text !== undefined) texts.set(number, text)
    const results: (Row[] | number)[] = []
    if (final) return { results, failure: final }
    let step: Failure["step"] = "begin"
    try {
      // After a failure, what was sent before its answer came must not run outside of the transaction.
      if (!(isReader || begins || isAlone || client.inTransaction)) throw new Error("the transaction is over")
      if (begins || isAlone) waitAtMost(waitsMs)
      if (begins || (isReader && calls.length > 1)) begin.run()
      if (begins) changesBefore = changes.get()?.count ?? 0
      step = "statement"
      for (const call of calls) {
        const result = resultOf(call)
        if (call.expects !== undefined && first(result) !== call.expects) {
          step = "stale"
          throw new Error("it has changed")
        }
        results.push(result)
      }
      if (isAlone) forgetUnsynced() // it may have been a checkpoint
      if (rollsBack) rollback.run()
      step = "commit"
      if (commits || (isReader && calls.length > 1)) end.run()
      return commits ? { results, hasWritten: changes.get()?.count !== changesBefore } : { results }
    } catch (error) {
      return { results, failure: failed(step, error) }
    }
  }

  function waitAtMost(ms: number) {
    if (ms !== waitsNow) client.run(`PRAGMA busy_timeout = ${ms}`)
    waitsNow = ms
  }

  function resultOf({ number, parameters, counts }: Call): Row[] | number {
    const statement = statements.get(number) ?? client.prepare<Row, SQLQueryBindings[]>(texts.get(number) ?? "")
    statements.set(number, statement)
    return counts ? statement.run(...parameters).changes : statement.all(...parameters)
  }

  /** Rolls back, unless what is on the disk is unknown: then nothing touches the connection again. */
  function failed(step: Failure["step"], error: unknown): Failure {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    const isFinal = isFailedSync.test(code) || (step === "commit" && !isReader && !isFull.test(code))
    const failure = { step, code, message: error instanceof Error ? error.message : String(error), isFinal }
    if (isFinal) {
      final = failure
      cutOff(client)
    } else if (client.inTransaction) rollback.run() // SQLite may have rolled back already
    return failure
  }

  /** Ends the connection without touching its files any more. */
  function leave() {
    final ??= { step: "statement", code: "", message: "the connection was cut off", isFinal: true }
    cutOff(client)
  }

  /** Closes a connection that was cut off, at once: the number of its file may soon be that of another file. */
  function discard() {
    for (const statement of statements.values()) statement.finalize()
    client.close()
  }

  /**
   * Empties the WAL. Returns a checkpoint that failed; without a sync, the closing must not try another one. Statements that are
   * not finalized would keep the file open.
   */
  function close(): Checkpoint | null {
    if (final) return null
    let failure: Failure | undefined
    try {
      if (!isReader) {
        waitAtMost(busyTimeoutMs)
        client.run("PRAGMA wal_checkpoint(TRUNCATE)")
        forgetUnsynced()
      }
    } catch (error) {
      failure = failed("checkpoint", error)
    }
    discard()
    return failure ? { frames: 0, writtenBack: 0, failure } : null
  }

  /**
   * Writes the WAL back when that many frames wait; without a number, when enough have come since the last try. Nobody commits
   * meanwhile, so the next commit begins the WAL anew, unless somebody reads an old state. Null when there was nothing to do.
   */
  function checkpoint(atLeast?: number): Checkpoint | null {
    if (final || client.inTransaction) return null
    let state = nothing
    try {
      state = walState.get() ?? nothing
      const tried = atLeast === undefined && stopped !== undefined && stopped.at <= state.log ? stopped.at : 0
      if (state.log - Math.max(state.checkpointed, tried) < (atLeast ?? framesBetween)) return null
      waitAtMost(0) // neither for readers nor for another process
      writeBack.get()
      state = forgetUnsynced()
      return { frames: state.log, writtenBack: state.checkpointed }
    } catch (error) {
      return { frames: state.log, writtenBack: state.checkpointed, failure: failed("checkpoint", error) }
    }
  }

  /** What a checkpoint has left. One that stopped before the end of the WAL has synced nothing, so nothing of it counts. */
  function forgetUnsynced(): WalState {
    const state = walState.get() ?? nothing
    if (state.checkpointed < state.log) {
      const index = state.checkpointed > 0 ? forgetWrittenBack(path, stopped?.index) : stopped?.index
      stopped = { at: state.log, index }
    }
    return state
  }
}

const first = (result: Row[] | number): Value | undefined =>
  typeof result === "number" ? result : Object.values(result[0] ?? {})[0]
