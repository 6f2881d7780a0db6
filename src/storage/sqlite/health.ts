import { statSync } from "node:fs"
import type { StoreHealth } from "../../domain/health.ts"
import { rootCodeOf } from "../../support/system-errors.ts"
import { readCounts } from "../health.ts"
import type { Connection } from "./database/connection.ts"
import { applicationId } from "./database/migrations.ts"

export function createHealth({ writer, database, write }: Connection, path: string): StoreHealth {
  // Setting the id that is already set still writes a page to the WAL. Updating a row to what it holds does not, but
  // tells `createWrites` that this is a write.
  const touch = writer.prepare(`PRAGMA application_id = ${applicationId}`)
  const count = writer.prepare("UPDATE ledger_state SET transaction_count = transaction_count")

  return {
    async checkWritable() {
      try {
        await write(() => {
          touch.run()
          count.run()
        })
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
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
