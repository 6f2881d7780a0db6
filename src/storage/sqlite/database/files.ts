import {
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { DatabaseUnusable } from "../../open-store.ts"

/** A partial file that is older was left by a process that was killed. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

/** A new name beside `file`, on the same file system, for the file that will replace it. */
export const partialOf = (file: string): string => `${file}.partial-${crypto.randomUUID().slice(0, 8)}`

/**
 * Creates an empty file that only its owner can read. The owner is that of `like`, even when root creates it: the
 * server must be able to open the file.
 */
export function createPrivateFile(file: string, like: string) {
  closeSync(openSync(file, "wx", 0o600))
  const [mine, theirs] = [statSync(file), statOf(like) ?? statSync(dirname(like))]
  if (mine.uid !== theirs.uid && mine.uid === 0) chownSync(file, theirs.uid, theirs.gid)
}

/** UTC, for file names: `20260105T090000Z`. */
export const sortableTime = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "")

export const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false })

/** The file that a path leads to over symbolic links. The file need not exist. @throws system errors */
export function linkTargetOf(path: string): string {
  const file = join(realpathSync(dirname(path)), basename(path))
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
  return isLink ? linkTargetOf(resolve(dirname(file), readlinkSync(file))) : file
}

export const isSameFile = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.dev === other?.dev && one.ino === other.ino

/** Writes the file's content to the disk before it returns. */
export function syncFile(file: string) {
  const handle = openSync(file, "r+")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes created, renamed and removed names in the folder of `file` to the disk before it returns. */
export function syncFolderOf(file: string) {
  // Windows cannot open folders, and writes names through.
  if (process.platform === "win32") return
  const handle = openSync(dirname(file), "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Removes a partial file and the files that SQLite puts beside it. */
export function removePartial(partial: string) {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true })
}

/** Removes partial files of `file` that killed processes left. */
export function removeAbandoned(file: string, now: number) {
  const [folder, prefix] = [dirname(file), `${basename(file)}.partial-`]
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.startsWith(prefix) && now - (statOf(path)?.mtimeMs ?? now) > abandonedAfterMs)
      rmSync(path, { force: true })
  }
}

/** Bytes that this process may still write to the disk of the database at `path`. @throws system errors */
export async function freeBytesAt(path: string): Promise<number> {
  const { statfs } = await import("node:fs/promises")
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize
}

const everyMs = 500

/** Two changes of a folder within this time may leave the same modification time. */
const folderTimeMs = 50

interface Watched {
  readonly path: string
  /** The database file as it was when it was opened. */
  readonly file: Stats | undefined
  readonly fail: (error: unknown) => void
}

/**
 * Notices when the database is removed or replaced while it is open. The system would let this process go on with files
 * that nobody else sees, and its writes would be lost. Checks after each commit, before it is acknowledged, and by a timer,
 * for a server without writes. Calls `fail` with the reason.
 */
export function watchFiles({ path, file, fail }: Watched) {
  const target = realpathSync(path)
  const beside = [`${target}-wal`, `${target}-shm`].map((name) => ({ name, opened: statOf(name) }))
  const files = [{ name: path, opened: file }, ...beside]
  const folders = watchFolders([dirname(path), dirname(target)])

  const timer = setInterval(() => {
    const fault = lostFile()
    if (fault === null) return
    clearInterval(timer)
    fail(fault)
  }, everyMs)
  timer.unref()

  return {
    /**
     * The reason when a file was removed or replaced; null while all are in place. Looks at the files only when their folder
     * has changed: reading the times of the WAL makes the next sync write its inode too, which takes a quarter longer.
     */
    lost: () => (folders.areUnchanged() ? null : lostFile()),
    stop: () => clearInterval(timer),
  }

  function lostFile(): DatabaseUnusable | null {
    const moved = files.find(({ name, opened }) => !isSameFile(opened, statOrGone(name)))
    if (!moved) return null
    return new DatabaseUnusable(
      `${moved.name} was removed or replaced while it was open, and nothing more is acknowledged; start again, and ` +
        "where that is refused, restore a backup with `rewards restore FILE`",
    )
  }
}

/** Tells whether names may have been added, removed or replaced in these folders. */
function watchFolders(paths: readonly string[]) {
  const watched = paths
    .map((path) => ({ path, seen: statOrGone(path), since: performance.now(), isSettled: false }))
    .filter(({ seen }, index, all) => all.findIndex((other) => isSameFile(other.seen, seen)) === index)

  return {
    /** Whether nothing can have changed since the last call. If false, check the files: the next call assumes that. */
    areUnchanged: (): boolean => watched.map(isUnchanged).every(Boolean),
  }

  function isUnchanged(folder: (typeof watched)[number]): boolean {
    const found = statOrGone(folder.path)
    const now = performance.now()
    if (found === undefined || !isSameFile(folder.seen, found) || folder.seen?.mtimeMs !== found.mtimeMs) {
      Object.assign(folder, { seen: found, since: now, isSettled: false })
      return false
    }
    // Another change right after the one that was seen may leave the same time. So the files are checked until
    // `folderTimeMs` is over, and once more after it. A file system that stores whole seconds hides later changes too,
    // so the files are always checked.
    const wasSettled = folder.isSettled
    folder.isSettled = now - folder.since > folderTimeMs && found.mtimeMs % 1000 !== 0
    return wasSettled
  }
}

/** Undefined for a file that is gone or cannot be read. */
function statOrGone(file: string): Stats | undefined {
  try {
    return statOf(file)
  } catch {
    return undefined
  }
}
