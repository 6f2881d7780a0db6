import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { mailFrequencies, mailLanguages, secondFactorKinds, transactionKinds } from "../../../domain/model.ts"

/** The columns for Drizzle. drizzle/ creates the tables, with checks, indexes and triggers. Times are milliseconds since the
 *  epoch. */
export const users = sqliteTable("users", {
  id: integer().primaryKey({ autoIncrement: true }),
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
})

export const confusables = sqliteTable(
  "confusables",
  {
    kind: text({ enum: ["username", "name"] }).notNull(),
    skeleton: text().notNull(),
    userId: integer("user_id").notNull(),
  },
  ({ kind, skeleton, userId }) => [primaryKey({ columns: [kind, skeleton, userId] })],
)

export const transactions = sqliteTable("transactions", {
  id: integer().primaryKey({ autoIncrement: true }),
  receiverId: integer("user_id").notNull(),
  senderId: integer("from_id").notNull(),
  value: integer().notNull(),
  date: integer().notNull(),
  userPrev: integer("user_prev").notNull(),
  fromPrev: integer("from_prev").notNull(),
  kind: text({ enum: transactionKinds }).notNull(),
  reverses: integer(),
  commitment: blob({ mode: "buffer" }),
  hash: blob({ mode: "buffer" }).notNull(),
})

export const blocks = sqliteTable(
  "blocks",
  {
    ownerId: integer("owner_id").notNull(),
    side: text({ enum: ["received", "sent", "self", "all"] }).notNull(),
    number: integer().notNull(),
    firstId: integer("first_id").notNull(),
    smallest: integer().notNull(),
    largest: integer().notNull(),
    offsets: blob({ mode: "buffer" }).notNull(),
    amounts: blob({ mode: "buffer" }).notNull(),
  },
  ({ ownerId, side, number }) => [primaryKey({ columns: [ownerId, side, number] })],
)

export const balances = sqliteTable("balances", {
  userId: integer("user_id").primaryKey(),
  value: integer().notNull(),
  receivedCount: integer("received_count").notNull(),
  lastReceived: integer("last_received").notNull().default(0),
  sentCount: integer("sent_count").notNull(),
  lastSent: integer("last_sent").notNull().default(0),
  selfCount: integer("self_count").notNull().default(0),
  lastSelf: integer("last_self").notNull().default(0),
  requests: integer().notNull().default(0),
  requestsUntil: integer("requests_until").notNull().default(0),
})

export const ledgerState = sqliteTable("ledger_state", {
  id: integer().primaryKey(),
  transactionCount: integer("transaction_count").notNull(),
  lastId: integer("last_id").notNull(),
  lastDate: integer("last_date").notNull(),
  lastHash: blob("last_hash", { mode: "buffer" }).notNull(),
})

export const sessions = sqliteTable("sessions", {
  idHash: text("id_hash").primaryKey(),
  username: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
  openedAt: integer("opened_at"),
  address: text(),
})

export const apiTokens = sqliteTable("api_tokens", {
  id: integer().primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  kind: text().notNull(),
  name: text().notNull(),
  prefix: text().notNull(),
  hash: text().notNull().unique(),
  scopes: text().notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  lastUsedAt: integer("last_used_at"),
  lastUsedFrom: text("last_used_from"),
})

export const externalIds = sqliteTable("external_ids", {
  userId: integer("user_id").primaryKey(),
  externalId: text("external_id").notNull().unique(),
})

export const loginSources = sqliteTable(
  "login_sources",
  {
    userId: integer("user_id").notNull(),
    source: text().notNull(),
    usedAt: integer("used_at").notNull(),
  },
  ({ userId, source }) => [primaryKey({ columns: [userId, source] })],
)

export const spentTokens = sqliteTable("spent_tokens", {
  tokenHash: text("token_hash").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
})

export const secondFactors = sqliteTable("second_factors", {
  id: integer().primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  kind: text({ enum: secondFactorKinds }).notNull(),
  name: text().notNull(),
  credentialId: text("credential_id"),
  transports: text(),
  key: text().notNull(),
  counter: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
})

export const totpSetups = sqliteTable("totp_setups", {
  userId: integer("user_id").primaryKey(),
  key: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
})

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: integer("user_id").notNull(),
    codeHash: text("code_hash").notNull(),
  },
  ({ userId, codeHash }) => [primaryKey({ columns: [userId, codeHash] })],
)

export const jobs = sqliteTable("jobs", {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text().notNull(),
  payload: text({ mode: "json" }).$type<unknown>().notNull(),
  state: text({ enum: ["available", "running", "completed", "discarded"] }).notNull(),
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
})

export const mailChoices = sqliteTable("mail_choices", {
  userId: integer("user_id").primaryKey(),
  mail: text({ enum: mailFrequencies }).notNull(),
  language: text({ enum: mailLanguages }),
})

export const mailProgress = sqliteTable("mail_progress", {
  kind: text().primaryKey(),
  reached: text().notNull(),
})
