import { realpathSync, type Stats } from "node:fs"
import { DatabaseUnusable } from "./errors.ts"
import { isSameFile, statOf } from "./files.ts"

const everyMs = 500

interface Watched {
  readonly path: string
  /** The database file as it was when it was opened. */
  readonly file: Stats | undefined
  readonly fail: (error: unknown) => void
}

/**
 * Notices that the database was removed or replaced while it is open: the system lets this process go on with files
 * that nobody else sees any more, and what it writes there is lost. Looks after each commit, before anybody is answered,
 * and by time, for a server that nobody writes to. `fail` is called with the reason.
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
    /** What is wrong; null when all files are in their places. */
    lost,
    stop: () => clearInterval(timer),
  }

  function lost(): DatabaseUnusable | null {
    const moved = files.find(({ name, opened }) => !isSameFile(opened, lookedAt(name)))
    if (!moved) return null
    return new DatabaseUnusable(
      `${moved.name} was removed or replaced while it was open, and nothing more is acknowledged; start again, and ` +
        "where that is refused, put a backup in its place with `rewards restore FILE`",
    )
  }
}

/** A file that cannot be looked at is as good as gone. */
function lookedAt(file: string): Stats | undefined {
  try {
    return statOf(file)
  } catch {
    return undefined
  }
}
