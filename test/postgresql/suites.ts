/*
 * Suites that run with SQLite where they stand, and once more with PostgreSQL. By hand:
 * REWARDS_TEST_STORE=postgresql bun test test/http/routes/users.test.ts
 *
 * Left out: what has nothing to do with stored data (headers, CORS, bodies, addresses, the ticks of an import), and what only a
 * database file has (disk, backups, `reset-db`). The contract of the port itself is test/storage/postgres/contract.postgres.test.ts.
 */

/** The whole server in the test's process. */
export const inOneProcess = [
  "http/amounts-shown",
  "http/audit",
  "http/erased-everywhere",
  "http/routes/auth",
  "http/history",
  "http/idempotency",
  "http/login-limit",
  "http/made-once",
  "http/notes",
  "http/order-of-checks",
  "http/passwords",
  "http/programme-rules",
  "http/renames",
  "http/reset",
  "http/second-factor",
  "http/routes/scim",
  "http/sessions",
  "http/routes/single-sign-on",
  "http/routes/transactions",
  "http/transfer-limit",
  "http/routes/users",
  "http/routes/v1/accounts",
  "http/routes/v1/additions",
  "http/routes/v1/allowances",
  "http/routes/v1/avatar",
  "http/routes/v1/departments",
  "http/routes/v1/duties",
  "http/routes/v1/erasure",
  "http/routes/v1/exports",
  "http/routes/v1/feed",
  "http/routes/v1/grants",
  "http/routes/v1/imports",
  "http/routes/v1/insights",
  "http/routes/v1/invitations",
  "http/routes/v1/leavers",
  "http/routes/v1/mail",
  "http/routes/v1/me",
  "http/routes/v1/notifications",
  "http/routes/v1/outstanding",
  "http/routes/v1/people",
  "http/routes/v1/programme",
  "http/routes/v1/recognitions",
  "http/routes/v1/reversals",
  "http/routes/v1/rewards",
  "http/routes/v1/session",
  "http/routes/v1/statistics",
  "http/routes/v1/stream",
  "http/routes/v1/tokens",
  "http/routes/v1/transaction-list",
  "http/routes/v1/transactions",
  "http/routes/v1/webhooks",
  "integrations/slack/slack",
  "integrations/mattermost/mattermost",
  "integrations/push/push",
  "domain/audit/audit-log",
  "domain/auth/access",
  "domain/auth/passwords",
  "domain/auth/sessions",
]

/** Two or three servers of their own on one database, beside or after each other. */
export const inSeveralProcesses = [
  "races/races.long",
  "e2e/several-processes",
  "e2e/webhooks-killed",
  "durability/once.long",
]

/** Each server of the suite is three processes behind a proxy, which gives every request to the next one. */
export const behindProxy = ["e2e/contract", "model/model.long", "access/matrix"]
