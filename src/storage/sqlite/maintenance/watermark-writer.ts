import { renameSync, rmSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import type { Log } from "../../../log.ts"
import type { Connection } from "../database/connection.ts"
import { createPrivateFile, partialOf, removeAbandoned } from "../database/files.ts"
import { lineOf, type Mark, markOf, markPathOf, readMark } from "./watermark.ts"

/** Commits within this time share one writing; with the writing itself it takes less than a second. */
const gatherMs = 500
const againMs = 10_000

interface Marked {
  readonly connection: Pick<Connection, "client" | "write">
  readonly path: string
  readonly now: number
  readonly log: Log
}

/**
 * Keeps the mark behind the commits of this process. Writing and syncing happen beside the event loop; only putting the
 * file in place is done at once, inside the write lock: among several processes it never goes backwards so.
 */
export function createMarking({ connection: { client, write }, path, now, log }: Marked) {
  const file = markPathOf(path)
  let timer: Timer | undefined
  let writing: Promise<void> | undefined
  let failing = false

  removeAbandoned(file, now)
  if (isNewer(markOf(client))) soon(gatherMs)

  return {
    /** After a commit that appended. */
    follow: () => soon(gatherMs),
    /** The mark stands at the last commit when this resolves, unless it cannot be written. */
    async close() {
      clearTimeout(timer) // It must not begin another writing while this one ends.
      await writing
      if (timer) await follow()
      clearTimeout(timer)
    },
  }

  function isNewer({ lastId }: Mark): boolean {
    const mark = readMark(path)
    return mark === null || mark === "unreadable" || mark.lastId < lastId
  }

  function soon(ms: number) {
    if (timer) return
    timer = setTimeout(() => {
      writing = follow()
    }, ms)
    timer.unref()
  }

  async function follow() {
    clearTimeout(timer)
    timer = undefined
    const partial = partialOf(file)
    try {
      const mark = markOf(client)
      createPrivateFile(partial, path)
      await written(partial, "r+", (handle) => handle.writeFile(lineOf(mark)))
      write(() => {
        if (isNewer(mark)) renameSync(partial, file)
      })
      if (process.platform !== "win32") await written(dirname(file), "r", async () => {})
      if (failing) log.info("the mark file of the database can be written again")
      failing = false
    } catch (error) {
      if (!failing)
        log.error("the mark file of the database cannot be written; it is tried again", { error: String(error) })
      failing = true
      soon(againMs)
    } finally {
      rmSync(partial, { force: true })
    }
  }
}

/** Opens a file or folder, and syncs it behind `work`. */
async function written(path: string, flags: string, work: (handle: FileHandle) => Promise<void>) {
  const handle = await open(path, flags)
  try {
    await work(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
