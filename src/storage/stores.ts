import type { Calendar } from "../domain/calendar.ts"
import { createAllowanceStore } from "./allowances.ts"
import { createAuditStore } from "./audit.ts"
import { createApiTokenStore } from "./auth/api-tokens.ts"
import { createIdentityStore } from "./auth/identities.ts"
import { createRateLimitStore } from "./auth/rate-limits.ts"
import { createSecondFactorStore } from "./auth/second-factors.ts"
import { createSessionStore } from "./auth/sessions.ts"
import type { Database } from "./database.ts"
import { createExportStore } from "./exports.ts"
import { createVersions } from "./gather.ts"
import { createIdempotencyStore } from "./idempotency.ts"
import { createJobStore, createScheduleStore } from "./jobs.ts"
import { createLedgerStore, type LedgerOptions } from "./ledger/ledger.ts"
import { createReferenceStore } from "./ledger/references.ts"
import { createPeopleStore, createProvisionedStore } from "./people/people.ts"
import { createUserStore } from "./people/users.ts"
import { createProgrammeStore } from "./programme.ts"
import { createPushStore } from "./push.ts"
import { createDays } from "./recognition/day-totals.ts"
import { createInsightStore } from "./recognition/insights.ts"
import { createMailStore } from "./recognition/mail.ts"
import { createNotificationStore } from "./recognition/notifications.ts"
import { createOccasionStore, withOccasions } from "./recognition/occasions.ts"
import { createReceivedRecognitions } from "./recognition/received.ts"
import { createRecognitionStore } from "./recognition/recognition-store.ts"
import { createResponseStore } from "./recognition/responses.ts"
import { createStatisticsStore } from "./recognition/statistics.ts"
import { createRewardStore } from "./rewards.ts"
import { createEventStore } from "./webhooks/events.ts"
import { createWebhookStore } from "./webhooks/webhooks.ts"

interface Dependencies {
  readonly calendar: Calendar
  readonly ledger: LedgerOptions
  /** Removes what an erasure left in the files of the database. */
  readonly scrub: () => Promise<void>
}

/** The stores, the same on both databases. */
export function createStores(db: Database, { calendar, ledger, scrub }: Dependencies) {
  const versions = createVersions(db)
  return {
    users: createUserStore(db, scrub, versions),
    ledger: createLedgerStore(db, { ...ledger, versions }),
    recognitions: withOccasions(db, createRecognitionStore(db)),
    exports: createExportStore(db),
    people: createPeopleStore(db),
    statistics: { ...createStatisticsStore(db, calendar), daysOf: createDays(db, calendar) },
    insights: createInsightStore(db, calendar),
    idempotency: createIdempotencyStore(db),
    references: createReferenceStore(db),
    allowances: createAllowanceStore(db),
    rewards: createRewardStore(db),
    programme: createProgrammeStore(db),
    occasions: createOccasionStore(db),
    responses: createResponseStore(db),
    notifications: createNotificationStore(db, createReceivedRecognitions(db)),
    sessions: createSessionStore(db, versions),
    identities: createIdentityStore(db),
    apiTokens: createApiTokenStore(db),
    provisioned: createProvisionedStore(db),
    secondFactors: createSecondFactorStore(db),
    rateLimits: createRateLimitStore(db),
    audit: createAuditStore(db),
    jobs: createJobStore(db),
    mail: createMailStore(db),
    push: createPushStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    schedule: createScheduleStore(db),
  }
}
