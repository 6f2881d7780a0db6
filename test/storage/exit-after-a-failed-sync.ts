import { statSync } from "node:fs"
import { raw } from "../../src/storage/sql.ts"
import { openConnection } from "../../src/storage/sqlite/database/open.ts"
import { openHere, openThread } from "../../src/storage/sqlite/database/threads.ts"
import { createLog } from "../../src/support/log.ts"

/*
 * A helper of sqlite/database/failed-sync.test.ts, with the arguments PATH exit|throw|end here|threads. Opens a database,
 * commits, and meets a commit that fails, as a failed sync would make it. Prints the size of the WAL, and ends.
 */

const [path = "", how, where] = process.argv.slice(2)
const unusable = Promise.withResolvers<unknown>()
const { database } = await openConnection({
  path,
  now: 1,
  log: createLog(() => {}),
  onMigrating: () => {},
  onUnusable: unusable.resolve,
  openRuns: where === "threads" ? openThread : openHere,
})
const change = (...statements: readonly string[]) =>
  database.write(async (tx) => {
    for (const statement of statements) tx.send(raw(statement))
  })
await change("CREATE TABLE filler (bytes BLOB) STRICT", "INSERT INTO filler VALUES (zeroblob(2000000))")
const orphan = "INSERT INTO balances (user_id, value, received_count, sent_count) VALUES (99, 0, 0, 0)"
await change("PRAGMA defer_foreign_keys = ON", orphan).catch(() => {})
await unusable.promise
await Bun.write(Bun.stdout, String(statSync(`${path}-wal`).size))
if (how === "exit") process.exit(1)
if (how === "throw") throw new Error("a bug")
