import type { Database } from "bun:sqlite"
import { existsSync, realpathSync, type Stats } from "node:fs"
import { currentTick, nextTick } from "../../../domain/ticks.ts"
import type { Log } from "../../../support/log.ts"
import type { Database as Door } from "../../database.ts"
import { createCheckpoints, scrub } from "./checkpoints.ts"
import { configure, openClient } from "./client.ts"
import { createDatabase } from "./database.ts"
import { syncAhead, watchFiles } from "./files.ts"
import { createWrites, type Slices } from "./write.ts"

/** An open database that is up to date. Every part of the store works with it. */
export interface Connection {
  readonly client: Database
  /** The door of the ordinary stores. Its writes have a connection of their own. */
  readonly database: Door
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  readonly versions: Versions
  /**
   * Runs `work` in one transaction that holds the write lock from the start, and resolves once the commit is durable.
   * Waits for the lock without blocking the event loop; when the lock is free, everything happens before the call
   * returns. When `work` throws, everything is rolled back. In two cases `onUnusable` is called and every later write
   * fails: after a failed commit or sync, because the state on disk is unknown, and when the files were removed or
   * replaced, because nobody else sees what is written.
   * @throws DomainError `unwritable` when the disk is full or another process holds the lock; nothing is changed
   */
  write<T>(work: () => T): Promise<T>
  /**
   * The same for long work, which must yield every few milliseconds to let the event loop run. The work gets a
   * connection of its own, so that nobody reads what is not committed yet. The other writes of this process wait until
   * it ends.
   */
  writeInSlices<T>(work: (another: Database) => Slices<T>): Promise<T>
  /** Removes deleted data from unused parts of the files. Writes of this process wait meanwhile. */
  scrub(): Promise<void>
  /** Waits for pending writes. Closing twice does nothing. */
  close(): Promise<void>
}

interface Opened {
  readonly client: Database
  readonly path: string
  /** The database file as it was when it was opened. */
  readonly file: Stats | undefined
  readonly migrated: readonly string[]
  readonly log: Log
  readonly lockTimeoutMs: number
  readonly onUnusable: (error: unknown) => void
  /** Called before the failure is reported, when the database file was removed and no other file is in its place. */
  readonly onRemoved: () => void
  readonly onClosed: () => void
}

/** Starts checkpoints and the watch over the files of a database that `openConnection` has opened. */
export function createConnection(opened: Opened): Connection {
  const { client, path, file, migrated, log, lockTimeoutMs, onUnusable, onRemoved, onClosed } = opened
  const walPath = `${realpathSync(path)}-wal`
  let failed: unknown
  let closed = false
  const fail = (error: unknown) => {
    if (failed) return
    failed = error
    if (!existsSync(path)) onRemoved()
    else if (!existsSync(walPath)) checkpoints.atEnd() // the removed WAL holds the latest acknowledged commits
    onUnusable(error)
  }
  const throwIfFailed = () => {
    if (failed) throw failed
  }
  const checkpoints = createCheckpoints(client, log, fail)
  checkpoints.atStart()
  const watch = watchFiles({ path, file, fail })
  const versions = createVersions(client)
  const { write, writeAwaited, writeInSlices, alone, end } = createWrites({
    client,
    openAnother: () => openAnother(path),
    log,
    lockTimeoutMs,
    throwIfFailed,
    fail,
    lost: watch.lost,
    checkpoint: checkpoints.afterCommit,
    checkpointLong: checkpoints.afterLongCommit,
    syncAhead: () => syncAhead(walPath),
    invalidate: versions.invalidate,
  })

  return {
    client,
    database: createDatabase({ reader: client, write: writeAwaited }),
    migrated,
    versions,
    write,
    writeInSlices,
    scrub: () => alone(() => scrub(client, log, fail)),
    async close() {
      await end()
      if (closed) return
      closed = true
      watch.stop()
      checkpoints.atEnd()
      client.close()
      onClosed()
    },
  }
}

function openAnother(path: string): Database {
  const client = openClient(path, { create: false })
  configure(client)
  return client
}

/** A version number of the data. Caches are valid until it changes. */
type Versions = ReturnType<typeof createVersions>

/** The version changes when another connection writes, and when this one calls `invalidate`. */
export function createVersions(client: Database) {
  const dataVersion = client.prepare<{ data_version: number }, []>("PRAGMA data_version")
  let version = -1
  let ownChanges = 0
  let readIn = -1

  return {
    /** Reads the version. Exact inside a transaction, right after its begin. */
    read(): number {
      version = (dataVersion.get()?.data_version ?? -1) + ownChanges
      return version
    },
    /** Call this when this connection changes data that is cached. */
    invalidate() {
      ownChanges += 1
      readIn = -1
    },
    /** The version as of the current tick of the event loop; it is read once a tick. */
    ofTick(): number {
      if (readIn !== currentTick()) this.read()
      readIn = currentTick()
      return version
    },
  }
}

/** A parameter of a statement. */
export type Value = string | number | null

/** Maps a row; null stays null. */
export const mapped = <Row, T>(row: Row | null, map: (row: Row) => T): T | null => (row === null ? null : map(row))

/** A read in time slices. Other work may run where it yields. */
export type Reading<T> = Generator<undefined, T>

/** How long a read may block the event loop. */
const sliceMs = 5

/**
 * Runs a read to its end in time slices, each in one read transaction; between two slices, others may read and write. A
 * read notes the ends of its lists in its first slice; entries before these ends never change.
 */
export function createTimeSlices(client: Database, longestMs = sliceMs) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")

  return async <T>(reading: Reading<T>): Promise<T> => {
    for (;;) {
      begin.run()
      try {
        const until = performance.now() + longestMs
        do {
          const { done, value } = reading.next()
          if (done) return value
        } while (performance.now() < until)
      } finally {
        end.run()
      }
      await nextTick()
    }
  }
}
