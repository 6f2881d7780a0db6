import { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { codeOf, DatabaseUnusable } from "./errors.ts"

/** What migrate.ts marks a database with. */
const applicationId = 1920427123

/** Long enough for a command that is just ending, short enough to be asked about. */
const busyTimeoutMs = 500

/**
 * Drops everything in the database, so that the next opening finds it new. Nobody else may have it open meanwhile:
 * the file stays the same, and what is in it would vanish under them.
 * @throws DatabaseUnusable when there is no such file, it is another program's, or another process has it open;
 *   nothing is dropped then. SQLite's own errors stand for what `asUnusable` makes of them.
 */
export function resetDatabase(path: string): void {
  if (!existsSync(path)) throw new DatabaseUnusable("there is no such file")
  const client = new Database(path, { readwrite: true, create: false, strict: true })
  try {
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkOwner(client)
    lockOutOthers(client)
    for (const step of resetSteps) step(client)
  } finally {
    client.close()
  }
}

function checkOwner(client: Database) {
  const mark = client.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id
  const isEmpty = mark === 0 && !client.query("SELECT 1 FROM sqlite_schema LIMIT 1").get()
  if (mark !== applicationId && !isEmpty)
    throw new DatabaseUnusable("it belongs to another program; name another file in db.path")
}

/** A database leaves WAL mode only while nobody else has it open, and then this mode keeps others out. */
function lockOutOthers(client: Database) {
  try {
    client.run("PRAGMA locking_mode = EXCLUSIVE")
    client.run("PRAGMA journal_mode = DELETE")
  } catch (error) {
    if (!codeOf(error).startsWith("SQLITE_BUSY")) throw error
    throw new DatabaseUnusable("another process has it open; stop `rewards serve` and every other rewards command", {
      cause: error,
    })
  }
}

/** In order. Each leaves a file that opens as a new database: a crash in between does no harm. */
export const resetSteps: readonly ((client: Database) => void)[] = [dropAll, vacuum, forgetOwner]

function dropAll(client: Database) {
  client.run("PRAGMA foreign_keys = OFF")
  const drop = client.transaction(() => {
    for (const { type, name } of tablesAndViews(client)) {
      // Emptied, it says that nothing was applied; gone, SQLite's own tables would look like another program's.
      const isRecord = name === "migrations"
      client.run(isRecord ? "DELETE FROM migrations" : `DROP ${type} "${name.replaceAll('"', '""')}"`)
    }
  })
  drop.exclusive()
}

/** Gives the disk back, and takes SQLite's own tables away. */
function vacuum(client: Database) {
  client.run("VACUUM")
}

function forgetOwner(client: Database) {
  const forget = client.transaction(() => {
    client.run("DROP TABLE IF EXISTS migrations")
    client.run("PRAGMA application_id = 0")
    client.run("PRAGMA user_version = 0")
  })
  forget.exclusive()
}

/** Indexes and triggers go with them. */
const tablesAndViews = (client: Database): { type: string; name: string }[] =>
  client
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'",
    )
    .all()
