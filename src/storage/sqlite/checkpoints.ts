import type { Database } from "bun:sqlite"
import type { Log } from "../../log.ts"

/** Frames (pages of 4 KiB) that may wait in the WAL before a commit writes them back. */
const framesBetween = 1000
const everyMs = 10_000

interface WalState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Writes the WAL back by size and by time, and says when it cannot: SQLite's automatic checkpoints fail in silence
 * while the WAL grows. A failed one is tried again by the next commit or after `everyMs`.
 */
export function createCheckpoints(client: Database, log: Log) {
  const look = client.prepare<WalState, []>("PRAGMA wal_checkpoint(NOOP)")
  const passive = client.prepare<WalState, []>("PRAGMA wal_checkpoint(PASSIVE)")
  const truncate = client.prepare<WalState, []>("PRAGMA wal_checkpoint(TRUNCATE)")
  let failing = false

  const timer = setInterval(() => run(1), everyMs)
  timer.unref()

  return {
    /** After a failed sync, valid looking frames may wait that never reached the disk: building on them would lose
     *  what comes later. Writing them back anew is the cure, so nothing is served before it worked. */
    atStart() {
      const state = truncate.get()
      // Others may hold the file open and keep it from being truncated; that all is written back is what counts.
      if (state && state.checkpointed < state.log && state.busy === 0)
        throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
    },
    afterCommit: () => run(framesBetween),
    /** SQLite itself does so only when the last statement is finalized. */
    atEnd() {
      clearInterval(timer)
      run(1, truncate)
    },
  }

  function run(atLeast: number, checkpoint = passive) {
    try {
      const state = look.get()
      if (!state || state.log - state.checkpointed < atLeast) return
      checkpoint.get()
      if (failing) log.info("checkpoints of the database work again")
      failing = false
    } catch (error) {
      if (!failing) log.error("a checkpoint of the database failed; it is tried again", { error: String(error) })
      failing = true
    }
  }
}
