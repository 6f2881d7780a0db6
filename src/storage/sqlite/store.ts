import type { Clock } from "../../domain/model.ts"
import type { Store, StoreHealth } from "../../domain/store.ts"
import { createLog, type Log } from "../../log.ts"
import { createAuditStore } from "./audit.ts"
import { createSessionStore } from "./auth/sessions.ts"
import { type OpenOptions, openConnection } from "./database/open.ts"
import { createExportStore } from "./exports.ts"
import { createHealth } from "./health.ts"
import { createJobStore } from "./jobs.ts"
import type { ObserveCommit } from "./ledger/append.ts"
import { createLedgerStore } from "./ledger/ledger.ts"
import { createWatermarkWriter } from "./maintenance/watermark.ts"
import { createDirectory } from "./people/directory.ts"
import { createUserStore } from "./people/users.ts"
import { createStatisticsStore } from "./recognition/leaderboard-snapshots.ts"
import { createRecognitionStore } from "./recognition/recognitions.ts"

export interface SqliteStore extends Store {
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  readonly health: StoreHealth
}

export interface StoreOptions extends Pick<OpenOptions, "path" | "verifyMb"> {
  readonly clock?: Clock
  readonly log?: Log
  /** Called at each step of a migration of an existing database; by default the steps are logged. */
  readonly onMigrating?: OpenOptions["onMigrating"]
  /** Called when nothing can be written any more, because what is on disk is unknown or the files are gone. The process
   *  should end. */
  readonly onUnusable?: OpenOptions["onUnusable"]
  /** Called after every commit of the ledger. */
  readonly onCommit?: ObserveCommit | undefined
}

/** The embedded store: one SQLite file, which several processes may have open.
 *  @throws DatabaseUnusable with the cure, when the file cannot be served. */
export async function openStore(options: StoreOptions): Promise<SqliteStore> {
  const { path, verifyMb, clock = Date.now, log = createLog(), onUnusable = () => {} } = options
  const onMigrating = options.onMigrating ?? ((text) => logAtOnce(log, text))
  const connection = await openConnection({ path, now: clock(), log, onMigrating, onUnusable, verifyMb })
  const { client, write } = connection
  const ledger = createLedgerStore(connection, options.onCommit)
  const watermark = createWatermarkWriter({ client, write, path, now: clock(), log })
  ledger.onAppend(watermark.schedule)

  return {
    migrated: connection.migrated,
    users: createUserStore(connection),
    people: createDirectory(connection),
    statistics: createStatisticsStore(connection),
    ledger,
    recognitions: createRecognitionStore(connection),
    sessions: createSessionStore(connection),
    audit: createAuditStore(connection),
    exports: createExportStore(connection),
    jobs: createJobStore(connection),
    health: createHealth(connection, path),
    async close() {
      await ledger.drained()
      await watermark.close()
      connection.close()
    },
  }
}

/** A migration blocks the event loop, and a log line would be written only after it. */
function logAtOnce(log: Log, text: string) {
  log.info(text)
  log.flush()
}
