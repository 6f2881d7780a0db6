import type { Database } from "bun:sqlite"
import { renameSync } from "node:fs"
import { systemCodeOf, writeProblemOf } from "../../../system-errors.ts"
import { openClient } from "../database/client.ts"
import { asUnusable, BackupRefused, codeOf, DatabaseUnusable } from "../database/errors.ts"
import {
  createPrivateFile,
  isSameFile,
  partialOf,
  removeAbandoned,
  removePartial,
  statOf,
  syncFile,
  syncFolderOf,
} from "../database/files.ts"
import { missingFrom } from "../database/migrate.ts"
import { migrations } from "../database/migrations.ts"
import { copyDatabase } from "./copy.ts"
import { countIn, verify } from "./verify.ts"
import { type FoundMark, readMark } from "./watermark.ts"

export interface Backup {
  readonly file: string
  readonly bytes: number
  /** How many are in it. */
  readonly transactions: number
}

interface Request {
  /** The database. Whoever has it open goes on. */
  readonly path: string
  /** Where the backup goes. One that is there is replaced, once the new one is whole. */
  readonly file: string
  readonly now: number
}

/**
 * Writes the database as it is at one moment into one file: private, verified, synced, and put in place by its name
 * alone, so that `file` is a whole backup or what it was before.
 * @throws BackupRefused with the cure
 * @throws DatabaseUnusable when there is no such database, or it is another program's or a newer version's
 */
export async function backUp({ path, file, now }: Request): Promise<Backup> {
  const mark = readMark(path)
  const partial = partialOf(file)
  try {
    refuseOwnFiles(path, file)
    removeAbandoned(file, now)
    createPrivateFile(partial, path)
    await copyDatabase(path, partial)
    const transactions = sealed(partial, mark)
    syncFile(partial)
    renameSync(partial, file)
    syncFolderOf(file)
    return { file, transactions, bytes: statOf(file)?.size ?? 0 }
  } catch (error) {
    throw refusalOf(error, file)
  } finally {
    removePartial(partial)
  }
}

/**
 * Before migrations change a database that holds something; a new one is skipped.
 * @throws DatabaseUnusable with the cure
 */
export async function backUpBeforeMigrating(client: Database, path: string, now: number): Promise<void> {
  const missing = missingFrom(client)
  const [next] = missing
  if (!next || missing.length === migrations.length) return
  await backUp({ path, file: `${path}.before-${next.tag}`, now }).catch((error) => {
    if (!(error instanceof BackupRefused)) throw error
    throw new DatabaseUnusable(`it is brought up to date only behind a backup: ${error.message}`, { cause: error })
  })
}

function refuseOwnFiles(path: string, file: string) {
  const there = statOf(file)
  if (there && !there.isFile()) throw new BackupRefused(`cannot write the backup ${file}: it is no file; name another`)
  const own = ["", "-wal", "-shm", "-journal", ".mark"].map((suffix) => statOf(path + suffix))
  if (own.some((one) => isSameFile(one, there)))
    throw new BackupRefused(`cannot write the backup ${file}: it is the database itself; name another file`)
}

/** Makes one file of the copy, holds it against itself, and returns how many transactions are in it. */
function sealed(copy: string, mark: FoundMark): number {
  const client = openClient(copy, { create: false })
  try {
    client.run("PRAGMA journal_mode = DELETE")
    if (missingFrom(client).length === migrations.length) throw new DatabaseUnusable("there is nothing in it yet")
    const [fault, ...more] = verify(client, mark)
    if (fault) throw new BackupRefused(`the copy is not sound and was not kept: ${fault.fault}${andMore(more.length)}`)
    return countIn(client)
  } finally {
    client.close()
  }
}

const andMore = (count: number): string => `${count === 0 ? "" : ` (and ${count} more)`}; look with \`rewards verify\``

const cures: Record<string, string> = {
  SQLITE_FULL: "the disk is full; free space on it",
  SQLITE_IOERR: "the disk cannot be read or written; look at the system's log",
}

function refusalOf(error: unknown, file: string): unknown {
  const cure = systemCodeOf(error) === "" ? cureIn(codeOf(error)) : writeProblemOf(error, file)
  return cure === undefined
    ? asUnusable(error)
    : new BackupRefused(`cannot write the backup ${file}: ${cure}`, { cause: error })
}

const cureIn = (code: string) => Object.entries(cures).find(([known]) => code.startsWith(known))?.[1]
