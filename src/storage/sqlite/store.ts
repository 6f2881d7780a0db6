import { createCalendar } from "../../domain/calendar.ts"
import { createLog, type Log } from "../../support/log.ts"
import type { OpenStore, StoreOptions } from "../open-store.ts"
import { withOccasions } from "../recognition/occasions.ts"
import { createStores } from "../stores.ts"
import { freeBytesAt } from "./database/files.ts"
import { openConnection } from "./database/open.ts"
import { createExportStore } from "./exports.ts"
import { createHealth } from "./health.ts"
import { createLedgerStore } from "./ledger/ledger.ts"
import { backUp } from "./maintenance/backup.ts"
import { createBackupFolder, createBackupSchedule } from "./maintenance/backup-schedule.ts"
import { createWatermarkWriter } from "./maintenance/watermark.ts"
import { createUserStore } from "./people/users.ts"
import { createDays } from "./recognition/days.ts"
import { createReceivedRecognitions } from "./recognition/received.ts"
import { createRecognitionStore } from "./recognition/recognitions.ts"

interface SqliteOptions extends Omit<StoreOptions, "db"> {
  /** The database file. */
  readonly path: string
}

/** The embedded store: one SQLite file, which several processes may have open.
 *  @throws DatabaseUnusable with the cure, when the file cannot be served. */
export async function openStore(options: SqliteOptions): Promise<OpenStore> {
  const { path, verifyMb, clock = Date.now, log = createLog(), onUnusable = () => {} } = options
  const onMigrating = options.onMigrating ?? ((text) => logAtOnce(log, text))
  const calendar = createCalendar(options.timeZone ?? "UTC")
  const connection = await openConnection({ path, now: clock(), log, onMigrating, onUnusable, verifyMb })
  const { reader, write } = connection
  const ledger = createLedgerStore(connection, options.onCommit)
  const watermark = createWatermarkWriter({ reader, write, path, now: clock(), log })
  ledger.onAppend(watermark.schedule)
  const stores = createStores(connection.database, {
    calendar,
    log,
    received: createReceivedRecognitions(reader),
    daysOf: createDays(reader, calendar),
  })

  return {
    ...stores,
    migrated: connection.migrated,
    users: createUserStore(connection),
    ledger,
    recognitions: withOccasions(connection.database, createRecognitionStore(reader)),
    exports: createExportStore(connection),
    health: createHealth(connection, path),
    file: {
      path,
      freeBytes: () => freeBytesAt(path),
      scheduleBackups: ({ dir, backUp: makeBackup, ...plan }) =>
        createBackupSchedule({
          ...plan,
          schedule: stores.schedule,
          folder: createBackupFolder({ path, dir }),
          backUp: makeBackup ?? (async (file) => void (await backUp({ path, file, now: plan.clock() }))),
        }),
    },
    async close() {
      await ledger.drained()
      await watermark.close()
      await connection.close()
    },
  }
}

/** Flushes the line at once. Otherwise it would appear only after the migration, which blocks the event loop. */
function logAtOnce(log: Log, text: string) {
  log.info(text)
  log.flush()
}
