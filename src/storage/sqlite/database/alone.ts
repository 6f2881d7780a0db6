import type { Database } from "bun:sqlite"
import { openClient } from "./client.ts"
import { codeOf, DatabaseUnusable } from "./errors.ts"
import { othersHaveIt } from "./lock.ts"
import { applicationId } from "./migrate.ts"

/** Long enough for a command that is just ending, short enough to be asked about. */
const busyTimeoutMs = 500

/**
 * Opens a database that nobody else has open, and keeps others out until it is closed. Its WAL is written back into it.
 * @throws DatabaseUnusable when it is another program's, or another process has it open; nothing is changed then
 */
export function openAlone(path: string): Database {
  const client = openClient(path, { create: false })
  try {
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkOwner(client)
    lockOutOthers(client)
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

function checkOwner(client: Database) {
  const mark = client.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id
  const isEmpty = mark === 0 && !client.query("SELECT 1 FROM sqlite_schema LIMIT 1").get()
  if (mark !== applicationId && !isEmpty)
    throw new DatabaseUnusable("it belongs to another program; name another file in db.path")
}

/**
 * A database leaves WAL mode only while nobody else has it open. The lock comes second: with it from the start, closing
 * would remove a journal by its name, when that may be the journal of another file in this place.
 */
function lockOutOthers(client: Database) {
  try {
    client.run("PRAGMA journal_mode = DELETE")
    client.run("PRAGMA locking_mode = EXCLUSIVE")
    client.run("BEGIN EXCLUSIVE")
    client.run("COMMIT")
  } catch (error) {
    if (codeOf(error).startsWith("SQLITE_BUSY")) throw new DatabaseUnusable(othersHaveIt, { cause: error })
    throw error
  }
  const mode = client.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get()?.journal_mode
  if (mode !== "delete") throw new DatabaseUnusable(othersHaveIt) // somebody came in between
}
