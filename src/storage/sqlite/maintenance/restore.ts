import type { Database } from "bun:sqlite"
import { existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { openClient, openExclusively } from "../database/client.ts"
import { asUnusable, BackupRefused, codeOf, DatabaseUnusable } from "../database/errors.ts"
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
import { lockAlone } from "../database/lock.ts"
import { missingFrom } from "../database/migrate.ts"
import { migrations } from "../database/migrations.ts"
import { copyDatabase } from "./backup.ts"
import { countIn, verify } from "./verify.ts"
import { removeWatermark, watermarkOf, writeWatermark } from "./watermark.ts"

export interface Restored {
  /** How many are in it. */
  readonly transactions: number
  /** Where the database that was in the place is kept; null when there was none. */
  readonly replaced: string | null
}

interface Request {
  /** The database, which nobody has open. It need not exist. */
  readonly path: string
  /** The backup; it stays as it is. */
  readonly file: string
  /** Sessions and tokens of every kind end. */
  readonly endsSessions: boolean
  readonly now: number
}

/**
 * Puts a verified copy of a backup in the place of the database, which is kept beside it. Until the last step, a
 * rename, the database is as it was.
 * @throws BackupRefused when this is no sound backup, with the cure
 * @throws DatabaseUnusable when somebody has the database open, or it is another program's
 */
export async function restore(request: Request): Promise<Restored> {
  const { file, now } = request
  const path = existsSync(request.path) ? realpathSync(request.path) : request.path
  if (statOf(file)?.isDirectory()) throw refused(file, "it is a folder; name a backup in it")
  if (isSameFile(statOf(file), statOf(path))) throw refused(file, "it is the database itself; name a backup")

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = lockAlone(path)
  const partial = partialOf(path)
  let held: Database | null = null
  try {
    held = hold(path)
    removeAbandoned(path, now)
    createPrivateFile(partial, path)
    const { transactions, watermark } = await prepared(partial, request)
    syncFile(partial)
    removeWatermark(path) // a crash from here on leaves a database without one, and the next opening writes it
    const replaced = keepBeside(path, held !== null, now)
    if (process.platform === "win32") held?.close() // where an open file has its name for good
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

/** Keeps others out of the database until it is closed, those who only read too. Null when there is none to read. */
function hold(path: string): Database | null {
  if (!existsSync(path)) return null
  try {
    return openExclusively(path)
  } catch (error) {
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))) return null
    throw error
  }
}

/** Fills the empty file `copy` from the backup and makes it what is to be served. */
async function prepared(copy: string, { file, endsSessions, now }: Request) {
  let client: Database | undefined
  try {
    await copyDatabase(file, copy)
    client = openClient(copy, { create: false })
    client.run("PRAGMA journal_mode = DELETE")
    const missing = missingFrom(client)
    if (missing.length === migrations.length) throw refused(file, "it is empty; name another backup")
    const [fault] = verify(client, null)
    if (fault) throw refused(file, `${fault.fault}; name another backup`)
    if (endsSessions) endSessions(client, now)
    return { transactions: countIn(client), watermark: missing.length === 0 ? watermarkOf(client) : null }
  } catch (error) {
    throw refusalOf(error, file)
  } finally {
    client?.close()
  }
}

/** Versions go beyond any that a token may name, also one from after the backup. */
function endSessions(client: Database, now: number) {
  const seconds = Math.floor(now / 1000)
  client.transaction(() => {
    client.run("DELETE FROM sessions")
    client.run(
      "UPDATE users SET access_version = max(access_version + 1, ?1), refresh_version = max(refresh_version + 1, ?1), kept_token = NULL",
      [seconds],
    )
  })()
}

/** A second name for the file, so that the first one always leads to a whole database. */
function keepBeside(path: string, isHeld: boolean, now: number): string | null {
  const name = unusedName(`${path}.replaced-${sortableTime(now)}`)
  const isThere = existsSync(path)
  if (isThere) linkOrRename(path, name)
  // SQLite would take them for the new one's. Of a database that is held, the one that is left is done with.
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
    renameSync(path, name) // a file system that has no second names
  }
}

const damaged = "it is damaged, or no database; name another backup"
const reasons: Record<string, string> = { SQLITE_NOTADB: damaged, SQLITE_CORRUPT: damaged }

function refusalOf(error: unknown, file: string): unknown {
  const reason = asUnusable(error)
  if (!(reason instanceof DatabaseUnusable)) return error
  return refused(file, reasons[codeOf(error)] ?? reason.message, error)
}

const refused = (file: string, reason: string, cause?: unknown): BackupRefused =>
  new BackupRefused(`cannot restore ${file}: ${reason}`, { cause })
