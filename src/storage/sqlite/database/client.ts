import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync, readSync } from "node:fs"
import { DatabaseUnusable } from "../../open-store.ts"
import { foreignDatabase, isBusy, notADatabase } from "./errors.ts"
import { closeAfter } from "./failed-sync.ts"
import { statOf } from "./files.ts"
import { exclusiveWithinMs, openElsewhere } from "./lock.ts"
import { applicationId } from "./migrations.ts"

/**
 * Opens a database file with SQLite. All statements come from the client's cache (`query`). Closing finalizes these; any other
 * statement would keep the file open until it is garbage-collected.
 */
export function openClient(path: string, { create }: { readonly create: boolean }): Database {
  Database.MAX_QUERY_CACHE_SIZE = 1000
  const client = new Database(path, { readwrite: true, create, strict: true })
  client.run("PRAGMA wal_autocheckpoint = 0") // SQLite's own fail silently: see `checkpoint` in runner.ts
  return client
}

/** The settings of a connection that SQLite does not store in the file. */
export function configure(client: Database, synchronous: "FULL" | "NORMAL" = "FULL") {
  client.run(`PRAGMA synchronous = ${synchronous}`)
  client.run("PRAGMA fullfsync = ON") // on macOS a plain sync leaves the data in the cache of the disk
  client.run("PRAGMA foreign_keys = ON")
}

/** Runs `work` on a connection that waits no longer than this for a lock. */
export function waitingFor<T>(ms: number, client: Database, work: () => T): T {
  const before = client.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()?.timeout ?? 0
  client.run(`PRAGMA busy_timeout = ${ms}`)
  try {
    return work()
  } finally {
    client.run(`PRAGMA busy_timeout = ${before}`)
  }
}

/**
 * Opens a database that no other process has open, and locks other processes out until it is closed. Writes its WAL back.
 * @throws DatabaseUnusable when it belongs to another program or another process has it open; nothing is changed then
 */
export function openExclusively(path: string): Database {
  const client = openClient(path, { create: false })
  try {
    client.run(`PRAGMA busy_timeout = ${exclusiveWithinMs}`)
    checkOwner(client)
    lockOutOthers(client)
    return client
  } catch (error) {
    closeAfter(error, client)
    throw error
  }
}

function checkOwner(client: Database) {
  const owner = client.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id
  const isEmpty = owner === 0 && !client.query("SELECT 1 FROM sqlite_schema LIMIT 1").get()
  if (owner !== applicationId && !isEmpty) throw new DatabaseUnusable(foreignDatabase)
}

/**
 * A database can leave WAL mode only while nobody else has it open. The exclusive lock comes second: with
 * `locking_mode = EXCLUSIVE` from the start, closing would remove a journal by its name, which may by then be the
 * journal of another file at this path.
 */
function lockOutOthers(client: Database) {
  try {
    client.run("PRAGMA journal_mode = DELETE")
    client.run("PRAGMA locking_mode = EXCLUSIVE")
    client.run("BEGIN EXCLUSIVE")
    client.run("COMMIT")
  } catch (error) {
    if (isBusy(error)) throw new DatabaseUnusable(openElsewhere, { cause: error })
    throw error
  }
  const mode = client.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get()?.journal_mode
  if (mode !== "delete") throw new DatabaseUnusable(openElsewhere) // another process opened it between the steps
}

/**
 * Looks at the file type and at SQLite's file header (https://sqlite.org/fileformat.html) before anything is locked,
 * so that no lock file appears beside a file that is not ours. What the header does not tell is checked after opening.
 * @throws DatabaseUnusable when it is no regular file, no SQLite database, or another program's
 */
export function refuseForeign(path: string) {
  if (!existsSync(path)) return
  const stat = statOf(path)
  if (stat?.isDirectory()) throw new DatabaseUnusable("it is a folder; name a file")
  if (stat && !stat.isFile()) throw new DatabaseUnusable("it is not a regular file; name another file in db.path")
  if (!stat || stat.size === 0) return
  const header = firstBytes(path, 108)
  if (header === null) return
  if (!header.toString("latin1").startsWith("SQLite format 3\0")) throw new DatabaseUnusable(notADatabase)
  if (header.length < 108) return
  const owner = header.readInt32BE(68)
  const isEmpty = owner === 0 && header.readUInt16BE(103) === 0 // cells on the first page of the schema
  if (owner !== applicationId && !isEmpty) throw new DatabaseUnusable(foreignDatabase)
}

/** Null when the file cannot be read: opening it reports why. */
function firstBytes(path: string, length: number): Buffer | null {
  let handle: number | undefined
  try {
    handle = openSync(path, "r")
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(handle, bytes, 0, length, 0))
  } catch {
    return null
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
