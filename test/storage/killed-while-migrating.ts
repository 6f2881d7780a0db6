import { Database } from "bun:sqlite"
import { migrate } from "../../src/storage/sqlite/migrate.ts"
import { migrations } from "../../src/storage/sqlite/migrations.ts"

/** Migrates the database that its argument names, and dies as soon as half of the rows are written. */
const [path = ""] = process.argv.slice(2)
const fatal = migrations.map((migration) => ({
  ...migration,
  backfill: (client: Database) =>
    migration.backfill?.(client, (text) => {
      if (text.startsWith("20,000 of")) process.kill(process.pid, "SIGKILL")
    }),
}))
migrate(new Database(path, { strict: true }), 1, fatal)
