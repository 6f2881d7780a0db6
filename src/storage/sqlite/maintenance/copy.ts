import { existsSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"
import { BackupRefused, DatabaseUnusable } from "../database/errors.ts"
import { statOf } from "../database/files.ts"

/** 16 MB of the usual pages: how much is copied between two looks at the WAL. */
const pagesAtOnce = 4000
/** Beyond the size of the database itself. */
const walBytesUsual = 1_073_741_824

/**
 * Copies the database as it is at one moment into the empty file `to`, page by page and synced, while others write.
 * One read transaction lasts as long as the copying: nobody waits for it, and it never starts anew under load. It keeps
 * the WAL from being emptied, though, so that a disk which takes the copy slower than the WAL grows ends it.
 *
 * Not VACUUM INTO: that one takes three times as long for the same, with no look at the WAL on its way.
 * @throws DatabaseUnusable when there is no such database
 * @throws BackupRefused when the WAL grew too large meanwhile
 */
export async function copyDatabase(from: string, to: string, walBytesAllowed = walBytesUsual): Promise<void> {
  // Opening would create it.
  if (!existsSync(from)) throw new DatabaseUnusable("there is no such file")
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

const names: Record<number, string> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
}

/** node:sqlite gives numbers, with details in their higher bits, where bun:sqlite gives names. */
function withName(error: unknown): unknown {
  const number = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0
  const code = names[number & 0xff]
  return code === undefined ? error : Object.assign(new Error(String(error), { cause: error }), { code })
}
