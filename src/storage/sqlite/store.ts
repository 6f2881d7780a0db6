import { createCalendar } from "../../domain/calendar.ts"
import { createLog, type Log } from "../../support/log.ts"
import { createAllowanceStore } from "../allowances.ts"
import { createAuditStore } from "../audit.ts"
import { createApiTokenStore } from "../auth/api-tokens.ts"
import { createIdentityStore } from "../auth/identities.ts"
import { createRateLimitStore } from "../auth/rate-limits.ts"
import { createSecondFactorStore } from "../auth/second-factors.ts"
import { createSessionStore } from "../auth/sessions.ts"
import { createIdempotencyStore } from "../idempotency.ts"
import { createJobStore, createScheduleStore } from "../jobs.ts"
import type { OpenStore, StoreOptions } from "../open-store.ts"
import { createPeopleStore, createProvisionedStore } from "../people/people.ts"
import { createInsightStore } from "../recognition/insights.ts"
import { createMailStore } from "../recognition/mail.ts"
import { createNotificationStore } from "../recognition/notifications.ts"
import { createResponseStore } from "../recognition/responses.ts"
import { createStatisticsStore } from "../recognition/statistics.ts"
import { createRewardStore } from "../rewards.ts"
import { createEventStore } from "../webhooks/events.ts"
import { createWebhookStore } from "../webhooks/webhooks.ts"
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
  const schedule = createScheduleStore(connection.database)

  return {
    migrated: connection.migrated,
    users: createUserStore(connection),
    people: createPeopleStore(connection.database, log),
    statistics: {
      ...createStatisticsStore(connection.database, calendar),
      daysOf: createDays(connection.reader, calendar),
    },
    insights: createInsightStore(connection.database, calendar),
    ledger,
    idempotency: createIdempotencyStore(connection.database),
    allowances: createAllowanceStore(connection.database),
    rewards: createRewardStore(connection.database),
    recognitions: createRecognitionStore(connection.reader),
    responses: createResponseStore(connection.database),
    notifications: createNotificationStore(connection.database, createReceivedRecognitions(connection.reader)),
    sessions: createSessionStore(connection.database),
    identities: createIdentityStore(connection.database),
    apiTokens: createApiTokenStore(connection.database),
    provisioned: createProvisionedStore(connection.database),
    secondFactors: createSecondFactorStore(connection.database),
    rateLimits: createRateLimitStore(connection.database),
    audit: createAuditStore(connection.database),
    exports: createExportStore(connection),
    jobs: createJobStore(connection.database),
    mail: createMailStore(connection.database),
    events: createEventStore(connection.database),
    webhooks: createWebhookStore(connection.database),
    schedule,
    health: createHealth(connection, path),
    file: {
      path,
      freeBytes: () => freeBytesAt(path),
      scheduleBackups: ({ dir, backUp: makeBackup, ...plan }) =>
        createBackupSchedule({
          ...plan,
          schedule,
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
