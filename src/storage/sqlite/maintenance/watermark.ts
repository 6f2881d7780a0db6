import type { Database } from "bun:sqlite"
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import type { Log } from "../../../support/log.ts"
import { systemCodeOf } from "../../../support/system-errors.ts"
import { one, type Reads, type Database as StoreDatabase } from "../../database.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { fields, select } from "../../sql.ts"
import { ledgerState } from "../../tables.ts"
import { createPrivateFile, partialOf, removeAbandoned, syncFile, syncFolderOf } from "../database/files.ts"

/**
 * A file beside the database that holds the newest transaction, so that a shorter or different ledger is noticed. It usually
 * lags at most a second behind the commits, longer while a long write runs, and is never ahead of them.
 */
interface Watermark {
  readonly lastId: number
  /** The hash of that transaction, in lower-case hexadecimal: see ../../ledger/chain.ts. */
  readonly hash: string
}

/** Null when there is no file. A watermark is written completely or not at all, so an unreadable one means damage. */
export type FoundWatermark = Watermark | "unreadable" | null

const watermarkPathOf = (path: string): string => `${existsSync(path) ? realpathSync(path) : path}.mark`

export function readWatermark(path: string): FoundWatermark {
  try {
    return parsed(readFileSync(watermarkPathOf(path), "utf8"))
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return null
    throw error
  }
}

const lineOf = ({ lastId, hash }: Watermark): string => `${JSON.stringify({ last_id: lastId, hash })}\n`

/** The newest transaction of the database; id 0 and a hash of zeros when there is none. */
export function watermarkOf(client: Database): Watermark {
  const state = client
    .query<{ lastId: number; hash: Uint8Array }, []>("SELECT last_id AS lastId, last_hash AS hash FROM ledger_state")
    .get()
  return { lastId: state?.lastId ?? 0, hash: (state?.hash ?? new Uint8Array(32)).toHex() }
}

/** The same, as stores read it. What it reads is durable: a watermark must never be ahead of the disk. */
export async function watermarkIn(database: Reads): Promise<Watermark> {
  const { lastId, hash } = await one(database, select(end)`FROM ${ledgerState}`)
  return { lastId, hash: hash.toHex() }
}

const end = fields({ lastId: ledgerState.lastId, hash: ledgerState.lastHash })

/** A sentence on what the watermark records and this database lacks; null when it lacks nothing. */
export function behindWatermark(client: Database, watermark: FoundWatermark): string | null {
  if (watermark === null) return null
  if (watermark === "unreadable")
    return "its watermark file cannot be read, so nobody can tell whether transactions are missing"
  const { lastId } = watermarkOf(client)
  if (lastId < watermark.lastId) return `${named(lastId + 1, watermark.lastId)} missing`
  const there = client
    .query<{ hash: Uint8Array }, [number]>("SELECT hash FROM transactions WHERE id = ?")
    .get(watermark.lastId)
  const isTheSame = watermark.lastId === 0 || there?.hash.toHex() === watermark.hash
  return isTheSame ? null : `transaction ${watermark.lastId} is not the one that was recorded`
}

/** @throws DatabaseUnusable when the database lacks transactions that the watermark records */
export function refuseBehindWatermark(client: Database, path: string) {
  const fault = behindWatermark(client, readWatermark(path))
  if (fault !== null) throw new DatabaseUnusable(`${fault}; ${remedies}`)
}

/**
 * Refuses to create a new database where there was one: that would hide the loss of everything.
 * @throws DatabaseUnusable
 */
export function refuseMissing(path: string) {
  if (!existsSync(path) && recordsAny(readWatermark(path)))
    throw new DatabaseUnusable(`it is missing, but its watermark file is there; ${remedies}`)
}

/** Whether the watermark records any transaction, or cannot be read. */
export const recordsAny = (watermark: FoundWatermark): boolean =>
  watermark !== null && (watermark === "unreadable" || watermark.lastId > 0)

/** Resets the watermark to the database as it is, even to an earlier transaction. Null: there is no database. */
export function acceptWatermark(client: Database | null, path: string) {
  if (!client) return removeWatermark(path)
  // Inside the write lock, because a process that has the database open writes the watermark too.
  client.transaction(() => writeWatermark(path, watermarkOf(client))).immediate()
}

/** Writes the watermark, even over a higher one. */
export function writeWatermark(path: string, watermark: Watermark) {
  const file = watermarkPathOf(path)
  const partial = partialOf(file)
  createPrivateFile(partial, path)
  writeFileSync(partial, lineOf(watermark))
  syncFile(partial)
  renameSync(partial, file)
  syncFolderOf(file)
}

/** Removes the watermark, because another ledger will take this one's place. */
export function removeWatermark(path: string) {
  const file = watermarkPathOf(path)
  rmSync(file, { force: true })
  syncFolderOf(file)
}

const remedies =
  "restore a backup with `rewards restore FILE`, or look with `rewards verify` and go on without them with " +
  "`rewards verify --accept`"

const named = (first: number, last: number): string =>
  first === last
    ? `transaction ${first}, which was recorded, is`
    : `transactions ${first} to ${last}, which were recorded, are`

function parsed(text: string): FoundWatermark {
  const match = /^\{"last_id":(\d{1,16}),"hash":"([0-9a-f]{64})"\}\n$/.exec(text)
  const [, lastId = "", hash = ""] = match ?? []
  return match ? { lastId: Number(lastId), hash } : "unreadable"
}

/** Commits within this time share one update of the file. The update itself takes less than half a second. */
const gatherMs = 500
const retryMs = 10_000

interface Writer {
  readonly database: StoreDatabase
  readonly path: string
  readonly now: number
  readonly log: Log
}

/**
 * Updates the watermark after the commits of this process. Writing and syncing happen off the event loop. Only the rename
 * happens inside the write lock, so the watermark never goes backwards, even with several processes.
 */
export async function createWatermarkWriter({ database, path, now, log }: Writer) {
  const file = watermarkPathOf(path)
  let timer: Timer | undefined
  let writing: Promise<void> | undefined
  let failing = false

  removeAbandoned(file, now)
  if (isNewer(await watermarkIn(database))) schedule(gatherMs)

  return {
    /** Call after a commit that appended. */
    schedule: () => schedule(gatherMs),
    /** Writes what is pending. When this resolves, the watermark is up to date unless it cannot be written. */
    async close() {
      clearTimeout(timer) // so that no second update starts while this one ends
      await writing
      if (timer) await update()
      clearTimeout(timer)
    },
  }

  function isNewer({ lastId }: Watermark): boolean {
    const watermark = readWatermark(path)
    return watermark === null || watermark === "unreadable" || watermark.lastId < lastId
  }

  function schedule(ms: number) {
    if (timer) return
    timer = setTimeout(() => {
      writing = update()
    }, ms)
    timer.unref()
  }

  async function update() {
    clearTimeout(timer)
    timer = undefined
    const partial = partialOf(file)
    try {
      const watermark = await watermarkIn(database)
      createPrivateFile(partial, path)
      await synced(partial, "r+", (handle) => handle.writeFile(lineOf(watermark)))
      await database.write(async (tx) => {
        await watermarkIn(tx) // takes the lock
        if (isNewer(watermark)) renameSync(partial, file)
      })
      if (process.platform !== "win32") await synced(dirname(file), "r", async () => {})
      if (failing) log.info("the watermark file of the database can be written again")
      failing = false
    } catch (error) {
      if (!failing)
        log.error("the watermark file of the database cannot be written; it is tried again", { error: String(error) })
      failing = true
      schedule(retryMs)
    } finally {
      rmSync(partial, { force: true })
    }
  }
}

/** Opens a file or folder, runs `work` and syncs it. */
async function synced(path: string, flags: string, work: (handle: FileHandle) => Promise<void>) {
  const { open } = await import("node:fs/promises")
  const handle = await open(path, flags)
  try {
    await work(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
