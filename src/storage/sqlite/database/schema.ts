import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"

/*
 * The columns of the tables that Drizzle queries, and no others, because a start builds each of them. drizzle/ creates
 * all tables, with checks, indexes and triggers. Times are milliseconds since the epoch.
 */

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

export const balances = sqliteTable("balances", {
  userId: integer("user_id").primaryKey(),
  value: integer().notNull(),
  earned: integer().notNull().default(0),
  earnedGiven: integer("earned_given").notNull().default(0),
  receivedCount: integer("received_count").notNull(),
  lastReceived: integer("last_received").notNull().default(0),
  sentCount: integer("sent_count").notNull(),
  lastSent: integer("last_sent").notNull().default(0),
  selfCount: integer("self_count").notNull().default(0),
  lastSelf: integer("last_self").notNull().default(0),
  requests: integer().notNull().default(0),
  requestsUntil: integer("requests_until").notNull().default(0),
})

export const sessions = sqliteTable("sessions", {
  idHash: text("id_hash").primaryKey(),
  username: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
  openedAt: integer("opened_at"),
  address: text(),
})

export const spentTokens = sqliteTable("spent_tokens", {
  tokenHash: text("token_hash").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
})
