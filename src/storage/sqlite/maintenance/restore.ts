import type { Database } from "bun:sqlite"
import { existsSync, linkSync, realpathSync, renameSync, rmSync } from "node:fs"
import { BackupRefused, type Restored, type RestoreRequest } from "../../maintenance.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { openClient, openExclusively } from "../database/client.ts"
import { asUnusable, sqliteCodeOf } from "../database/errors.ts"
import {
  createPrivateFile,
  isSameFile,
  partialOf,
  removeAbandoned,
  removePartial,
  sortableTime,
  statOf,
  syncFile,
  syncFolderOf,
} from "../database/files.ts"
import { lockExclusive } from "../database/lock.ts"
import { migrations, missingFrom } from "../database/migrations.ts"
import { copyDatabase } from "./backup.ts"
import { countIn, verify } from "./verify.ts"
import { removeWatermark, watermarkOf, writeWatermark } from "./watermark.ts"

interface Request extends RestoreRequest {
  /** The database. No other process may have it open; it need not exist. */
  readonly path: string
}

/** `FileMaintenance.restore` (storage/maintenance.ts) */
export async function restore(request: Request): Promise<Restored> {
  const { file, now } = request
  const path = existsSync(request.path) ? realpathSync(request.path) : request.path
  if (statOf(file)?.isDirectory()) throw refused(file, "it is a folder; name a backup in it")
  if (isSameFile(statOf(file), statOf(path))) throw refused(file, "it is the database itself; name a backup")

  const lock = lockExclusive(path)
  const partial = partialOf(path)
  let held: Database | null = null
  try {
    held = hold(path)
    removeAbandoned(path, now)
    createPrivateFile(partial, path)
    const { transactions, watermark } = await prepared(partial, request)
    syncFile(partial)
    removeWatermark(path) // if the process dies from here on, the next start writes it anew
    const replaced = keepBeside(path, held !== null, now)
    if (process.platform === "win32") held?.close() // Windows cannot rename over an open file
    renameSync(partial, path)
    syncFolderOf(path)
    if (watermark) writeWatermark(path, watermark)
    return { transactions, replaced }
  } finally {
    held?.close()
    lock.release()
    removePartial(partial)
  }
}

/**
 * Locks other processes out of the database, readers too, until it is closed. Null when there is no database, or it is
 * damaged.
 */
function hold(path: string): Database | null {
  if (!existsSync(path)) return null
  try {
    return openExclusively(path)
  } catch (error) {
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCodeOf(error))) return null
    throw error
  }
}

/** Copies the backup into the empty file `copy`, verifies it, and prepares it for serving. */
async function prepared(copy: string, { file, endsSessions, now }: Request) {
  let client: Database | undefined
  try {
    await copyDatabase(file, copy)
    client = openClient(copy, { create: false })
    client.run("PRAGMA journal_mode = DELETE")
    const missing = missingFrom(client)
    if (missing.length === migrations.length) throw refused(file, "it is empty; name another backup")
    for await (const { fault } of verify(client, null)) throw refused(file, `${fault}; name another backup`)
    if (endsSessions) endSessions(client, now)
    return { transactions: await countIn(client), watermark: missing.length === 0 ? watermarkOf(client) : null }
  } catch (error) {
    throw refusalOf(error, file)
  } finally {
    client?.close()
  }
}

/** Ends all sessions and tokens. Raises the versions beyond those in any token, even one issued after the backup. */
function endSessions(client: Database, now: number) {
  const seconds = Math.floor(now / 1000)
  client.transaction(() => {
    client.run("DELETE FROM sessions")
    client.run("DELETE FROM api_tokens")
    // A backup of an older version has no such table.
    if (missingFrom(client).every(({ tag }) => tag !== "0011_push")) client.run("DELETE FROM push_devices")
    client.run(
      "UPDATE users SET access_version = max(access_version + 1, ?1), refresh_version = max(refresh_version + 1, ?1), kept_token = NULL",
      [seconds],
    )
  })()
}

/** Gives the old file a second name, so that `path` always leads to a complete database. */
function keepBeside(path: string, isHeld: boolean, now: number): string | null {
  const name = unusedName(`${path}.replaced-${sortableTime(now)}`)
  const isThere = existsSync(path)
  if (isThere) linkOrRename(path, name)
  // SQLite would use these files with the new database. If the old one could be locked, its WAL is written back already.
  for (const suffix of ["-wal", "-journal"])
    if (isHeld) rmSync(path + suffix, { force: true })
    else if (existsSync(path + suffix)) renameSync(path + suffix, name + suffix)
  rmSync(`${path}-shm`, { force: true })
  syncFolderOf(path)
  return isThere ? name : null
}

function unusedName(name: string): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}-${count}`
    if (!existsSync(candidate)) return candidate
  }
}

function linkOrRename(path: string, name: string) {
  try {
    linkSync(path, name)
  } catch {
    renameSync(path, name) // this file system has no hard links
  }
}

const damaged = "it is damaged, or no database; name another backup"
const reasons: Record<string, string> = { SQLITE_NOTADB: damaged, SQLITE_CORRUPT: damaged }

function refusalOf(error: unknown, file: string): unknown {
  const reason = asUnusable(error, file)
  if (!(reason instanceof DatabaseUnusable)) return error
  return refused(file, reasons[sqliteCodeOf(error)] ?? reason.message, error)
}

const refused = (file: string, reason: string, cause?: unknown): BackupRefused =>
  new BackupRefused(`cannot restore ${file}: ${reason}`, { cause })
