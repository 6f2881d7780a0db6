import { Database } from "bun:sqlite"
import { migrate, migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { medals } from "./later-version.ts"

/**
 * Migrates the database that the argument names, and dies before the commit. By then every change is on disk, in the
 * WAL.
 */
const [path = ""] = process.argv.slice(2)
const client = new Database(path, { strict: true })
client.run("PRAGMA cache_size = 1") // pages go to the WAL before the commit
const dying = new Proxy(client, {
  get(target, name) {
    const value: unknown = Reflect.get(target, name)
    if (typeof value !== "function") return value
    return (...args: unknown[]) => {
      if (args[0] === "COMMIT") process.kill(process.pid, "SIGKILL")
      return value.apply(target, args)
    }
  },
})
migrate(dying, 1, [...migrations, medals])
