import type { Database } from "bun:sqlite"
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { systemCodeOf } from "../../../system-errors.ts"
import { DatabaseUnusable } from "../database/errors.ts"
import { createPrivateFile, partialOf, syncFile, syncFolderOf } from "../database/files.ts"

/**
 * A file beside the database that names the newest transaction, so that a ledger that became shorter or another is
 * noticed. It is the database's own state of up to a second ago: it follows commits and never goes before them.
 */
export interface Mark {
  readonly lastId: number
  /** Of that transaction, in lower-case hexadecimal: see chain.ts. */
  readonly hash: string
}

/** A mark is written whole or not at all, so that one of another form tells of a damaged disk. */
export type FoundMark = Mark | "unreadable" | null

export const markPathOf = (path: string): string => `${existsSync(path) ? realpathSync(path) : path}.mark`

/** Null where there is none. */
export function readMark(path: string): FoundMark {
  try {
    return parsed(readFileSync(markPathOf(path), "utf8"))
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return null
    throw error
  }
}

export const lineOf = ({ lastId, hash }: Mark): string => `${JSON.stringify({ last_id: lastId, hash })}\n`

/** The newest transaction of the database; id 0 and zeros where there is none. */
export function markOf(client: Database): Mark {
  const state = client
    .query<{ lastId: number; hash: Uint8Array }, []>("SELECT last_id AS lastId, last_hash AS hash FROM ledger_state")
    .get()
  return { lastId: state?.lastId ?? 0, hash: (state?.hash ?? new Uint8Array(32)).toHex() }
}

/** What the mark knows of and this database does not have, as a sentence; null when it has all of it. */
export function behindMark(client: Database, mark: FoundMark): string | null {
  if (mark === null) return null
  if (mark === "unreadable")
    return "its mark file cannot be read, so that nobody can tell whether transactions are missing"
  const { lastId } = markOf(client)
  if (lastId < mark.lastId) return `${named(lastId + 1, mark.lastId)} missing`
  const there = client
    .query<{ hash: Uint8Array }, [number]>("SELECT hash FROM transactions WHERE id = ?")
    .get(mark.lastId)
  const isTheSame = mark.lastId === 0 || there?.hash.toHex() === mark.hash
  return isTheSame ? null : `transaction ${mark.lastId} is not the one that was recorded`
}

/** @throws DatabaseUnusable when transactions that the mark knows of are not in the database */
export function refuseBehindMark(client: Database, path: string) {
  const fault = behindMark(client, readMark(path))
  if (fault !== null) throw new DatabaseUnusable(`${fault}; ${waysOn}`)
}

/** A new file in the place of one that is gone would hide that everything is missing.
 *  @throws DatabaseUnusable */
export function refuseMissing(path: string) {
  if (!existsSync(path) && knowsOfAny(readMark(path)))
    throw new DatabaseUnusable(`it is missing, but its mark file is there; ${waysOn}`)
}

/** Whether there were transactions, or nobody can tell. */
export const knowsOfAny = (mark: FoundMark): boolean => mark !== null && (mark === "unreadable" || mark.lastId > 0)

/** The mark follows the database as it is, also when it knew of more. Null where no ledger is in the place. */
export function acceptMark(client: Database | null, path: string) {
  if (!client) return forgetMark(path)
  // Inside the write lock: a process that has the database open writes the mark too.
  client.transaction(() => putMark(path, markOf(client))).immediate()
}

/** Also in the place of one that knows of more. */
export function putMark(path: string, mark: Mark) {
  const file = markPathOf(path)
  const partial = partialOf(file)
  createPrivateFile(partial, path)
  writeFileSync(partial, lineOf(mark))
  syncFile(partial)
  renameSync(partial, file)
  syncFolderOf(file)
}

/** Where another ledger takes the place of this one. */
export function forgetMark(path: string) {
  const file = markPathOf(path)
  rmSync(file, { force: true })
  syncFolderOf(file)
}

const waysOn =
  "put a backup in its place with `rewards restore FILE`, or look with `rewards verify` and go on without them with " +
  "`rewards verify --accept`"

const named = (first: number, last: number): string =>
  first === last
    ? `transaction ${first}, which was recorded, is`
    : `transactions ${first} to ${last}, which were recorded, are`

function parsed(text: string): FoundMark {
  const match = /^\{"last_id":(\d{1,16}),"hash":"([0-9a-f]{64})"\}\n$/.exec(text)
  const [, lastId = "", hash = ""] = match ?? []
  return match ? { lastId: Number(lastId), hash } : "unreadable"
}
