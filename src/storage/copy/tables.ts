/** A table whose rows are copied as they are. Its columns are those that both schemas have. */
export interface CopiedTable {
  readonly name: string
  /** The primary key, by which it is read in pages. */
  readonly key: readonly string[]
  /** A new database has its only row already. */
  readonly hasOneRow?: true
  /** Rows in a page, for a table with large rows; absent: the default of the copy. */
  readonly pageLength?: number
}

/** Tables to which the ledger refers, so they are copied before it. */
export const tablesBeforeLedger: readonly CopiedTable[] = [
  { name: "users", key: ["id"] },
  { name: "confusables", key: ["kind", "skeleton", "user_id"] },
  { name: "avatars", key: ["hash"], pageLength: 50 },
]

/** The ledger is appended in pages of transactions, each with its notes and erasures. Each page sets `ledger_state`. */
export const ledgerTables = {
  transactions: { name: "transactions", key: ["id"] },
  notes: { name: "notes", key: ["transaction_id"] },
  erasures: { name: "erasures", key: ["transaction_id"] },
} as const satisfies Record<string, CopiedTable>

/** Tables that may refer to the ledger and to `tablesBeforeLedger`, so they are copied last. */
export const tablesAfterLedger: readonly CopiedTable[] = [
  { name: "balances", key: ["user_id"] },
  { name: "idempotency_keys", key: ["user_id", "key"] },
  { name: "leaderboard_snapshots", key: ["period"] },
  { name: "sessions", key: ["id_hash"] },
  { name: "spent_tokens", key: ["token_hash"] },
  { name: "external_ids", key: ["user_id"] },
  { name: "identities", key: ["issuer", "subject"] },
  { name: "second_factors", key: ["id"] },
  { name: "totp_setups", key: ["user_id"] },
  { name: "recovery_codes", key: ["user_id", "code_hash"] },
  { name: "login_sources", key: ["user_id", "source"] },
  { name: "rate_limits", key: ["kind", "key"] },
  { name: "jobs", key: ["id"] },
  { name: "api_tokens", key: ["id"] },
  { name: "scheduled_work", key: ["name"] },
  { name: "mail_choices", key: ["user_id"] },
  { name: "job_progress", key: ["work"] },
  { name: "allowances", key: ["id"] },
  { name: "allowance_members", key: ["allowance_id", "user_id"] },
  { name: "allowance_runs", key: ["id"] },
  { name: "reactions", key: ["transaction_id", "emoji", "user_id"] },
  { name: "replies", key: ["id"] },
  { name: "reply_notices", key: ["user_id", "reply_id"] },
  { name: "notifications_seen", key: ["user_id"] },
  { name: "reason_templates", key: ["user_id"] },
  { name: "rewards", key: ["id"] },
  { name: "redemptions", key: ["id"] },
  { name: "events", key: ["id"] },
  { name: "webhooks", key: ["id"] },
  { name: "deliveries", key: ["id"] },
  { name: "event_state", key: ["id"], hasOneRow: true },
  { name: "audit", key: ["id"] },
  { name: "audit_retention", key: ["id"], hasOneRow: true },
]

/** The tables whose rows are compared after a copy. Transactions are compared by the hash chain. */
export const comparedTables: readonly CopiedTable[] = [
  ...tablesBeforeLedger,
  ledgerTables.notes,
  ledgerTables.erasures,
  ...tablesAfterLedger,
]

/** Tables that are not copied, because each database builds its own. */
export const ownTables: readonly string[] = [
  "migrations",
  "ledger_state",
  "people_changes",
  "people_revision",
  "access_changes",
  "blocks",
  "pairs",
  "recent_batches",
]

/** Columns that are not copied, by table, because each database builds its own. */
export const ownColumns: Readonly<Record<string, readonly string[]>> = {
  transactions: ["user_prev", "from_prev"],
  balances: ["last_received", "last_sent", "last_self"],
}

/** Columns with JSON, by table. A database may change the order of the keys, so a copy sorts them. */
export const jsonColumns: Readonly<Record<string, readonly string[]>> = { jobs: ["payload"] }

/** Tables whose ids come from a sequence, so that no id is used twice, not even that of a deleted row. */
export const tablesWithSequence: readonly string[] = [
  "users",
  "jobs",
  "api_tokens",
  "allowances",
  "allowance_runs",
  "rewards",
  "second_factors",
  "webhooks",
  "deliveries",
  "audit",
]
