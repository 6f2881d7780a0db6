import type { DatabaseUrl } from "../../config/database-url.ts"
import { createCalendar } from "../../domain/calendar.ts"
import { createLog } from "../../support/log.ts"
import { tokensByHash } from "../auth/api-tokens.ts"
import type { OpenStore, StoreOptions } from "../open-store.ts"
import { withOccasions } from "../recognition/occasions.ts"
import { createStores } from "../stores.ts"
import { createFindSession } from "./auth/sessions.ts"
import { createDatabase } from "./database/database.ts"
import { gatherByTick } from "./database/gather.ts"
import { openDatabase } from "./database/open.ts"
import { createExportStore } from "./exports.ts"
import { createHealth } from "./health.ts"
import { createLedgerStore } from "./ledger/ledger.ts"
import { createUserStore } from "./people/users.ts"
import { createDays } from "./recognition/days.ts"
import { createReceivedRecognitions } from "./recognition/received.ts"
import { createRecognitionStore } from "./recognition/recognitions.ts"

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
  const ledger = createLedgerStore(client, onCommit)
  const stores = createStores(database, {
    calendar,
    log,
    received: createReceivedRecognitions(client),
    daysOf: createDays(client, calendar),
  })

  return {
    ...stores,
    migrated,
    users: createUserStore(client, database),
    ledger,
    recognitions: withOccasions(database, createRecognitionStore(client)),
    sessions: { ...stores.sessions, find: createFindSession(client) },
    apiTokens: {
      ...stores.apiTokens,
      find: gatherByTick((hashes: readonly string[]) => tokensByHash(database, hashes)),
    },
    exports: createExportStore(client, database),
    health: createHealth(client, database, url),
    file: null,
    async close() {
      await ledger.drained()
      await client.close()
    },
  }
}
