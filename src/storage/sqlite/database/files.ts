import { chownSync, closeSync, fsyncSync, openSync, readdirSync, rmSync, type Stats, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** Another one with such a name, half written, is nobody's any more after this time. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

/** A new name beside `file`, on the same file system, for what will take its place. */
export const partialOf = (file: string): string => `${file}.partial-${crypto.randomUUID().slice(0, 8)}`

/**
 * Creates an empty file that its owner alone can read. It belongs to whom `like` belongs to, also when root does this:
 * the server must be able to open what was put in place for it.
 */
export function createPrivateFile(file: string, like: string) {
  closeSync(openSync(file, "wx", 0o600))
  const [mine, theirs] = [statSync(file), statOf(like) ?? statSync(dirname(like))]
  if (mine.uid !== theirs.uid && mine.uid === 0) chownSync(file, theirs.uid, theirs.gid)
}

/** UTC, for names of files: `20260105T090000Z`. */
export const sortableTime = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "")

export const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false })

export const isSameFile = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.dev === other?.dev && one.ino === other.ino

/** What was written is on the disk when this returns. */
export function syncFile(file: string) {
  const handle = openSync(file, "r+")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Names that were made, changed or removed in the folder of `file` are on the disk when this returns. */
export function syncFolderOf(file: string) {
  // Windows opens no folders, and writes names through.
  if (process.platform === "win32") return
  const handle = openSync(dirname(file), "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Removes what was begun under this name, and what SQLite puts beside it. */
export function removePartial(partial: string) {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true })
}

/** Removes what processes that were killed have left of `file`. */
export function removeAbandoned(file: string, now: number) {
  const [folder, prefix] = [dirname(file), `${basename(file)}.partial-`]
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.startsWith(prefix) && now - (statOf(path)?.mtimeMs ?? now) > abandonedAfterMs)
      rmSync(path, { force: true })
  }
}
