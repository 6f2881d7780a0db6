import type { DatabaseUrl } from "../../config/database-url.ts"
import { createCalendar } from "../../domain/calendar.ts"
import { createLog } from "../../support/log.ts"
import type { OpenStore, StoreOptions } from "../open-store.ts"
import { createStores } from "../stores.ts"
import { createDatabase } from "./database/database.ts"
import { openDatabase } from "./database/open.ts"
import { createHealth } from "./health.ts"

interface PostgresOptions extends Omit<StoreOptions, "db" | "verifyMb" | "onUnusable"> {
  readonly url: DatabaseUrl
  readonly poolSize: number
}

/** A PostgreSQL database, which several processes on several machines may have open.
 *  @throws DatabaseUnusable with the cure, when it cannot be used */
export async function openStore(options: PostgresOptions): Promise<OpenStore> {
  const { url, poolSize, clock = Date.now, log = createLog(), onCommit } = options
  const onMigrating = options.onMigrating ?? log.info
  const { client, migrated } = await openDatabase({ url, poolSize, now: clock(), log, onMigrating })
  const calendar = createCalendar(options.timeZone ?? "UTC")
  const database = createDatabase(client)
  const listen = (tell: () => void) => client.listen(channel, tell, tell)
  const stores = createStores(database, { calendar, ledger: { onCommit, listen }, scrub: async () => {} })

  return {
    ...stores,
    migrated,
    health: createHealth(client, database, url),
    file: null,
    async close() {
      await stores.ledger.drained()
      await client.close()
    },
  }
}

/** On which the database notifies of appended transactions (drizzle/postgres/0000_init.sql). */
const channel = "rewards_ledger"
