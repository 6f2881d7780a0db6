import type { Database } from "bun:sqlite"
import type { Log } from "../../../log.ts"
import { isFailedSync } from "./errors.ts"

/** Frames (pages of 4 KiB) that may wait in the WAL before a commit writes them back. */
const framesBetween = 1000
/** So many pile up only behind somebody who reads one state of the database for long. */
const framesHeldBack = 16_000
const everyMs = 10_000
/** Emptying the WAL keeps writers out while it waits for readers. */
const truncateWithinMs = 100
/** What the file of the WAL may keep once it begins anew. */
const walBytesKept = 16_777_216

interface WalState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Writes the WAL back by size and by time, and says when it cannot: SQLite's automatic checkpoints fail in silence
 * while the WAL grows. A failed one is tried again by the next commit or after `everyMs`; `fail` is told of a failed sync,
 * after which no try would tell the truth.
 */
export function createCheckpoints(client: Database, log: Log, fail: (error: unknown) => void) {
  client.run(`PRAGMA journal_size_limit = ${walBytesKept}`)
  const look = client.prepare<WalState, []>("PRAGMA wal_checkpoint(NOOP)")
  const passive = client.prepare<WalState, []>("PRAGMA wal_checkpoint(PASSIVE)")
  const truncate = client.prepare<WalState, []>("PRAGMA wal_checkpoint(TRUNCATE)")
  let failing = false
  let heldBack = false

  const timer = setInterval(() => run(1), everyMs)
  timer.unref()

  return {
    /** After a failed sync, valid looking frames may wait that never reached the disk: building on them would lose
     *  what comes later. Writing them back anew is the cure, so nothing is served before it worked. */
    atStart() {
      const state = patientFor(truncateWithinMs, () => truncate.get())
      // Others may hold the file open and keep it from being truncated; that all is written back is what counts.
      if (state && state.checkpointed < state.log && state.busy === 0)
        throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
    },
    afterCommit: () => run(framesBetween),
    /** SQLite itself does so only when the last statement is finalized. */
    atEnd() {
      clearInterval(timer)
      patientFor(truncateWithinMs, () => run(1, truncate))
    },
  }

  function run(atLeast: number, checkpoint = passive) {
    try {
      const state = look.get()
      if (!state) return
      tellHeldBack(state)
      if (state.log - state.checkpointed < atLeast) return
      checkpoint.get()
      if (failing) log.info("checkpoints of the database work again")
      failing = false
    } catch (error) {
      if (isFailedSync(error)) return fail(error)
      if (!failing) log.error("a checkpoint of the database failed; it is tried again", { error: String(error) })
      failing = true
    }
  }

  /** Frames written back stay in the WAL too, until nobody reads them. */
  function tellHeldBack({ log: frames }: WalState) {
    if (frames >= framesHeldBack && !heldBack)
      log.warn("the WAL of the database grows: some process reads one old state of it for long; end that process")
    if (frames < framesHeldBack && heldBack) log.info("the WAL of the database begins anew")
    heldBack = frames >= framesHeldBack
  }

  function patientFor<T>(ms: number, work: () => T): T {
    const before = client.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()?.timeout ?? 0
    client.run(`PRAGMA busy_timeout = ${ms}`)
    try {
      return work()
    } finally {
      client.run(`PRAGMA busy_timeout = ${before}`)
    }
  }
}
