import type { Database } from "bun:sqlite"
import { closeSync, openSync, realpathSync, type Stats } from "node:fs"
import type { Log } from "../../../support/log.ts"
import { writeProblemOf } from "../../../support/system-errors.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { backUpBeforeMigrating } from "../maintenance/backup.ts"
import { refuseDamaged } from "../maintenance/verify.ts"
import { refuseBehindWatermark, refuseMissing } from "../maintenance/watermark.ts"
import { configure, openClient, refuseForeign, waitingFor } from "./client.ts"
import { type Connection, createConnection } from "./connection.ts"
import { asUnusable } from "./errors.ts"
import { closeAfter, forgetWrittenBack } from "./failed-sync.ts"
import { isSameFile, statOf } from "./files.ts"
import { type Lock, lockShared } from "./lock.ts"
import { migrate, migrations, missingFrom } from "./migrations.ts"
import { rewriteWal } from "./rewrite-wal.ts"
import { type OpenRuns, openHere } from "./threads.ts"

/** How long to wait for another process's lock. */
export const busyTimeoutMs = 5000

interface OpenOptions {
  readonly path: string
  readonly now: number
  readonly log: Log
  /** Called with a text at each step of a migration of an existing database. */
  readonly onMigrating: (text: string) => void
  /** Called once when nothing can be written any more: what is on disk is unknown, or the files are gone. */
  readonly onUnusable: (error: unknown) => void
  /** A database of up to this many megabytes gets a full integrity check first; absent or 0: none does. */
  readonly verifyMb?: number | undefined
  /** How long a write waits while another process holds the lock. */
  readonly lockTimeoutMs?: number | undefined
  /** How connections are opened: in threads of their own, or by default on the event loop. */
  readonly openRuns?: OpenRuns | undefined
}

/** Opens the database file, applies missing migrations and writes its WAL back.
 *  @throws DatabaseUnusable with the cure, when this file cannot be served */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const {
    path,
    now,
    log,
    onMigrating,
    onUnusable,
    verifyMb = 0,
    lockTimeoutMs = busyTimeoutMs,
    openRuns = openHere,
  } = options
  let client: Database | undefined
  let lock: Lock | undefined
  try {
    refuseMissing(path)
    refuseForeign(path)
    const shared = createPrivately(path)
    lock = shared
    const file = statOf(path)
    const opened = openClient(path, { create: true })
    client = opened
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    await enterWal(client)
    refuseMoved(file, path)
    configure(client)
    await backUpBeforeMigrating(client, path, now)
    const migrated = migrate(client, now, migrations, onMigrating)
    refuseBehindWatermark(client, path)
    await refuseDamaged(client, verifyMb)
    rewriteWal(client, `${realpathSync(path)}-wal`)
    writeBack(client)
    const onClosed = shared.release
    const connection = await createConnection({
      path,
      file,
      migrated,
      log,
      lockTimeoutMs,
      openRuns,
      onUnusable,
      onClosed,
    })
    client.close()
    return connection
  } catch (error) {
    if (client) closeAfter(error, client)
    lock?.release()
    throw asUnusable(error, path)
  }
}

/**
 * Locks the path before a file is there, then creates the file. SQLite gives its WAL the mode of the database, so all
 * files are private. A missing folder is not created: its name may be mistyped, or its disk not mounted.
 */
function createPrivately(path: string): Lock {
  let lock: Lock | undefined
  try {
    lock = lockShared(path)
    closeSync(openSync(path, "a", 0o600))
    return lock
  } catch (error) {
    lock?.release()
    if (error instanceof DatabaseUnusable) throw error
    throw new DatabaseUnusable(writeProblemOf(error, path), { cause: error })
  }
}

/** Switches to WAL mode. Retries, because processes that start together compete and the switch ignores busy_timeout. */
async function enterWal(client: Database) {
  for (const deadline = Bun.nanoseconds() + busyTimeoutMs * 1e6; ; ) {
    try {
      missingFrom(client) // refuses a file that is not ours before it is changed
      client.run("PRAGMA journal_mode = WAL")
      return
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY"
      if (!busy || Bun.nanoseconds() > deadline) throw error
      await Bun.sleep(20)
    }
  }
}

/** A restore may have put another file at this path before this one was open. Writes to this one would be lost. */
function refuseMoved(file: Stats | undefined, path: string) {
  if (!isSameFile(file, statOf(path)))
    throw new DatabaseUnusable("another file was put in its place while it was opened; start again")
}

/**
 * Writes the whole WAL back before anything is served, and begins it anew. After a failed sync, the WAL may hold frames that
 * look valid but never reached the disk; commits that build on them would be lost.
 */
export function writeBack(client: Database) {
  const state = waitingFor(truncateWithinMs, client, () =>
    client.query<{ busy: number; log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get(),
  )
  if (!state || state.checkpointed === state.log) return
  // Another process that uses the WAL may keep it from being written back. That is no fault.
  if (state.busy === 0) throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
  forgetWrittenBack(client.filename)
}

/** A TRUNCATE checkpoint blocks writers while it waits for readers. */
const truncateWithinMs = 100
