import { existsSync, realpathSync, type Stats } from "node:fs"
import type { Log } from "../../../support/log.ts"
import type { Database } from "../../database.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { watermarkIn, writeWatermark } from "../maintenance/watermark.ts"
import { createDatabase } from "./database.ts"
import { thrown } from "./errors.ts"
import { forgetWrittenBack } from "./failed-sync.ts"
import { watchFiles } from "./files.ts"
import type { Checkpoint, Opening } from "./runner.ts"
import { journalsInMemory, scrub } from "./scrub.ts"
import type { OpenRuns, Runs } from "./threads.ts"
import { createWrites } from "./write.ts"

/** An open database that is up to date. */
export interface Connection {
  readonly database: Database
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  /** Removes deleted data from unused parts of the files. */
  scrub(): Promise<void>
  /** Waits for pending writes. Closing twice does nothing. */
  close(): Promise<void>
}

interface Opened {
  readonly path: string
  /** The database file as it was when it was opened. */
  readonly file: Stats | undefined
  readonly migrated: readonly string[]
  readonly log: Log
  readonly lockTimeoutMs: number
  readonly openRuns: OpenRuns
  readonly onUnusable: (error: unknown) => void
  readonly onClosed: () => void
}

/** Frames after which the WAL has grown because somebody reads an old state of the database. */
const framesHeldBack = 16_000
/** How often what waits in the WAL is written back while nothing is committed. */
const checkpointEveryMs = 10_000
/** How long the end of a process waits until its connections are cut off. */
const leaveWithinMs = 1000
/** Size to which the WAL file shrinks when it restarts. */
const walBytesKept = 16_777_216

/** Opens the threads of a database that `openConnection` has brought up to date. */
export async function createConnection(opened: Opened): Promise<Connection> {
  const { path, file, migrated, log, lockTimeoutMs, openRuns, onUnusable, onClosed } = opened
  let failed: unknown
  let isClosed = false
  let leaving: Promise<void> | undefined
  let isCutOff = false
  const fail = async (error: unknown) => {
    failed ??= error
    leaving ??= leave(error).finally(() => onUnusable(error))
    await leaving
  }
  const throwIfFailed = async () => {
    await leaving
    if (failed) throw failed
  }
  const onCheckpoint = createCheckpointLog(log, fail)
  const open = async (isReader: boolean): Promise<Runs> => {
    const runs = await openRuns(openingOf(path, isReader, lockTimeoutMs), { onCheckpoint, onDeath: fail })
    // Nobody is told what a connection answers that was cut off.
    const run: Runs["run"] = async (requests) => {
      try {
        const answers = await runs.run(requests)
        if (!isCutOff) return answers
      } catch (error) {
        if (!isCutOff) throw error
      }
      await leaving
      throw failed
    }
    return { ...runs, run }
  }
  const [writer, reader, reports] = await allOrNone([open(false), open(true), open(true)])
  const watch = watchFiles({ path, file, fail })
  const walPath = `${realpathSync(path)}-wal`
  const database = createDatabase({ writer, reader, reports, write: (body, since) => writes.write(body, since) })
  const writes = createWrites({ writer, log, lockTimeoutMs, throwIfFailed, fail, lost: watch.lost })
  const timer = setInterval(() => writer.checkpoint(1), checkpointEveryMs)
  timer.unref()

  return {
    database,
    migrated,
    scrub: () => scrub({ writer, alone: writes.alone, log, fail }),
    async close() {
      await writes.end()
      await leaving
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      watch.stop()
      if (failed === undefined) {
        await Promise.all([reader.close(), reports.close()])
        await writer.close()
        await leaving // the last checkpoint may have failed
      }
      onClosed()
    },
  }

  /** Keeps what is left of the database, and ends the connections without closing them. */
  async function leave(error: unknown) {
    if (error instanceof DatabaseUnusable) await keepWhatIsLeft()
    else forgetWrittenBack(path)
    isCutOff = true
    const cutOff = [writer, reader, reports].map((each) => each.cutOff().catch(() => {}))
    await Promise.race([Promise.all(cutOff), Bun.sleep(leaveWithinMs)]) // a report may take long
  }

  /**
   * Keeps what only this process still has, because its files were removed: the watermark, so that the next start refuses to
   * create an empty database in place of this one, or the latest commits.
   */
  async function keepWhatIsLeft() {
    try {
      if (!existsSync(path)) writeWatermark(path, await watermarkIn(database))
      else if (!existsSync(walPath)) {
        writer.checkpoint(1)
        await writer.run([])
      }
    } catch {
      // The folder may be gone too. The process ends anyway.
    }
  }
}

/** All of these connections. If one cannot be opened, the others are closed. */
async function allOrNone<const R extends readonly Promise<Runs>[]>(opening: R) {
  const outcomes = await Promise.allSettled(opening)
  const failed = outcomes.find((outcome) => outcome.status === "rejected")
  if (failed === undefined) return Promise.all(opening)
  for (const outcome of outcomes) if (outcome.status === "fulfilled") await outcome.value.close()
  throw failed.reason
}

/** The settings of a connection that SQLite does not store in the file. */
const openingOf = (path: string, isReader: boolean, busyTimeoutMs: number): Opening => ({
  path,
  isReader,
  busyTimeoutMs,
  pragmas: [
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON", // on macOS a plain sync leaves the data in the cache of the disk
    "PRAGMA foreign_keys = ON",
    "PRAGMA wal_autocheckpoint = 0", // SQLite's own fail silently, and the WAL grows
    `PRAGMA journal_size_limit = ${walBytesKept}`,
    isReader ? "PRAGMA query_only = ON" : journalsInMemory,
  ],
})

/** Logs checkpoints that fail or have nothing to do for long. A failed sync is passed to `fail`. */
function createCheckpointLog(log: Log, fail: (error: unknown) => unknown): (checkpoint: Checkpoint) => void {
  let isFailing = false
  let isHeldBack = false

  return ({ frames, failure }) => {
    if (failure?.isFinal) return void fail(thrown(failure))
    if (failure && !isFailing)
      log.error("a checkpoint of the database failed; it is tried again", {
        error: `${failure.code} ${failure.message}`,
      })
    if (!failure && isFailing) log.info("checkpoints of the database work again")
    isFailing = failure !== undefined
    if (frames >= framesHeldBack && !isHeldBack)
      log.warn(
        "the WAL of the database grows, because a process keeps a read transaction open for long; end that process",
      )
    if (frames < framesHeldBack && isHeldBack) log.info("the WAL of the database no longer grows")
    isHeldBack = frames >= framesHeldBack
  }
}
