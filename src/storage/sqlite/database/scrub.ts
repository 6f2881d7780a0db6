import type { Database } from "bun:sqlite"
import type { Log } from "../../../log.ts"
import { isFailedSync } from "./errors.ts"
import { inThread } from "./thread.ts"

/** How often to try again, and with which pauses, while another process reads or holds the lock. */
const attempts = 5
const pauseMs = 1000

/**
 * Rewrites the database and empties the WAL, so that no deleted data is left in the files: SQLite leaves old rows in
 * free pages and in unused parts of pages, and `PRAGMA secure_delete` does not reach all of them. It takes about a
 * second of processor time for 150 MB, and needs as much free space as the database has. It runs in a thread, so it
 * does not block the event loop.
 */
export async function scrub({ filename }: Database, log: Log, fail: (error: unknown) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await faultOf(filename)
    if (error === null) return
    if (isFailedSync(error)) fail(error)
    if (attempt === attempts || isFailedSync(error)) {
      log.error("erased data may be left in unused parts of the database files; run `rewards erase` again", {
        error: error.message,
      })
      return
    }
    await Bun.sleep(pauseMs)
  }
}

async function faultOf(path: string): Promise<Error | null> {
  try {
    const state = await inThread<{ busy: number }>(path, ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"])
    return state?.busy === 0 ? null : new Error("another process reads an old state of the database")
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
