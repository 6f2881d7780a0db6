import type { Database } from "bun:sqlite"
import { openSync, realpathSync, writeSync } from "node:fs"
import { rootCodeOf } from "../../../support/system-errors.ts"

/*
 * After a failed sync the system drops what it could not write, and reports the next sync as a success. That also concerns
 * earlier checkpoints: one that does not reach the end of the WAL writes pages without a sync, and SQLite notes them as
 * written back. A further checkpoint would write only the rest and empty the WAL, which has the dropped pages too. So such a
 * checkpoint does not count: the next one writes its pages again, also if another process makes it right after the failure.
 * The process that met the failure writes nothing back any more, not even by closing. The next start reads the whole WAL anew.
 */

/** Where the index of the WAL says how many frames are written back: https://sqlite.org/walformat.html */
const writtenBackAt = 96

/** https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html: the connection reads and writes its file no more. */
const SQLITE_FCNTL_NULL_IO = 43

/**
 * Notes in the index of the WAL that nothing of it is written back, for all processes that have the database open. Returns the
 * open index, for the next call: it stays open until the process ends, because closing it would end SQLite's locks on it.
 */
export function forgetWrittenBack(path: string, index?: number): number | undefined {
  try {
    const file = index ?? openSync(`${realpathSync(path)}-shm`, "r+")
    writeSync(file, new Uint8Array(4), 0, 4, writtenBackAt)
    return file
  } catch {
    return undefined // without the file nobody else has the database open
  }
}

/** Keeps the closing of this connection from writing the WAL back: SQLite does so for the last one, and Bun at the exit. */
export function cutOff(client: Database) {
  client.fileControl(SQLITE_FCNTL_NULL_IO, null)
}

/** Closes a connection whose use has failed with `error`. */
export function closeAfter(error: unknown, client: Database) {
  if (isOfDisk(error)) {
    forgetWrittenBack(client.filename)
    cutOff(client)
  }
  client.close()
}

/** Whether SQLite or the system could not read, write or sync a file. */
const isOfDisk = (error: unknown): boolean => /^(SQLITE_IOERR|E[A-Z]+$)/.test(rootCodeOf(error))
