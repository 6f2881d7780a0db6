import type { Database } from "bun:sqlite"
import { existsSync, realpathSync, type Stats } from "node:fs"
import type { Log } from "../../../support/log.ts"
import type { Database as Door } from "../../database.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { createCheckpoints, createThread, scrub, writeBack } from "./checkpoints.ts"
import { configure, openClient } from "./client.ts"
import { createDatabase } from "./database.ts"
import { cutOff, forgetWrittenBack } from "./failed-sync.ts"
import { watchFiles } from "./files.ts"
import { createReader, type Reader } from "./reader.ts"
import { rewriteWal } from "./rewrite-wal.ts"
import { createSync, syncsInCommit } from "./sync.ts"
import { createWrites } from "./write.ts"

/** An open database that is up to date. Every part of the store works with it. */
export interface Connection {
  /** What this process writes with, and only inside `write`. */
  readonly writer: Database
  /** What this process reads with; it sees what is durable. */
  readonly reader: Reader
  /** The door of the ordinary stores. */
  readonly database: Door
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  /**
   * Runs `work` in one transaction that holds the write lock from the start, and resolves once the commit is durable and
   * readers see it. Waits for the lock, and for the sync, without blocking the event loop. Long work yields, and the other
   * writes of this process wait until it ends. When `work` throws, everything is rolled back. In two cases `onUnusable` is
   * called and every later write fails: after a failed commit or sync, because the state on disk is unknown, and when the
   * files were removed or replaced, because nobody else sees what is written.
   * @throws DomainError `unwritable` when the disk is full or another process holds the lock; nothing is changed
   */
  write<T>(work: () => T | Promise<T>): Promise<T>
  /** Call in a write that changes users. The ordinary stores need not: the door sees it. */
  changesUsers(): void
  /** In a write: what was read of users and balances in earlier writes is valid until this changes. */
  usersVersion(): number
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
  readonly sync: (() => Promise<void>) | undefined
  readonly onUnusable: (error: unknown) => void
  /** Called before the failure is reported, when the database file was removed and no other file is in its place. */
  readonly onRemoved: () => void
  readonly onClosed: () => void
}

/** Starts checkpoints and the watch over the files of a database that `openConnection` has opened. */
export function createConnection(opened: Opened): Connection {
  const { client: writer, path, file, migrated, log, lockTimeoutMs, onUnusable, onRemoved, onClosed } = opened
  const walPath = `${realpathSync(path)}-wal`
  let failed: unknown
  let closed = false
  const fail = (error: unknown) => {
    if (failed) return
    failed = error
    if (!existsSync(path)) onRemoved()
    else if (!(error instanceof DatabaseUnusable)) forgetWrittenBack(path)
    else if (!existsSync(walPath)) {
      // The removed WAL holds the latest acknowledged commits.
      reader.release()
      checkpoints.atEnd()
    }
    void checkpoints.stop()
    process.once("exit", cutOffBoth)
    onUnusable(error)
  }
  const cutOffBoth = () => {
    for (const one of [writer, client]) cutOff(one)
  }
  const throwIfFailed = () => {
    if (failed) throw failed
  }
  const durability = syncsInCommit ? "FULL" : "NORMAL"
  writer.run(`PRAGMA synchronous = ${durability}`)
  rewriteWal(writer, walPath)
  writeBack(writer)
  const wal = createSync(walPath, { sync: opened.sync, throwIfFailed, fail })
  const commitsOfOthers = createCommitsOfOthers(writer)
  const client = openClient(path, { create: false })
  configure(client, durability)
  const reader = createReader({ client, commitsOfOthers, sync: wal.sync })
  /** How often this process has changed users. */
  let userChanges = 0
  const changesUsers = () => {
    userChanges += 1
  }
  const { write, alone, end } = createWrites({
    writer,
    log,
    lockTimeoutMs,
    throwIfFailed,
    fail,
    lost: () => watch.lost(),
    committed: () => reader.committed(userChanges),
    show: reader.show,
    checkpoint: () => checkpoints.afterCommit(),
  })
  const checkpoints = createCheckpoints({
    client: writer,
    log,
    fail,
    letGo: reader.letGo,
    alone,
    thread: createThread(writer.filename),
  })
  const watch = watchFiles({ path, file, fail })

  return {
    writer,
    reader,
    database: createDatabase({ reader, writer, write, changesUsers }),
    migrated,
    write,
    changesUsers,
    usersVersion: () => commitsOfOthers() + userChanges,
    scrub: () => alone(() => scrub({ client: writer, log, fail, throwIfFailed, letGo: reader.letGo })),
    async close() {
      await end()
      if (closed) return
      closed = true
      watch.stop()
      await checkpoints.stop()
      if (failed) cutOff(client)
      await reader.close()
      if (!failed) checkpoints.atEnd()
      if (failed) cutOff(writer) // perhaps only since this last checkpoint: closing makes another one
      writer.close()
      process.off("exit", cutOffBoth)
      wal.close()
      onClosed()
    },
  }
}

/** A number that changes when another process has committed. It does so at the begin of a transaction, not inside one. */
function createCommitsOfOthers(writer: Database): () => number {
  const dataVersion = writer.prepare<{ data_version: number }, []>("PRAGMA data_version")
  return () => dataVersion.get()?.data_version ?? -1
}

/** A parameter of a statement. */
export type Value = string | number | null

/** Maps a row; null stays null. */
export const mapped = <Row, T>(row: Row | null, map: (row: Row) => T): T | null => (row === null ? null : map(row))
