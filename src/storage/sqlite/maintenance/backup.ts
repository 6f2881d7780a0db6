import type { Database } from "bun:sqlite"
import { existsSync, renameSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import { systemCodeOf, writeProblemOf } from "../../../support/system-errors.ts"
import { type Backup, BackupRefused } from "../../maintenance.ts"
import { DatabaseUnusable, nothingYet } from "../../open-store.ts"
import { type Anchor, anchorText } from "../../verify/anchor.ts"
import { openClient, refuseForeign } from "../database/client.ts"
import { asUnusable, sqliteCodeOf } from "../database/errors.ts"
import {
  createPrivateFile,
  isSameFile,
  linkTargetOf,
  partialOf,
  removeAbandoned,
  removePartial,
  statOf,
  syncFile,
  syncFolderOf,
} from "../database/files.ts"
import { migrations, missingFrom } from "../database/migrations.ts"
import { countIn, verify } from "./verify.ts"
import { type FoundWatermark, readWatermark } from "./watermark.ts"

interface Request {
  /** The database. */
  readonly path: string
  /** Where the backup goes. */
  readonly file: string
  readonly now: number
}

/** `FileMaintenance.backUp` (storage/maintenance.ts) */
export async function backUp({ path, file, now }: Request): Promise<Backup> {
  const watermark = readWatermark(path)
  let partial: string | null = null
  try {
    refuseOtherFiles(path, file)
    const target = linkTargetOf(file) // a rename over a link would replace the link
    partial = partialOf(target)
    removeAbandoned(target, now)
    createPrivateFile(partial, path)
    await copyDatabase(path, partial)
    const sealed = await seal(partial, watermark)
    syncFile(partial)
    renameSync(partial, target)
    syncFolderOf(target)
    return { file, ...sealed, bytes: statOf(file)?.size ?? 0 }
  } catch (error) {
    throw refusalOf(error, path, file)
  } finally {
    if (partial !== null) removePartial(partial)
  }
}

/** `FileMaintenance.usingBackup` (storage/maintenance.ts) */
export async function usingBackup<T>(path: string, now: number, work: (backup: Backup) => Promise<T>): Promise<T> {
  const name = `${path}.backup`
  const file = partialOf(name)
  removeAbandoned(name, now)
  try {
    return await work(await backUp({ path, file, now }))
  } finally {
    removePartial(file)
  }
}

/**
 * Backs up a database before migrations change it; does nothing for a new one.
 * @throws DatabaseUnusable with the cure
 */
export async function backUpBeforeMigrating(client: Database, path: string, now: number): Promise<void> {
  const missing = missingFrom(client)
  const [next] = missing
  if (!next || missing.length === migrations.length) return
  await backUp({ path, file: `${path}.before-${next.tag}`, now }).catch((error) => {
    if (!(error instanceof BackupRefused)) throw error
    throw new DatabaseUnusable(
      `it is not brought up to date, because the backup before that failed: ${error.message}`,
      { cause: error },
    )
  })
}

/** Only an earlier backup or an empty file may be replaced. */
function refuseOtherFiles(path: string, file: string) {
  const there = statOf(file)
  if (there && !there.isFile())
    throw new BackupRefused(`cannot write the backup ${file}: it is not a file; name another one`)
  const own = ["", "-wal", "-shm", "-journal", ".mark"].map((suffix) => statOf(path + suffix))
  if (own.some((one) => isSameFile(one, there)))
    throw new BackupRefused(`cannot write the backup ${file}: it is the database itself; name another file`)
  try {
    refuseForeign(file)
  } catch (cause) {
    const reason = "it is another program's file and was not changed; name another file"
    throw new BackupRefused(`cannot write the backup ${file}: ${reason}`, { cause })
  }
}

/** Turns the copy into a single file, verifies it, and returns which transactions are in it. */
async function seal(copy: string, watermark: FoundWatermark): Promise<Pick<Backup, "transactions" | "newest">> {
  const client = openClient(copy, { create: false })
  try {
    client.run("PRAGMA journal_mode = DELETE")
    if (missingFrom(client).length === migrations.length) throw nothingYet()
    let newest: string | null = null
    const anchoring = {
      against: null,
      onNewest(anchor: Anchor) {
        newest = anchorText(anchor)
      },
    }
    const [fault, ...more] = await Array.fromAsync(verify(client, watermark, { anchoring }))
    if (fault) throw new BackupRefused(`the copy is damaged and was not kept: ${fault.fault}${andMore(more.length)}`)
    return { transactions: await countIn(client), newest }
  } finally {
    client.close()
  }
}

const andMore = (count: number): string => `${count === 0 ? "" : ` (and ${count} more)`}; look with \`rewards verify\``

const cures: Record<string, string> = {
  SQLITE_IOERR_SHMSIZE: "the disk of the database is full; free space on it",
  SQLITE_FULL: "the disk is full; free space on it",
  SQLITE_IOERR: "the disk cannot be read or written; see the system log",
}

function refusalOf(error: unknown, path: string, file: string): unknown {
  const cure = systemCodeOf(error) === "" ? cureIn(sqliteCodeOf(error)) : writeProblemOf(error, file)
  return cure === undefined
    ? asUnusable(error, path)
    : new BackupRefused(`cannot write the backup ${file}: ${cure}`, { cause: error })
}

const cureIn = (code: string) => Object.entries(cures).find(([known]) => code.startsWith(known))?.[1]

/** Pages (16 MB in all) copied between two checks of the WAL's size. */
const pagesAtOnce = 4000
/** How far the WAL may grow during a copy, beyond the size of the database. */
const defaultWalBytes = 1_073_741_824

/**
 * Copies the database as of one moment into the empty file `to`, page by page and synced, while others write. One read
 * transaction spans the whole copy, so it blocks nobody and never restarts under load. But it keeps the WAL from being
 * emptied: if the disk takes the copy more slowly than the WAL grows, the copy is aborted.
 *
 * Not VACUUM INTO, which takes three times as long and cannot check the WAL on the way.
 * @throws DatabaseUnusable when there is no such database
 * @throws BackupRefused when the WAL grew too large meanwhile
 */
export async function copyDatabase(from: string, to: string, walBytesAllowed = defaultWalBytes): Promise<void> {
  if (!existsSync(from)) throw new DatabaseUnusable("there is no such file") // opening the file would create it
  const wal = `${from}-wal`
  const sizeOf = (path: string) => statOf(path)?.size ?? 0
  const mostWalBytes = sizeOf(wal) + sizeOf(from) + walBytesAllowed

  let source: DatabaseSync | undefined
  try {
    source = new DatabaseSync(from, { timeout: 5000 })
    source.exec("BEGIN; SELECT 1 FROM sqlite_schema")
    await backup(source, to, {
      rate: pagesAtOnce,
      progress() {
        if (sizeOf(wal) > mostWalBytes) throw new BackupRefused(slow)
      },
    })
  } catch (error) {
    throw withName(error)
  } finally {
    source?.close()
  }
}

const slow =
  "the copy was given up: the disk takes it slower than transactions are recorded, and the WAL would fill the disk of " +
  "the database; name a folder on a faster disk"

const codeNames: Record<number, string> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  4874: "SQLITE_IOERR_SHMSIZE",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
}

/** node:sqlite reports numbers, with the details in the higher bits; bun:sqlite reports names. */
function withName(error: unknown): unknown {
  const number = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0
  const code = codeNames[number] ?? codeNames[number & 0xff]
  return code === undefined ? error : Object.assign(new Error(String(error), { cause: error }), { code })
}
