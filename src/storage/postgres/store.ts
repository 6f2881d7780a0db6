import type { DatabaseUrl } from "../../config/database-url.ts"
import { createLog } from "../../log.ts"
import type { StoreOptions } from "../opening.ts"
import { createAuditStore } from "./audit.ts"
import { openDatabase } from "./database/open.ts"

interface PostgresOptions extends Omit<StoreOptions, "db" | "verifyMb" | "onUnusable"> {
  readonly url: DatabaseUrl
  readonly poolSize: number
}

/** A PostgreSQL database, which several processes on several machines may have open.
 *  @throws DatabaseUnusable with the cure, when it cannot be used */
export async function openStore({ url, poolSize, clock = Date.now, log = createLog(), ...options }: PostgresOptions) {
  const onMigrating = options.onMigrating ?? log.info
  const { client, migrated } = await openDatabase({ url, poolSize, now: clock(), log, onMigrating })
  return {
    migrated,
    audit: createAuditStore(client),
    file: null,
    close: client.close,
  }
}
