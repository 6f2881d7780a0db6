import type { AllowanceLedger, AllowanceStore } from "./allowances/ports.ts"
import type { AuditStore } from "./audit/ports.ts"
import type { ApiTokenStore, IdentityStore, RateLimitStore, SecondFactorStore, SessionStore } from "./auth/ports.ts"
import type { ExportStore } from "./exports/ports.ts"
import type { IdempotencyStore } from "./idempotency/ports.ts"
import type { JobStore, ScheduleStore } from "./jobs/ports.ts"
import type { LedgerStore, ReferenceStore } from "./ledger/ports.ts"
import type { OccasionLedger, OccasionStore } from "./occasions/ports.ts"
import type { PeopleStore, ProvisionedStore, UserStore } from "./people/ports.ts"
import type { ProgrammeStore } from "./programme/ports.ts"
import type { PushStore } from "./push/ports.ts"
import type {
  InsightStore,
  MailStore,
  NotificationStore,
  RecognitionStore,
  ResponseStore,
  StatisticsStore,
} from "./recognition/ports.ts"
import type { RewardLedger, RewardStore } from "./rewards/ports.ts"
import type { EventStore, WebhookStore } from "./webhooks/ports.ts"

/**
 * The port: every read and write that the rules need, named by intent.
 *
 * Each method is one atomic unit, unless it says otherwise: it happens whole or not at all, and a promise resolves once
 * its change is durable. There is no generic query and no transaction to hold open; a rule that needs the write lock is
 * passed in as a pure, synchronous function. Its decision holds for the commit: a store that calls it before it has the
 * lock calls it again if the data has changed by then. Times are milliseconds since the epoch in UTC, balances and
 * values are points.
 *
 * Besides the errors named here, every write throws DomainError `unwritable` while the disk is full or another process
 * keeps the database locked, and every method throws `unavailable` while PostgreSQL cannot be reached; the next call
 * may succeed. A write throws `outcome_unknown` when PostgreSQL vanished during the commit; a method that appends to the
 * ledger only if PostgreSQL does not come back in time to ask it. test/storage/contract.ts holds every implementation
 * to these promises; src/storage/open.ts opens the one that is used.
 */
export interface Store {
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly identities: IdentityStore
  readonly apiTokens: ApiTokenStore
  readonly provisioned: ProvisionedStore
  readonly secondFactors: SecondFactorStore
  readonly rateLimits: RateLimitStore
  readonly people: PeopleStore
  readonly ledger: LedgerStore & AllowanceLedger & OccasionLedger & RewardLedger
  readonly idempotency: IdempotencyStore
  readonly references: ReferenceStore
  readonly allowances: AllowanceStore
  readonly rewards: RewardStore
  readonly programme: ProgrammeStore
  readonly recognitions: RecognitionStore
  readonly occasions: OccasionStore
  readonly responses: ResponseStore
  readonly notifications: NotificationStore
  readonly statistics: StatisticsStore
  readonly insights: InsightStore
  readonly exports: ExportStore
  readonly audit: AuditStore
  readonly jobs: JobStore
  readonly mail: MailStore
  readonly push: PushStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly schedule: ScheduleStore
  /** Finishes pending work, writes everything back into one file, and closes it. */
  close(): Promise<void>
}
