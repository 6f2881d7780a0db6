import type { DatabaseUrl } from "../../config/database-url.ts"
import { createCalendar } from "../../domain/calendar.ts"
import { createLog } from "../../support/log.ts"
import { createAllowanceStore } from "../allowances.ts"
import { createAuditStore } from "../audit.ts"
import { createApiTokenStore, tokensByHash } from "../auth/api-tokens.ts"
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

  return {
    migrated,
    users: createUserStore(client, database),
    people: createPeopleStore(database, log),
    statistics: { ...createStatisticsStore(database, calendar), daysOf: createDays(client, calendar) },
    insights: createInsightStore(database, calendar),
    ledger,
    idempotency: createIdempotencyStore(database),
    allowances: createAllowanceStore(database),
    rewards: createRewardStore(database),
    recognitions: createRecognitionStore(client),
    responses: createResponseStore(database),
    notifications: createNotificationStore(database, createReceivedRecognitions(client)),
    sessions: { ...createSessionStore(database), find: createFindSession(client) },
    identities: createIdentityStore(database),
    apiTokens: {
      ...createApiTokenStore(database),
      find: gatherByTick((hashes: readonly string[]) => tokensByHash(database, hashes)),
    },
    provisioned: createProvisionedStore(database),
    secondFactors: createSecondFactorStore(database),
    rateLimits: createRateLimitStore(database),
    audit: createAuditStore(database),
    exports: createExportStore(client, database),
    jobs: createJobStore(database),
    mail: createMailStore(database),
    events: createEventStore(database),
    webhooks: createWebhookStore(database),
    schedule: createScheduleStore(database),
    health: createHealth(client, database, url),
    file: null,
    async close() {
      await ledger.drained()
      await client.close()
    },
  }
}
