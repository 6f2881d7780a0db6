import { Database } from "bun:sqlite"
import { basename, dirname, join } from "node:path"
import { systemCodeOf, writeProblemOf } from "../../../support/system-errors.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { isBusy } from "./errors.ts"
import { createPrivateFile, linkTargetOf } from "./files.ts"

/** Held until it is released, or until the process ends, however it ends. */
export interface Lock {
  release(): void
}

/** How long an opening waits for a restore or a reset to end. */
const sharedWithinMs = 5000
/** How long to wait for another command that is about to end. Short, because an operator waits for the answer. */
export const exclusiveWithinMs = 500

/**
 * Every process that writes to the database takes this lock; any number may share it. SQLite's own locks are on the
 * database file and are worth nothing once it is removed, so this lock is on a file beside it. Its name is hidden, so that
 * `rm rewards.db*` leaves it alone.
 * @throws DatabaseUnusable while `lockExclusive` holds it
 */
export function lockShared(path: string): Lock {
  return lock(
    path,
    sharedWithinMs,
    ["BEGIN", "SELECT 1 FROM sqlite_schema"],
    "it is being restored or reset; start again",
  )
}

/** Excludes every other process. @throws DatabaseUnusable while another process holds the lock in either way */
export function lockExclusive(path: string): Lock {
  return lock(path, exclusiveWithinMs, ["BEGIN EXCLUSIVE"], openElsewhere)
}

export const openElsewhere = "another process has it open; stop `rewards serve` and every other rewards command"

/**
 * The path of the lock file. It is the same for every path that leads to the database, even while the database does not
 * exist.
 */
export function lockPathOf(path: string): string {
  const file = linkTargetOf(path)
  return join(dirname(file), `.${basename(file)}.lock`)
}

/** Uses SQLite's own file locks: they work on every platform, and on an empty file. */
function lock(path: string, withinMs: number, statements: readonly string[], busy: string): Lock {
  const file = create(path)
  const client = new Database(file, { readwrite: true, create: false })
  try {
    client.run(`PRAGMA busy_timeout = ${withinMs}`)
    for (const statement of statements) client.query(statement).get()
  } catch (error) {
    client.close()
    if (isBusy(error)) throw new DatabaseUnusable(busy, { cause: error })
    throw error
  }
  return { release: () => client.close() }
}

/** Creates the lock file. It is never removed, because another process may be about to lock it. */
function create(path: string): string {
  try {
    const file = lockPathOf(path)
    try {
      createPrivateFile(file, path)
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") throw error
    }
    return file
  } catch (error) {
    throw new DatabaseUnusable(writeProblemOf(error, path), { cause: error })
  }
}
