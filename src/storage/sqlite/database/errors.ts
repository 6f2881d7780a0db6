import { accessSync, constants } from "node:fs"
import { dirname } from "node:path"
import { systemCodeOf, writeProblemOf } from "../../../support/system-errors.ts"
import { DuplicateKey } from "../../database.ts"
import { BackupRefused } from "../../maintenance.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import type { Failure } from "./runner.ts"

export const notADatabase = "it is not a database of rewards; name another file in db.path"
export const foreignDatabase = "it belongs to another program; name another file in db.path"

const full = "the disk is full; free space and start again"

/** By the beginning of SQLite's code. The first match counts. */
const cures: Record<string, string> = {
  SQLITE_CANTOPEN:
    "it cannot be opened or created; check that the folder of db.path exists and that this user may write to it",
  SQLITE_READONLY: "it, or its folder, cannot be written; check that this user may write to both (db.path)",
  SQLITE_NOTADB: notADatabase,
  SQLITE_CORRUPT: "it is damaged; restore a backup",
  SQLITE_BUSY: "another process keeps it locked; end that process and start again",
  SQLITE_FULL: full,
  SQLITE_IOERR_SHMSIZE: full, // there is no room for the index of the WAL, which readers need too
  SQLITE_IOERR: "the disk cannot be read or written; see the system log",
}

/**
 * Turns an error of SQLite while opening the database at this path into a DatabaseUnusable; returns any other error
 * unchanged.
 */
export function asUnusable(error: unknown, path: string, checkAccess = accessSync): unknown {
  if (error instanceof DatabaseUnusable || error instanceof BackupRefused) return error
  const code = sqliteCodeOf(error)
  const cure = (unwritable.test(code) && accessProblem(path, checkAccess)) || cureIn(code)
  return cure === undefined ? error : new DatabaseUnusable(cure, { cause: error })
}

const cureIn = (code: string) => Object.entries(cures).find(([known]) => code.startsWith(known))?.[1]

const unwritable = /^SQLITE_(CANTOPEN|READONLY)/

/** SQLite does not say that the file system is read-only, where it cannot make the index of the WAL, nor whose the file is. */
function accessProblem(path: string, checkAccess: typeof accessSync): string | undefined {
  for (const one of [dirname(path), path])
    try {
      checkAccess(one, constants.W_OK)
    } catch (error) {
      const code = systemCodeOf(error)
      if (code === "EROFS" || code === "EACCES") return writeProblemOf(error, one)
    }
  return undefined
}

/** Whether an fsync failed. The system may then have dropped the data that it could not write. */
export const isFailedSync = (error: unknown): boolean => /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(sqliteCodeOf(error))

/** The error of a write while another process writes. */
export const isBusy = (error: unknown): boolean => sqliteCodeOf(error).startsWith("SQLITE_BUSY")

/** SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`, of an error or its cause; else empty. */
export function sqliteCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return ""
  return "code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_")
    ? error.code
    : sqliteCodeOf(error.cause)
}

/** The error of a statement that failed, with SQLite's code. */
export function thrown({ code, message }: Failure): Error {
  const error = Object.assign(new Error(message), { code })
  return /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)
    ? new DuplicateKey("a key would not be unique", { cause: error })
    : error
}
