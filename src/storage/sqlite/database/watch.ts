import { realpathSync, type Stats } from "node:fs"
import { DatabaseUnusable } from "../../opening.ts"
import { isSameFile, statOf } from "./files.ts"

const everyMs = 500

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

  const timer = setInterval(() => {
    const fault = lost()
    if (fault === null) return
    clearInterval(timer)
    fail(fault)
  }, everyMs)
  timer.unref()

  return {
    /** The reason when a file was removed or replaced; null while all are in place. */
    lost,
    stop: () => clearInterval(timer),
  }

  function lost(): DatabaseUnusable | null {
    const moved = files.find(({ name, opened }) => !isSameFile(opened, statOrGone(name)))
    if (!moved) return null
    return new DatabaseUnusable(
      `${moved.name} was removed or replaced while it was open, and nothing more is acknowledged; start again, and ` +
        "where that is refused, put a backup in its place with `rewards restore FILE`",
    )
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
