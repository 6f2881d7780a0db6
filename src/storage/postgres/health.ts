import type { DatabaseUrl } from "../../config/database-url.ts"
import type { StoreHealth } from "../../domain/health.ts"
import { rootCodeOf } from "../../support/system-errors.ts"
import type { Database } from "../database.ts"
import { readCounts } from "../health.ts"
import type { Client } from "./database/client.ts"
import { cureOf } from "./database/errors.ts"

/** `StoreHealth`. */
export function createHealth(client: Client, database: Database, url: DatabaseUrl): StoreHealth {
  return {
    async checkWritable() {
      try {
        await client.query("SELECT pg_logical_emit_message(true, 'rewards', '')") // waits for the disk, like any commit
        return null
      } catch (error) {
        return [rootCodeOf(error), cureOf(error, url)].filter(Boolean).join("; ")
      }
    },

    async read(now) {
      const [counts, [size]] = await Promise.all([
        readCounts(database, now),
        client.query<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes"),
      ])
      return { ...counts, databaseBytes: size?.bytes ?? 0, walBytes: 0 }
    },
  }
}
