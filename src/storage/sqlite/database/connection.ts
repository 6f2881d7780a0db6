import type { Database } from "bun:sqlite"
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite"
import type { Log } from "../../../log.ts"
import { writeProblemOf } from "../../../system-errors.ts"
import { backUpBeforeMigrating } from "../maintenance/backup.ts"
import { refuseDamaged } from "../maintenance/soundness.ts"
import { markOf, putMark, refuseBehindMark, refuseMissing } from "../maintenance/watermark.ts"
import { createCheckpoints } from "./checkpoints.ts"
import { openClient } from "./client.ts"
import { asUnusable, DatabaseUnusable } from "./errors.ts"
import { isSameFile, statOf } from "./files.ts"
import { type Lock, lockShared } from "./lock.ts"
import { migrate, missingFrom } from "./migrate.ts"
import { migrations } from "./migrations.ts"
import { createVersions, type Versions } from "./versions.ts"
import { watchFiles } from "./watch.ts"
import { createWrite } from "./write.ts"

/** How long a statement waits for another process's lock. */
const busyTimeoutMs = 5000

export interface Connection {
  readonly client: Database
  readonly db: BunSQLiteDatabase
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  readonly versions: Versions
  /**
   * Runs `work` in one transaction with the write lock held from the start, and returns once it is durable.
   * What `work` throws rolls it back whole. A commit or sync that fails leaves unknown what is on disk, and files that
   * were removed or replaced are seen by nobody else: `onUnusable` is told then, and nothing is written here any more.
   * @throws DomainError `unwritable` when the disk is full or another process holds the lock; nothing is changed
   */
  write<T>(work: () => T): T
  /** Once is enough; again does nothing. */
  close(): void
}

export interface ConnectionOptions {
  readonly path: string
  readonly now: number
  readonly log: Log
  /** Hears each step of a migration of an existing database. */
  readonly onMigrating: (text: string) => void
  readonly onUnusable: (error: unknown) => void
  /** Megabytes up to which all of it is verified first; absent or 0: never. */
  readonly verifyMb?: number | undefined
}

/** Opens the file, brings it up to date, and writes its WAL back.
 *  @throws DatabaseUnusable with the cure, when this file cannot be served. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { path, now, log, onMigrating, onUnusable, verifyMb = 0 } = options
  let client: Database | undefined
  let lock: Lock | undefined
  try {
    refuseMissing(path)
    lock = createPrivately(path)
    const file = statOf(path)
    client = openClient(path, { create: true })
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    await enterWal(client)
    refuseMoved(file, path)
    client.run("PRAGMA synchronous = FULL")
    client.run("PRAGMA foreign_keys = ON")
    client.run("PRAGMA wal_autocheckpoint = 0") // SQLite's own fail in silence: see checkpoints.ts
    await backUpBeforeMigrating(client, path, now)
    const migrated = migrate(client, now, migrations, onMigrating)
    refuseBehindMark(client, path)
    refuseDamaged(client, verifyMb)
    return connection({ client, lock, path, file, migrated, log, onUnusable })
  } catch (error) {
    client?.close()
    lock?.release()
    throw asUnusable(error)
  }
}

/** Locks the path before anything is there. SQLite gives its WAL the mode of the database, so that all files are private. */
function createPrivately(path: string): Lock {
  let lock: Lock | undefined
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    lock = lockShared(path)
    closeSync(openSync(path, "a", 0o600))
    return lock
  } catch (error) {
    lock?.release()
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(writeProblemOf(error, path), { cause: error })
  }
}

/** Several first starters race for this switch, which does not wait for busy_timeout. */
async function enterWal(client: Database) {
  for (const deadline = Bun.nanoseconds() + busyTimeoutMs * 1e6; ; ) {
    try {
      missingFrom(client) // a file that is not ours is left as it is
      client.run("PRAGMA journal_mode = WAL")
      return
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY"
      if (!busy || Bun.nanoseconds() > deadline) throw error
      await Bun.sleep(20)
    }
  }
}

/** A restore may have put another file in its place before ours was held open; what is written here would be lost. */
function refuseMoved(file: Stats | undefined, path: string) {
  if (!isSameFile(file, statOf(path)))
    throw new DatabaseUnusable("another file was put in its place while it was opened; start again")
}

/** With it, the next start refuses to begin anew with an empty database. */
function keepMark(client: Database, path: string) {
  try {
    putMark(path, markOf(client))
  } catch {
    // The folder may be gone too, and the process ends anyway.
  }
}

interface Opened extends Pick<ConnectionOptions, "path" | "log" | "onUnusable"> {
  readonly client: Database
  readonly lock: Lock
  /** The database file as it was when it was opened. */
  readonly file: Stats | undefined
  readonly migrated: readonly string[]
}

function connection({ client, lock, path, file, migrated, log, onUnusable }: Opened): Connection {
  const walPath = `${realpathSync(path)}-wal`
  let failed: unknown
  let closed = false
  const fail = (error: unknown) => {
    if (failed) return
    failed = error
    if (!existsSync(path)) keepMark(client, path)
    else if (!existsSync(walPath)) checkpoints.atEnd() // of a removed WAL, which holds what was acknowledged last
    onUnusable(error)
  }
  const demandSound = () => {
    if (failed) throw failed
  }
  const checkpoints = createCheckpoints(client, log, fail)
  checkpoints.atStart()
  const watch = watchFiles({ path, file, fail })

  return {
    client,
    db: drizzle(client),
    migrated,
    versions: createVersions(client),
    write: createWrite({ client, log, demandSound, fail, lost: watch.lost, afterCommit: checkpoints.afterCommit }),
    close() {
      if (closed) return
      closed = true
      watch.stop()
      checkpoints.atEnd()
      client.close()
      lock.release()
    },
  }
}
