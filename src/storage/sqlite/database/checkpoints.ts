import type { Database } from "bun:sqlite"
import type { Log } from "../../../support/log.ts"
import { isFailedSync } from "./errors.ts"

/** Frames (pages of 4 KiB) that may wait in the WAL before a commit writes them back. */
const framesBetween = 1000
/** Only a read transaction that stays open for long lets so many frames pile up. */
const framesHeldBack = 16_000
const everyMs = 10_000
/** A TRUNCATE checkpoint blocks writers while it waits for readers. */
const truncateWithinMs = 100
/** Size to which the WAL file shrinks when it restarts. */
const walBytesKept = 16_777_216

interface WalState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Checkpoints the WAL by size and by time, and logs when that fails: SQLite's automatic checkpoints fail silently while the
 * WAL grows. A failed checkpoint is retried by the next commit or after `everyMs`. A failed sync is passed to `fail`: no
 * retry could tell what is on disk.
 */
export function createCheckpoints(client: Database, log: Log, fail: (error: unknown) => void) {
  client.run(`PRAGMA journal_size_limit = ${walBytesKept}`)
  const look = client.prepare<WalState, []>("PRAGMA wal_checkpoint(NOOP)")
  const passive = client.prepare<WalState, []>("PRAGMA wal_checkpoint(PASSIVE)")
  const truncate = client.prepare<WalState, []>("PRAGMA wal_checkpoint(TRUNCATE)")
  let failing = false
  let heldBack = false

  const timer = setInterval(() => run(1), everyMs)
  timer.unref()

  return {
    /**
     * Writes the whole WAL back before anything is served. After a failed sync, the WAL may hold frames that look valid but
     * never reached the disk; commits that build on them would be lost.
     */
    atStart() {
      const state = withBusyTimeout(truncateWithinMs, () => truncate.get())
      // When `busy` is not 0, another process uses the WAL and may keep it from being written back. That is no fault.
      if (state && state.checkpointed < state.log && state.busy === 0)
        throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
    },
    afterCommit: () => run(framesBetween),
    /** The same in a thread: a long transaction may leave tens of thousands of frames, which take 0.1 s. */
    async afterLongCommit() {
      try {
        if (!isDue(framesBetween)) return
        await inThread(client.filename, ["PRAGMA wal_checkpoint(PASSIVE)"])
        succeeded()
      } catch (error) {
        failedWith(error)
      }
    },
    /** Writes the WAL back now. SQLite itself would do so only when the last statement is finalized. */
    atEnd() {
      clearInterval(timer)
      withBusyTimeout(truncateWithinMs, () => run(1, truncate))
    },
  }

  function run(atLeast: number, checkpoint = passive) {
    try {
      if (!isDue(atLeast)) return
      checkpoint.get()
      succeeded()
    } catch (error) {
      failedWith(error)
    }
  }

  function isDue(atLeast: number): boolean {
    const state = look.get()
    if (!state) return false
    reportHeldBack(state)
    return state.log - state.checkpointed >= atLeast
  }

  function succeeded() {
    if (failing) log.info("checkpoints of the database work again")
    failing = false
  }

  function failedWith(error: unknown) {
    if (isFailedSync(error)) return fail(error)
    if (!failing) log.error("a checkpoint of the database failed; it is tried again", { error: String(error) })
    failing = true
  }

  /** Frames that are written back stay in the WAL until nobody reads them. */
  function reportHeldBack({ log: frames }: WalState) {
    if (frames >= framesHeldBack && !heldBack)
      log.warn(
        "the WAL of the database grows, because a process keeps a read transaction open for long; end that process",
      )
    if (frames < framesHeldBack && heldBack) log.info("the WAL of the database no longer grows")
    heldBack = frames >= framesHeldBack
  }

  function withBusyTimeout<T>(ms: number, work: () => T): T {
    const before = client.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()?.timeout ?? 0
    client.run(`PRAGMA busy_timeout = ${ms}`)
    try {
      return work()
    } finally {
      client.run(`PRAGMA busy_timeout = ${before}`)
    }
  }
}

/** How often a scrub is tried, and with which pauses, while another process reads or holds the lock. */
const scrubAttempts = 5
const pauseMs = 1000

/**
 * Rewrites the database and empties the WAL, so that no deleted data is left in the files: SQLite leaves old rows in
 * free pages and in unused parts of pages, and `PRAGMA secure_delete` does not reach all of them. It takes about a
 * second of processor time for 150 MB, and needs as much free space as the database has. It runs in a thread, so it
 * does not block the event loop.
 */
export async function scrub({ filename }: Database, log: Log, fail: (error: unknown) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await faultOf(filename)
    if (error === null) return
    if (isFailedSync(error)) fail(error)
    if (attempt === scrubAttempts || isFailedSync(error)) {
      log.error("erased data may be left in unused parts of the database files; run `rewards user erase` again", {
        error: error.message,
      })
      return
    }
    await Bun.sleep(pauseMs)
  }
}

async function faultOf(path: string): Promise<Error | null> {
  try {
    const state = await inThread<{ busy: number }>(path, ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"])
    return state?.busy === 0 ? null : new Error("another process reads an old state of the database")
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The code of the thread, as a text: the executable contains no separate file to start a thread from. */
const threadCode = `
import { Database } from "bun:sqlite"
self.onmessage = ({ data: { path, statements } }) => {
  let client, row = null, error = null
  try {
    client = new Database(path, { readwrite: true, create: false })
    client.run("PRAGMA busy_timeout = 5000")
    client.run("PRAGMA synchronous = FULL")
    client.run("PRAGMA wal_autocheckpoint = 0")
    for (const statement of statements) row = client.query(statement).get()
  } catch (thrown) {
    error = { code: String(thrown.code), message: String(thrown.message) }
  }
  client?.close()
  self.postMessage({ row, error })
}`

interface Outcome<Row> {
  readonly row: Row | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/**
 * Runs statements in a thread, on a connection of its own, so that they do not block the event loop. Returns the first
 * row of the last statement. @throws the error of SQLite, with its code
 */
async function inThread<Row>(path: string, statements: readonly string[]): Promise<Row | null> {
  const url = URL.createObjectURL(new Blob([threadCode], { type: "application/javascript" }))
  const worker = new Worker(url)
  try {
    const { row, error } = await new Promise<Outcome<Row>>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Outcome<Row>>) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage({ path, statements })
    })
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return row
  } finally {
    worker.terminate()
    URL.revokeObjectURL(url)
  }
}
