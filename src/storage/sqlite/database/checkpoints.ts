import type { Database } from "bun:sqlite"
import type { Log } from "../../../log.ts"
import { isFailedSync } from "./errors.ts"
import { inThread } from "./thread.ts"

/** Frames (pages of 4 KiB) that may wait in the WAL before a commit writes them back. */
const framesBetween = 1000
/** Only a read transaction that stays open for long lets so many frames pile up. */
const framesHeldBack = 16_000
const everyMs = 10_000
/** A TRUNCATE checkpoint blocks writers while it waits for readers. */
const truncateWithinMs = 100
/** Size to which the WAL file shrinks when it restarts. */
const walBytesKept = 16_777_216

interface WalState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Checkpoints the WAL by size and by time, and logs when that fails: SQLite's automatic checkpoints fail silently while the
 * WAL grows. A failed checkpoint is retried by the next commit or after `everyMs`. A failed sync is passed to `fail`: no
 * retry could tell what is on disk.
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
    /**
     * Writes the whole WAL back before anything is served. After a failed sync, the WAL may hold frames that look valid but
     * never reached the disk; commits that build on them would be lost.
     */
    atStart() {
      const state = withBusyTimeout(truncateWithinMs, () => truncate.get())
      // When `busy` is not 0, another process uses the WAL and may keep it from being written back. That is no fault.
      if (state && state.checkpointed < state.log && state.busy === 0)
        throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
    },
    afterCommit: () => run(framesBetween),
    /** The same in a thread: a long transaction may leave tens of thousands of frames, which take 0.1 s. */
    async afterLongCommit() {
      try {
        if (!isDue(framesBetween)) return
        await inThread(client.filename, ["PRAGMA wal_checkpoint(PASSIVE)"])
        succeeded()
      } catch (error) {
        failedWith(error)
      }
    },
    /** Writes the WAL back now. SQLite itself would do so only when the last statement is finalized. */
    atEnd() {
      clearInterval(timer)
      withBusyTimeout(truncateWithinMs, () => run(1, truncate))
    },
  }

  function run(atLeast: number, checkpoint = passive) {
    try {
      if (!isDue(atLeast)) return
      checkpoint.get()
      succeeded()
    } catch (error) {
      failedWith(error)
    }
  }

  function isDue(atLeast: number): boolean {
    const state = look.get()
    if (!state) return false
    reportHeldBack(state)
    return state.log - state.checkpointed >= atLeast
  }

  function succeeded() {
    if (failing) log.info("checkpoints of the database work again")
    failing = false
  }

  function failedWith(error: unknown) {
    if (isFailedSync(error)) return fail(error)
    if (!failing) log.error("a checkpoint of the database failed; it is tried again", { error: String(error) })
    failing = true
  }

  /** Frames that are written back stay in the WAL until nobody reads them. */
  function reportHeldBack({ log: frames }: WalState) {
    if (frames >= framesHeldBack && !heldBack)
      log.warn(
        "the WAL of the database grows, because a process keeps a read transaction open for long; end that process",
      )
    if (frames < framesHeldBack && heldBack) log.info("the WAL of the database no longer grows")
    heldBack = frames >= framesHeldBack
  }

  function withBusyTimeout<T>(ms: number, work: () => T): T {
    const before = client.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()?.timeout ?? 0
    client.run(`PRAGMA busy_timeout = ${ms}`)
    try {
      return work()
    } finally {
      client.run(`PRAGMA busy_timeout = ${before}`)
    }
  }
}
