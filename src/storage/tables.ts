import { customType, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { isAudience } from "../domain/allowances/allowance-fields.ts"
import type {
  Allowance,
  AllowancePeriod,
  AllowanceRun,
  DamagedAudience,
  ListedAllowance,
} from "../domain/allowances/model.ts"
import type { AuditEntry, AuditValues } from "../domain/audit/ports.ts"
import type { ApiTokenKind, SecondFactorKind, TokenScope } from "../domain/auth/model.ts"
import type { FailureCause, JobState, Lane } from "../domain/jobs/ports.ts"
import type { Language } from "../domain/languages.ts"
import type { TransactionKind } from "../domain/ledger/model.ts"
import type { Duty, PictureKind } from "../domain/people/model.ts"
import type { OccasionKind } from "../domain/programme/model.ts"
import type { StoredProgramme } from "../domain/programme/ports.ts"
import type { LeaderboardSnapshot, MailFrequency } from "../domain/recognition/model.ts"
import type { RedemptionState } from "../domain/rewards/model.ts"
import type { DeliveryState, EventType, RecordedEvent, WebhookFormat } from "../domain/webhooks/model.ts"

/*
 * The columns of every table that stores ask, in the order of the schema: their names, their types, and how their values
 * are stored. Both databases have them. All columns of a primary key are marked, in its order. drizzle/ creates the tables,
 * with checks, indexes and triggers. Times are milliseconds since the epoch.
 */

const id = () => integer().primaryKey({ autoIncrement: true })

/** Stored as 0 and 1. */
const flag = (name: string) => integer(name, { mode: "boolean" }).notNull()

/** Stored as JSON. */
const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>().notNull()

/** What a text says, which somebody may have changed by hand. Null if it is no JSON. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** JSON. One that is none must not keep the other allowances from being read. */
const audience = <T extends AllowanceRun["audience"] | ListedAllowance["audience"]>() =>
  customType<{ data: T | DamagedAudience; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (stored) => {
      const value = jsonOrNull(stored)
      return isAudience(value) || Object(value).named === true ? (value as T) : { damaged: true }
    },
  })("audience").notNull()

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" })

/** An amount of money with at most three decimals, stored in thousandths. */
const money = customType<{ data: number; driverData: number }>({
  dataType: () => "integer",
  toDriver: (value) => Math.round(value * 1000),
  fromDriver: (stored) => stored / 1000,
})

/** Words, stored with a separator between them. */
const words = <Word extends string>(name: string, separator: string) =>
  customType<{ data: readonly Word[]; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => value.join(separator),
    fromDriver: (stored) => (stored === "" ? [] : (stored.split(separator) as Word[])),
  })(name).notNull()

// People

export const users = sqliteTable("users", {
  id: id(),
  email: text().notNull(),
  /** The address as `emailKey` makes it: unique without regard to case, beyond ASCII too. */
  emailKey: text("email_key").notNull(),
  username: text().notNull(),
  /** The username as `usernameCaseKey` makes it. */
  usernameKey: text("username_key").notNull(),
  avatar: text(),
  bio: text(),
  password: text().notNull(),
  name: text().notNull(),
  dept: text().notNull(),
  currency: text().notNull(),
  accessVersion: integer("access_version").notNull().default(0),
  refreshVersion: integer("refresh_version").notNull().default(0),
  keptToken: text("kept_token"),
  deactivatedAt: integer("deactivated_at"),
  erasedAt: integer("erased_at"),
  birthday: text(),
  joined: text(),
  celebrates: integer({ mode: "boolean" }),
  managerId: integer("manager_id"),
  duties: words<Duty>("duties", ","),
  /** The name and the username as `searchKey` makes it. Null: unknown, after a change by hand or by an older version. */
  searchKey: text("search_key"),
})

export const confusables = sqliteTable("confusables", {
  kind: text().$type<"username" | "name">().primaryKey(),
  skeleton: text().primaryKey(),
  userId: integer("user_id").primaryKey(),
})

/** Former usernames. */
export const renames = sqliteTable("renames", {
  id: id(),
  userId: integer("user_id").notNull(),
  username: text().notNull(),
  /** As in `users`. */
  usernameKey: text("username_key").notNull(),
  /** Until then nobody else can have the name. */
  until: integer().notNull(),
})

export const avatars = sqliteTable("avatars", {
  hash: text().primaryKey(),
  kind: text().$type<PictureKind>().notNull(),
  bytes: bytes().$type<Uint8Array<ArrayBuffer>>().notNull(),
})

// Ledger

export const transactions = sqliteTable("transactions", {
  id: id(),
  userId: integer("user_id").notNull(),
  fromId: integer("from_id").notNull(),
  value: integer().notNull(),
  date: integer().notNull(),
  kind: text().$type<TransactionKind>().notNull(),
  reverses: integer(),
  groupId: integer("group_id"),
  commitment: bytes(),
  hash: bytes().notNull(),
  addsTo: integer("adds_to"),
})

export const notes = sqliteTable("notes", {
  transactionId: integer("transaction_id").primaryKey(),
  salt: bytes().notNull(),
  reason: text().notNull(),
  tags: words<string>("tags", " "),
  isPrivate: flag("private"),
})

export const erasures = sqliteTable("erasures", {
  transactionId: integer("transaction_id").primaryKey(),
  erasedAt: integer("erased_at").notNull(),
})

export const balances = sqliteTable("balances", {
  userId: integer("user_id").primaryKey(),
  value: integer().notNull(),
  earned: integer().notNull(),
  earnedGiven: integer("earned_given").notNull(),
  receivedCount: integer("received_count").notNull(),
  sentCount: integer("sent_count").notNull(),
  selfCount: integer("self_count").notNull(),
  requests: integer().notNull(),
  requestsUntil: integer("requests_until").notNull(),
})

export const pairs = sqliteTable("pairs", {
  fromId: integer("from_id").primaryKey(),
  userId: integer("user_id").primaryKey(),
  count: integer().notNull(),
})

export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  transactionCount: integer("transaction_count").notNull(),
  lastId: integer("last_id").notNull(),
  lastDate: integer("last_date").notNull(),
  lastHash: bytes("last_hash").notNull(),
  revision: text().notNull(),
})

export const idempotencyKeys = sqliteTable("idempotency_keys", {
  userId: integer("user_id").primaryKey(),
  key: text().primaryKey(),
  requestHash: text("request_hash").notNull(),
  transactionId: integer("transaction_id"),
  transactionCount: integer("transaction_count"),
  balance: integer(),
  made: text(),
  expiresAt: integer("expires_at").notNull(),
})

export const transactionReferences = sqliteTable("transaction_references", {
  userId: integer("user_id").primaryKey(),
  reference: text().primaryKey(),
  requestHash: text("request_hash").notNull(),
  transactionId: integer("transaction_id").notNull(),
  transactionCount: integer("transaction_count").notNull(),
  balance: integer().notNull(),
})

export const leaderboardSnapshots = sqliteTable("leaderboard_snapshots", {
  period: text().$type<LeaderboardSnapshot["of"]>().primaryKey(),
  timeZone: text("time_zone").notNull(),
  startsAt: integer("starts_at").notNull(),
  throughId: integer("through_id").notNull(),
  totals: bytes().notNull(),
})

// Recognition

export const occasions = sqliteTable("occasions", {
  id: integer().primaryKey(),
  userId: integer("user_id").notNull(),
  kind: text().$type<OccasionKind>().notNull(),
  year: integer().notNull(),
  years: integer(),
  text: text().notNull(),
  date: integer().notNull(),
  transactionId: integer("transaction_id"),
})

export const reactions = sqliteTable("reactions", {
  /** As in `Recognition.id`: negative for an occasion. In `replies` too. */
  transactionId: integer("transaction_id").primaryKey(),
  emoji: text().primaryKey(),
  userId: integer("user_id").primaryKey(),
})

export const replies = sqliteTable("replies", {
  id: integer().primaryKey(),
  transactionId: integer("transaction_id").notNull(),
  userId: integer("user_id").notNull(),
  text: text(),
  date: integer().notNull(),
  isHidden: integer("hidden", { mode: "boolean" }).notNull().default(false),
})

export const replyNotices = sqliteTable("reply_notices", {
  userId: integer("user_id").primaryKey(),
  replyId: integer("reply_id").primaryKey(),
})

export const notificationsSeen = sqliteTable("notifications_seen", {
  userId: integer("user_id").primaryKey(),
  throughId: integer("through_id").notNull(),
})

export const reasonTemplates = sqliteTable("reason_templates", {
  userId: integer("user_id").primaryKey(),
  reasons: json<readonly string[]>("reasons"),
})

// Credentials

export const sessions = sqliteTable("sessions", {
  idHash: text("id_hash").primaryKey(),
  username: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
  openedAt: integer("opened_at"),
  address: text(),
  providedBy: text("provided_by"),
})

export const accessChanges = sqliteTable("access_changes", {
  count: integer().notNull(),
  revision: text().notNull(),
})

/** A view of one row. */
export const serverStart = sqliteTable("server_start", { at: text() })

export const apiTokens = sqliteTable("api_tokens", {
  id: id(),
  userId: integer("user_id").notNull(),
  kind: text().$type<ApiTokenKind>().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: text().notNull(),
  scopes: words<TokenScope>("scopes", ","),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  lastUsedAt: integer("last_used_at"),
  lastUsedFrom: text("last_used_from"),
})

export const spentTokens = sqliteTable("spent_tokens", {
  tokenHash: text("token_hash").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
})

export const identities = sqliteTable("identities", {
  issuer: text().primaryKey(),
  subject: text().primaryKey(),
  userId: integer("user_id").notNull(),
  linkedAt: integer("linked_at").notNull(),
})

export const secondFactors = sqliteTable("second_factors", {
  id: id(),
  userId: integer("user_id").notNull(),
  kind: text().$type<SecondFactorKind>().notNull(),
  name: text().notNull(),
  credentialId: text("credential_id"),
  transports: text(),
  key: text().notNull(),
  counter: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
})

export const pushKeys = sqliteTable("push_keys", {
  id: integer().primaryKey(),
  publicKey: text("public_key").notNull(),
  privateKey: text("private_key").notNull(),
})

export const pushDevices = sqliteTable("push_devices", {
  id: id(),
  userId: integer("user_id").notNull(),
  endpoint: text().notNull(),
  p256dh: text().notNull(),
  auth: text().notNull(),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  sessionHash: text("session_hash"),
  endsAt: integer("ends_at"),
  silences: integer().notNull().default(0),
  silentSince: integer("silent_since"),
})

export const totpSetups = sqliteTable("totp_setups", {
  userId: integer("user_id").primaryKey(),
  key: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
})

export const recoveryCodes = sqliteTable("recovery_codes", {
  userId: integer("user_id").primaryKey(),
  codeHash: text("code_hash").primaryKey(),
})

export const externalIds = sqliteTable("external_ids", {
  userId: integer("user_id").primaryKey(),
  externalId: text("external_id").notNull(),
})

export const loginSources = sqliteTable("login_sources", {
  userId: integer("user_id").primaryKey(),
  source: text().primaryKey(),
  usedAt: integer("used_at").notNull(),
})

export const rateLimits = sqliteTable("rate_limits", {
  kind: text().primaryKey(),
  key: text().primaryKey(),
  count: integer().notNull(),
  endsAt: integer("ends_at").notNull(),
})

// Jobs

export const jobs = sqliteTable("jobs", {
  id: id(),
  kind: text().notNull(),
  payload: json<unknown>("payload"),
  state: text().$type<JobState>().notNull(),
  attempts: integer().notNull().default(0),
  maxAttempts: integer("max_attempts").notNull(),
  retryUntil: integer("retry_until").notNull(),
  runAt: integer("run_at").notNull(),
  lockedBy: text("locked_by"),
  lockedUntil: integer("locked_until"),
  lastError: text("last_error"),
  result: text(),
  createdAt: integer("created_at").notNull(),
  finishedAt: integer("finished_at"),
  lane: text().$type<Lane>().notNull().default("mail"),
  turnOf: integer("turn_of"),
  /** Why the last attempt failed, of mail. */
  cause: text().$type<FailureCause>(),
  cure: text(),
})

export const jobProgress = sqliteTable("job_progress", {
  work: text().primaryKey(),
  reached: text().notNull(),
})

export const scheduledWork = sqliteTable("scheduled_work", {
  name: text().primaryKey(),
  dueAt: integer("due_at").notNull(),
  lockedBy: text("locked_by"),
  lockedUntil: integer("locked_until"),
})

export const mailChoices = sqliteTable("mail_choices", {
  userId: integer("user_id").primaryKey(),
  mail: text().$type<MailFrequency>().notNull(),
  language: text().$type<Language>(),
})

// Allowances

const terms = {
  value: integer().notNull(),
  mode: text().$type<Allowance["mode"]>().notNull(),
  reason: text(),
}

/** The number of a day, or "last". */
const day = customType<{ data: number | "last"; driverData: string }>({
  dataType: () => "text",
  toDriver: String,
  fromDriver: (stored) => (stored === "last" ? stored : Number(stored)),
})

export const allowances = sqliteTable("allowances", {
  id: id(),
  name: text().notNull(),
  ...terms,
  audience: audience<ListedAllowance["audience"]>(),
  period: text().$type<AllowancePeriod>().notNull(),
  dueDay: day("due_day"),
  dueTime: text("due_time").notNull(),
  startsOn: text("starts_on"),
  endsOn: text("ends_on"),
  catchUp: text("catch_up").$type<Allowance["catchUp"]>().notNull(),
  isActive: flag("active"),
  dueFrom: integer("due_from").notNull(),
  removedAt: integer("removed_at"),
})

export const allowanceRuns = sqliteTable("allowance_runs", {
  id: id(),
  allowanceId: integer("allowance_id").notNull(),
  period: text().$type<AllowancePeriod>().notNull(),
  firstDay: text("first_day").notNull(),
  begunAt: integer("begun_at").notNull(),
  finishedAt: integer("finished_at"),
  ...terms,
  audience: audience<AllowanceRun["audience"]>(),
  throughId: integer("through_id").notNull().default(0),
  people: integer().notNull().default(0),
  total: integer().notNull().default(0),
  expired: integer().notNull().default(0),
})

export const allowanceMembers = sqliteTable("allowance_members", {
  allowanceId: integer("allowance_id").primaryKey(),
  userId: integer("user_id").primaryKey(),
})

// Rewards

const worth = {
  moneyValue: money("money_value"),
  isTaxable: flag("taxable").default(false),
}

export const rewards = sqliteTable("rewards", {
  id: id(),
  name: text().notNull(),
  description: text(),
  cost: integer().notNull(),
  picture: text(),
  stock: integer(),
  limitPerPerson: integer("limit_per_person"),
  isActive: flag("active"),
  ...worth,
  emoji: text(),
})

/** Rewards that people mark as what they would like. */
export const wishes = sqliteTable("wishes", {
  userId: integer("user_id").primaryKey(),
  rewardId: integer("reward_id").primaryKey(),
  date: integer().notNull(),
})

export const redemptions = sqliteTable("redemptions", {
  id: integer().primaryKey(),
  rewardId: integer("reward_id").notNull(),
  userId: integer("user_id").notNull(),
  rewardName: text("reward_name").notNull(),
  state: text().$type<RedemptionState>().notNull(),
  comment: text(),
  answer: text(),
  answeredAt: integer("answered_at"),
  refundId: integer("refund_id"),
  ...worth,
})

// Events and webhooks

export const eventState = sqliteTable("event_state", {
  id: integer().primaryKey(),
  lastId: integer("last_id").notNull(),
  lastTransaction: integer("last_transaction").notNull(),
})

export const events = sqliteTable("events", {
  id: integer().primaryKey(),
  type: text().$type<Exclude<RecordedEvent["type"], "transaction"> | "transactions">().notNull(),
  subject: integer().notNull(),
  count: integer().notNull().default(1),
  at: integer().notNull(),
})

export const webhooks = sqliteTable("webhooks", {
  id: id(),
  url: text().notNull(),
  events: json<readonly EventType[]>("events"),
  format: text().$type<WebhookFormat>().notNull(),
  description: text(),
  isActive: flag("active"),
  stoppedBecause: text("stopped_because"),
  secret: text().notNull(),
  oldSecret: text("old_secret"),
  oldSecretUntil: integer("old_secret_until"),
  setting: text(),
  revision: integer().notNull().default(0),
  lastEvent: integer("last_event").notNull(),
  failures: integer().notNull().default(0),
  failingSince: integer("failing_since"),
  retryAt: integer("retry_at").notNull().default(0),
  lastSuccessAt: integer("last_success_at"),
  lockedBy: text("locked_by"),
  lockedUntil: integer("locked_until"),
})

export const deliveries = sqliteTable("deliveries", {
  id: id(),
  webhookId: integer("webhook_id").notNull(),
  eventId: integer("event_id"),
  state: text().$type<DeliveryState>().notNull(),
  attempts: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  attemptedAt: integer("attempted_at"),
  durationMs: integer("duration_ms"),
  status: integer(),
  response: text(),
  error: text(),
})

// The programme

export const programme = sqliteTable("programme", {
  id: integer().primaryKey(),
  content: json<StoredProgramme>("content"),
})

// Audit log

export const audit = sqliteTable("audit", {
  id: id(),
  at: integer().notNull(),
  action: text().$type<AuditEntry["action"]>().notNull(),
  who: text(),
  whom: text(),
  way: text().$type<AuditEntry["way"]>().notNull(),
  address: text(),
  count: integer().notNull(),
  detail: text(),
  before: text("before_values", { mode: "json" }).$type<AuditValues>(),
  after: text("after_values", { mode: "json" }).$type<AuditValues>(),
})

export const auditRetention = sqliteTable("audit_retention", {
  id: integer().primaryKey(),
  since: integer().notNull(),
})
