import { closeSync, fdatasync, openSync } from "node:fs"
import { promisify } from "node:util"
import { beginTick } from "../../../domain/ticks.ts"

/**
 * Where the platform's own sync is as strong as SQLite's, commits leave the sync to `createSync`, off the event loop. On macOS
 * it leaves the data in the cache of the disk, and only SQLite can ask for more.
 */
export const syncsInCommit = process.platform === "darwin"

interface Dependencies {
  /** In tests: a slow or broken disk. */
  readonly sync: (() => Promise<void>) | undefined
  /** Throws once `fail` was called. */
  readonly throwIfFailed: () => void
  readonly fail: (error: unknown) => void
}

/** Syncs the WAL on the thread pool. The file stays the same as long as a connection is open. */
export function createSync(walPath: string, { sync, throwIfFailed, fail }: Dependencies) {
  const file = openSync(walPath, "r+")
  const syncOnce = sync ?? (syncsInCommit ? async () => {} : () => fdatasynced(file))

  return {
    /** After a failure it never succeeds again. */
    async sync() {
      throwIfFailed()
      await syncOnce().catch(fail)
      beginTick()
      throwIfFailed() // perhaps the sync of a checkpoint: the system tells each failure once
    },
    close: () => closeSync(file),
  }
}

const fdatasynced = promisify(fdatasync)
