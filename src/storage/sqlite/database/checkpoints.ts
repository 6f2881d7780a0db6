import type { Database } from "bun:sqlite"
import type { Log } from "../../../support/log.ts"
import { waitingFor } from "./client.ts"
import { isBusy, isFailedSync } from "./errors.ts"
import { applicationId } from "./migrations.ts"
import { moveEveryMs } from "./reader.ts"

/** Frames (pages of 4 KiB) that may wait in the WAL before a commit writes them back. */
const framesBetween = 1000
/** Frames after which the WAL should be used anew, from its beginning; earlier when nothing is left to write back. */
const framesToRestart = 4000
/** Writers wait for no longer than this until nobody reads from the WAL. Readers let go of it after `moveEveryMs`. */
const restartWithinMs = 2 * moveEveryMs
const letGoEveryMs = 5
/** Only a read transaction that stays open for long lets so many frames pile up. */
const framesHeldBack = 16_000
const everyMs = 10_000
/** Changes nothing, and is a commit all the same, of one frame. */
const firstCommit = `PRAGMA application_id = ${applicationId}`
const framesOfFirstCommit = 1
/** A TRUNCATE checkpoint blocks writers while it waits for readers. */
const truncateWithinMs = 100
/** Size to which the WAL file shrinks when it restarts. */
const walBytesKept = 16_777_216

interface WalState {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

interface Dependencies {
  readonly client: Database
  readonly log: Log
  readonly fail: (error: unknown) => void
  /** Lets the reader of this process go on, so that it does not keep the WAL from being used anew. */
  readonly letGo: () => Promise<void>
  /** Runs work while this process writes nothing. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  /** `createThread`, or less in tests. */
  readonly thread: Thread
}

/**
 * Checkpoints the WAL by size and by time, in a thread, and logs when that fails: SQLite's automatic checkpoints fail silently
 * while the WAL grows. A failed checkpoint is retried by the next commit or after `everyMs`. A failed sync is passed to `fail`:
 * no retry could tell what is on disk.
 *
 * A checkpoint beside writes never reaches the end of the WAL, and only from its end can the WAL be used anew. So when it has
 * become long, a second checkpoint keeps writers waiting, for the little that is left.
 *
 * When everything is written back, the next commit begins the WAL anew, and SQLite syncs its header inside that commit. So the
 * thread makes a commit at once.
 */
export function createCheckpoints({ client, log, fail, letGo, alone, thread }: Dependencies) {
  client.run(`PRAGMA journal_size_limit = ${walBytesKept}`)
  const look = client.prepare<WalState, []>("PRAGMA wal_checkpoint(NOOP)")
  let running: Promise<void> | undefined
  let restartAgainAt = 0
  let failing = false
  let heldBack = false
  let isStopped = false

  const timer = setInterval(() => {
    if (!start(framesOfFirstCommit + 1)) thread.end() // it takes 10 MB
  }, everyMs)
  timer.unref()

  return {
    afterCommit: () => void start(framesBetween),
    /** No checkpoint begins any more. Resolves when none runs. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
      thread.end()
    },
    /** Writes the WAL back now. SQLite itself would do so only when the last statement is finalized. */
    atEnd() {
      clearInterval(timer)
      try {
        if (isDue(1)) truncate(client)
      } catch (error) {
        failedWith(error)
      }
    },
  }

  /** Whether a checkpoint runs. */
  function start(atLeast: number): boolean {
    try {
      if (running === undefined && !isStopped && isDue(atLeast))
        running = run().finally(() => {
          running = undefined
        })
    } catch (error) {
      failedWith(error)
    }
    return running !== undefined
  }

  async function run() {
    try {
      await thread.run(["PRAGMA wal_checkpoint(PASSIVE)"])
      if (isLong(stateOfWal())) await alone(restart)
      await letGo()
      if (failing) log.info("checkpoints of the database work again")
      failing = false
    } catch (error) {
      failedWith(error)
    }
  }

  /** What is left is little, unless somebody reads an old state: then nobody is kept waiting in vain. */
  function isLong(state: WalState | null): boolean {
    if (state === null || performance.now() < restartAgainAt) return false
    const left = state.log - state.checkpointed
    return state.log >= framesToRestart
      ? left < framesBetween
      : state.log >= framesBetween && left <= framesOfFirstCommit
  }

  async function restart() {
    const letting = setInterval(() => void letGo().catch(() => {}), letGoEveryMs)
    try {
      const state = await thread.run([`PRAGMA busy_timeout = ${restartWithinMs}`, "PRAGMA wal_checkpoint(RESTART)"])
      if (state?.busy !== 0) restartAgainAt = performance.now() + everyMs
    } finally {
      clearInterval(letting)
    }
  }

  function isDue(atLeast: number): boolean {
    const state = stateOfWal()
    if (!state) return false
    reportHeldBack(state)
    return state.log - state.checkpointed >= atLeast
  }

  /** Null inside a transaction, where SQLite does not tell. The commit asks again. */
  function stateOfWal(): WalState | null {
    return client.inTransaction ? null : look.get()
  }

  function failedWith(error: unknown) {
    if (isFailedSync(error)) return fail(error)
    if (isStopped) return
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
}

/**
 * Writes the whole WAL back before anything is served, and begins it anew. After a failed sync, the WAL may hold frames that
 * look valid but never reached the disk; commits that build on them would be lost.
 */
export function writeBack(client: Database) {
  const state = truncate(client)
  // When `busy` is not 0, another process uses the WAL and may keep it from being written back. That is no fault.
  if (state && state.checkpointed < state.log && state.busy === 0)
    throw new Error(`only ${state.checkpointed} of ${state.log} WAL frames could be written back`)
  try {
    client.run(firstCommit)
  } catch (error) {
    if (!isBusy(error)) throw error // who writes has begun the WAL
  }
}

const truncate = (client: Database): WalState | null =>
  waitingFor(truncateWithinMs, client, () => client.query<WalState, []>("PRAGMA wal_checkpoint(TRUNCATE)").get())

/** How often a scrub is tried, and with which pauses, while another process reads or holds the lock. */
const scrubAttempts = 5
const pauseMs = 1000

interface Scrub {
  readonly client: Database
  readonly log: Log
  readonly fail: (error: unknown) => void
  readonly throwIfFailed: () => void
  /** As in `Dependencies` */
  readonly letGo: () => Promise<void>
}

/**
 * Rewrites the database and empties the WAL, so that no deleted data is left in the files: SQLite leaves old rows in
 * free pages and in unused parts of pages, and `PRAGMA secure_delete` does not reach all of them. It takes about a
 * second of processor time for 150 MB, and needs as much free space as the database has. It runs in a thread, so it
 * does not block the event loop.
 */
export async function scrub({ client: { filename }, log, fail, throwIfFailed, letGo }: Scrub): Promise<void> {
  const thread = createThread(filename)
  try {
    for (let attempt = 1; ; attempt += 1) {
      throwIfFailed()
      const error = await faultOf(thread, letGo)
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
  } finally {
    thread.end()
  }
}

async function faultOf(thread: Thread, letGo: () => Promise<void>): Promise<Error | null> {
  try {
    await thread.run(["VACUUM", "PRAGMA wal_checkpoint(PASSIVE)"])
    await letGo() // who reads what is in the database file alone does not keep the WAL from being emptied
    const state = await thread.run(["PRAGMA wal_checkpoint(TRUNCATE)"])
    return state?.busy === 0 ? null : new Error("another process reads an old state of the database")
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The code of the thread, as a text: the executable contains no separate file to start a thread from. */
const threadCode = `
import { Database } from "bun:sqlite"
self.onmessage = ({ data: { path, statements } }) => {
  let client
  let row = null
  let error = null
  try {
    client = new Database(path, { readwrite: true, create: false })
    client.run("PRAGMA busy_timeout = 5000")
    client.run("PRAGMA synchronous = FULL")
    client.run("PRAGMA wal_autocheckpoint = 0")
    client.run("PRAGMA journal_size_limit = ${walBytesKept}")
    for (const statement of statements) row = client.query(statement).get()
    if (row?.busy === 0 && row.log === row.checkpointed) commit(client)
  } catch (thrown) {
    error = { code: String(thrown.code), message: String(thrown.message) }
  }
  client?.close()
  self.postMessage({ row, error })
}
function commit(client) {
  try {
    client.run("${firstCommit}")
  } catch (error) {
    if (!/^SQLITE_BUSY/.test(error.code)) throw error
  }
}`

interface Outcome {
  readonly row: WalState | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** Runs statements beside the event loop, on a connection of its own, one call at a time. */
export interface Thread {
  /**
   * Returns the first row of the last statement. When that is a checkpoint that has written everything back, makes a commit.
   * @throws the error of SQLite, with its code
   */
  run(statements: readonly string[]): Promise<WalState | null>
  /** Call it when nothing runs. The next call starts a thread anew. */
  end(): void
}

/** The thread starts when it is first needed, which takes 30 ms of a processor. */
export function createThread(path: string): Thread {
  let worker: Worker | undefined

  return {
    async run(statements) {
      worker ??= new Worker(threadUrl())
      const thread = worker
      const { row, error } = await new Promise<Outcome>((resolve, reject) => {
        thread.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
        thread.onerror = ({ message }) => reject(new Error(message))
        thread.postMessage({ path, statements })
      })
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return row
    },
    end() {
      worker?.terminate()
      worker = undefined
    },
  }
}

let url: string | undefined

function threadUrl(): string {
  url ??= URL.createObjectURL(new Blob([threadCode], { type: "application/javascript" }))
  return url
}
