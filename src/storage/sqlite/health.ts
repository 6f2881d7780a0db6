import { statSync } from "node:fs"
import type { StoreHealth } from "../../domain/health.ts"
import { rootCodeOf } from "../../support/system-errors.ts"
import type { Database } from "../database.ts"
import { readCounts } from "../health.ts"
import { raw, sql } from "../sql.ts"
import { ledgerState } from "../tables.ts"
import { applicationId } from "./database/migrations.ts"

/** Setting the id that is already set still writes a page to the WAL. Updating a row to what it holds counts as a write. */
const touches = [
  raw(`PRAGMA application_id = ${applicationId}`),
  sql`UPDATE ${ledgerState} SET transaction_count = transaction_count`,
]

export const createHealth = (database: Database, path: string): StoreHealth => ({
  async checkWritable() {
    try {
      await database.write(async (tx) => touches.map(tx.send))
      return null
    } catch (error) {
      return rootCodeOf(error)
    }
  },
  read: async (now) => ({
    ...(await readCounts(database, now)),
    databaseBytes: bytesOf(path),
    walBytes: bytesOf(`${path}-wal`),
  }),
})

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
