import type { Database } from "bun:sqlite"
import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs"
import { systemCodeOf, writeProblemOf } from "../../../support/system-errors.ts"
import { DatabaseUnusable } from "../../open-store.ts"
import { waitingFor } from "./client.ts"
import { isBusy } from "./errors.ts"

/** The header of a WAL, and of each page in it: https://sqlite.org/fileformat.html */
const headerBytes = 32
const frameHeaderBytes = 24
const chunkBytes = 1_048_576

/**
 * Writes the WAL over itself and syncs it, before it is written back. After a failed sync its last commits may be in the memory
 * of the system alone. A power cut while they are written back would leave some of their pages in the database and nothing
 * of the commits. Leaves it out while another process writes: that process syncs the WAL too.
 * @throws DatabaseUnusable when the disk fails
 */
export function rewriteWal(client: Database, walPath: string) {
  const { log = 0 } = client.query<{ log: number }, []>("PRAGMA wal_checkpoint(NOOP)").get() ?? {}
  if (log <= 0) return
  const { page_size = 0 } = client.query<{ page_size: number }, []>("PRAGMA page_size").get() ?? {}
  try {
    waitingFor(0, client, () => client.run("BEGIN IMMEDIATE"))
    copyOntoItself(walPath, headerBytes + log * (frameHeaderBytes + page_size))
    client.run("ROLLBACK")
  } catch (error) {
    if (isBusy(error)) return
    throw systemCodeOf(error) === "" ? error : new DatabaseUnusable(writeProblemOf(error, walPath), { cause: error })
  }
}

function copyOntoItself(path: string, bytes: number) {
  const file = openSync(path, "r+")
  try {
    const chunk = Buffer.alloc(chunkBytes)
    for (let at = 0; at < bytes; at += chunkBytes)
      writeSync(file, chunk, 0, readSync(file, chunk, 0, Math.min(chunkBytes, bytes - at), at), at)
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}
