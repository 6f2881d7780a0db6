import type { Clock, Store } from "../../domain/store.ts"
import { createLog, type Log } from "../../log.ts"
import { type ConnectionOptions, openConnection } from "./connection.ts"
import { createJobStore } from "./jobs.ts"
import { createLedgerStore } from "./ledger.ts"
import { createSessionStore } from "./sessions.ts"
import { createUserStore } from "./users.ts"

export interface SqliteStore extends Store {
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
}

interface StoreOptions extends Pick<ConnectionOptions, "path"> {
  readonly clock?: Clock
  readonly log?: Log
  /** After it, the store writes nothing more: what is on disk is unknown, and the process should end. */
  readonly onFailedCommit?: ConnectionOptions["onFailedCommit"]
}

/** The embedded store: one SQLite file, which several processes may have open.
 *  @throws DatabaseUnusable with the cure, when the file cannot be served. */
export async function openStore(options: StoreOptions): Promise<SqliteStore> {
  const { path, clock = Date.now, log = createLog(), onFailedCommit = () => {} } = options
  const connection = await openConnection({ path, now: clock(), log, onFailedCommit })
  const ledger = createLedgerStore(connection)

  return {
    migrated: connection.migrated,
    users: createUserStore(connection),
    ledger,
    sessions: createSessionStore(connection),
    jobs: createJobStore(connection),
    async close() {
      await ledger.settled()
      connection.close()
    },
  }
}
