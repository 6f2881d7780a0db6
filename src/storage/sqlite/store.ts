import { createCalendar } from "../../domain/calendar.ts"
import { createLog, type Log } from "../../support/log.ts"
import type { OpenStore, StoreOptions } from "../open-store.ts"
import { createStores } from "../stores.ts"
import { freeBytesAt } from "./database/files.ts"
import { openConnection } from "./database/open.ts"
import { openHere, openThread } from "./database/threads.ts"
import { createHealth } from "./health.ts"
import { backUp } from "./maintenance/backup.ts"
import { createBackupFolder, createBackupSchedule } from "./maintenance/backup-schedule.ts"
import { createWatermarkWriter } from "./maintenance/watermark.ts"

interface SqliteOptions extends Omit<StoreOptions, "db"> {
  /** The database file. */
  readonly path: string
}

/** The embedded store: one SQLite file, which several processes may have open.
 *  @throws DatabaseUnusable with the cure, when the file cannot be served. */
export async function openStore(options: SqliteOptions): Promise<OpenStore> {
  const { path, verifyMb, clock = Date.now, log = createLog(), onUnusable = () => {}, onCommit, inThreads } = options
  const onMigrating = options.onMigrating ?? ((text) => logAtOnce(log, text))
  const calendar = createCalendar(options.timeZone ?? "UTC")
  const openRuns = inThreads ? openThread : openHere
  const connection = await openConnection({ path, now: clock(), log, onMigrating, onUnusable, verifyMb, openRuns })
  const { database, scrub, migrated } = connection
  const stores = createStores(database, { calendar, ledger: { onCommit }, scrub })
  const watermark = await createWatermarkWriter({ database, path, now: clock(), log })
  stores.ledger.onAppend(watermark.schedule)

  return {
    ...stores,
    migrated,
    health: createHealth(database, path),
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
      await stores.ledger.drained()
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
