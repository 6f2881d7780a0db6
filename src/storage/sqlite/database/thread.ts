/** The code of the thread, as a text: the executable contains no separate file to start a thread from. */
const work = `
import { Database } from "bun:sqlite"
self.onmessage = ({ data: { path, statements } }) => {
  let client, row = null, error = null
  try {
    client = new Database(path, { readwrite: true, create: false })
    client.run("PRAGMA busy_timeout = 5000")
    client.run("PRAGMA synchronous = FULL")
    client.run("PRAGMA wal_autocheckpoint = 0")
    for (const statement of statements) row = client.query(statement).get()
  } catch (thrown) {
    error = { code: String(thrown.code), message: String(thrown.message) }
  }
  client?.close()
  self.postMessage({ row, error })
}`

interface Outcome<Row> {
  readonly row: Row | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/**
 * Runs statements in a thread, on a connection of its own, so that they do not block the event loop. Returns the first
 * row of the last statement. @throws the error of SQLite, with its code
 */
export async function inThread<Row>(path: string, statements: readonly string[]): Promise<Row | null> {
  const url = URL.createObjectURL(new Blob([work], { type: "application/javascript" }))
  const worker = new Worker(url)
  try {
    const { row, error } = await new Promise<Outcome<Row>>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Outcome<Row>>) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage({ path, statements })
    })
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return row
  } finally {
    worker.terminate()
    URL.revokeObjectURL(url)
  }
}
