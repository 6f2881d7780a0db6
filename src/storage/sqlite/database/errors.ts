/** The database file cannot be served. The message goes on behind "cannot use the database FILE: " and names the cure. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable"
}

/** A backup cannot be written, or cannot be put in the database's place. The message is whole and names the cure. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused"
}

const cures: Record<string, string> = {
  SQLITE_CANTOPEN: "it cannot be opened or created; see that its folder exists and that this user may write to it",
  SQLITE_READONLY: "it, or its folder, cannot be written; see that this user may write to both",
  SQLITE_NOTADB: "it is not a database of rewards; name another file in db.path",
  SQLITE_CORRUPT: "it is damaged; put a backup in its place",
  SQLITE_BUSY: "another process keeps it locked; end that process and start again",
  SQLITE_FULL: "the disk is full; free space and start again",
  SQLITE_IOERR: "the disk cannot be read or written; look at the system's log",
}

/** What SQLite says while a database is opened, in the operator's words; everything else is given back as it is. */
export function asUnusable(error: unknown): unknown {
  if (error instanceof DatabaseUnusable || error instanceof BackupRefused) return error
  const code = codeOf(error)
  const cure = Object.entries(cures).find(([known]) => code.startsWith(known))?.[1]
  return cure === undefined ? error : new DatabaseUnusable(cure, { cause: error })
}

/** After it, the system may have dropped what it could not write. */
export const isFailedSync = (error: unknown): boolean => /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(codeOf(error))

/** SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`, of an error or of its cause; empty when it is
 *  another's error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ""
  return "code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_")
    ? error.code
    : codeOf(error.cause)
}
