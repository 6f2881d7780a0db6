import { statSync } from "node:fs"
import { openConnection } from "../../src/storage/sqlite/database/open.ts"
import { createLog } from "../../src/support/log.ts"

/** Opens the database PATH, commits, and meets a failed sync. Prints the size of the WAL, and ends: `exit`, `throw` or `end`. */

const [path = "", how] = process.argv.slice(2)
let isBroken = false
const connection = await openConnection({
  path,
  now: 1,
  log: createLog(() => {}),
  onMigrating: () => {},
  onUnusable: () => {},
  sync: async () => {
    if (isBroken) throw new Error("the disk failed")
  },
})
isBroken = true
await connection
  .write(() => {
    connection.writer.run("CREATE TABLE filler (bytes BLOB) STRICT")
    connection.writer.run("INSERT INTO filler VALUES (zeroblob(8000000))")
  })
  .catch(() => {})
await Bun.write(Bun.stdout, String(statSync(`${path}-wal`).size))
if (how === "exit") process.exit(1)
if (how === "throw") throw new Error("a bug")
