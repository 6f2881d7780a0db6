import type { Database } from "bun:sqlite"
import type { Log } from "../../../log.ts"
import { isFailedSync } from "./errors.ts"

/** How often to try again, and with which pauses, while another process reads or holds the lock. */
const attempts = 5
const pauseMs = 1000

/**
 * Writes the database anew and empties the WAL, so that nothing that was deleted is left in the files: SQLite leaves old
 * rows in free pages and in unused parts of pages, and `PRAGMA secure_delete` does not reach all of them. It takes about a
 * second of processor time for 150 MB and needs as much free space again. It runs in a thread, so the event loop goes on.
 */
export async function scrub({ filename }: Database, log: Log, fail: (error: unknown) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await inThread(filename)
    if (error === null) return
    if (isFailedSync(error)) fail(error)
    if (attempt === attempts || isFailedSync(error)) {
      log.error("erased data may be left in unused parts of the database files; run `rewards erase` again", {
        error: error.message,
      })
      return
    }
    await Bun.sleep(pauseMs)
  }
}

/** The code of the thread, as a text: the executable contains no separate file to start a thread from. */
const work = `
import { Database } from "bun:sqlite"
self.onmessage = ({ data: path }) => {
  let client, error = null
  try {
    client = new Database(path, { readwrite: true, create: false })
    client.run("PRAGMA busy_timeout = 5000")
    client.run("PRAGMA synchronous = FULL")
    client.run("PRAGMA wal_autocheckpoint = 0")
    client.run("VACUUM")
    const { busy } = client.query("PRAGMA wal_checkpoint(TRUNCATE)").get()
    if (busy !== 0) error = { code: "SQLITE_BUSY", message: "another process reads an old state of the database" }
  } catch (thrown) {
    error = { code: String(thrown.code), message: String(thrown.message) }
  }
  client?.close()
  self.postMessage(error)
}`

async function inThread(path: string): Promise<Error | null> {
  const url = URL.createObjectURL(new Blob([work], { type: "application/javascript" }))
  const worker = new Worker(url)
  try {
    return await new Promise<Error | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<{ code: string; message: string } | null>) =>
        resolve(data && Object.assign(new Error(data.message), { code: data.code }))
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage(path)
    })
  } finally {
    worker.terminate()
    URL.revokeObjectURL(url)
  }
}
