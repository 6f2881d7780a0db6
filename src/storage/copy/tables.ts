import { getTableColumns, getTableName, type Table } from "drizzle-orm"
import { keyOf, type ListType, typesOf } from "../sql.ts"
import * as tables from "../tables.ts"

/** A table whose rows are copied as they are. Its columns are those that both schemas have. */
export interface CopiedTable {
  readonly name: string
  /** The primary key, by which it is read in pages. */
  readonly key: readonly string[]
  /** The types of its columns, by their names in the database. */
  readonly types: Readonly<Record<string, ListType>>
  readonly hasSequence: boolean
  /** A new database has its only row already. */
  readonly hasOneRow?: true
  /** Rows in a page, for a table with large rows; absent: the default of the copy. */
  readonly pageLength?: number
}

const copied = (table: Table, how: Pick<CopiedTable, "hasOneRow" | "pageLength"> = {}): CopiedTable => ({
  name: getTableName(table),
  key: keyOf(table),
  types: typesOf(Object.fromEntries(Object.values(getTableColumns(table)).map((column) => [column.name, column]))),
  hasSequence: Object.values(getTableColumns(table)).some(
    (column) => "autoIncrement" in column && column.autoIncrement === true,
  ),
  ...how,
})

/** Tables to which the ledger refers, so they are copied before it. */
export const tablesBeforeLedger: readonly CopiedTable[] = [
  copied(tables.users),
  copied(tables.confusables),
  copied(tables.avatars, { pageLength: 50 }),
]

/** The ledger is appended in pages of transactions, each with its notes and erasures. Each page sets `ledger_state`. */
export const ledgerTables = {
  transactions: copied(tables.transactions),
  notes: copied(tables.notes),
  erasures: copied(tables.erasures),
}

/** Tables that may refer to the ledger and to `tablesBeforeLedger`, so they are copied last. */
export const tablesAfterLedger: readonly CopiedTable[] = [
  copied(tables.balances),
  copied(tables.idempotencyKeys),
  copied(tables.transactionReferences),
  copied(tables.leaderboardSnapshots),
  copied(tables.renames),
  copied(tables.sessions),
  copied(tables.spentTokens),
  copied(tables.externalIds),
  copied(tables.identities),
  copied(tables.secondFactors),
  copied(tables.totpSetups),
  copied(tables.recoveryCodes),
  copied(tables.loginSources),
  copied(tables.rateLimits),
  copied(tables.jobs),
  copied(tables.apiTokens),
  copied(tables.scheduledWork),
  copied(tables.mailChoices),
  copied(tables.pushKeys),
  copied(tables.pushDevices),
  copied(tables.jobProgress),
  copied(tables.allowances),
  copied(tables.allowanceMembers),
  copied(tables.allowanceRuns),
  copied(tables.occasions),
  copied(tables.reactions),
  copied(tables.replies),
  copied(tables.replyNotices),
  copied(tables.notificationsSeen),
  copied(tables.reasonTemplates),
  copied(tables.rewards),
  copied(tables.wishes),
  copied(tables.redemptions),
  copied(tables.events),
  copied(tables.webhooks),
  copied(tables.deliveries),
  copied(tables.eventState, { hasOneRow: true }),
  copied(tables.programme),
  copied(tables.audit),
  copied(tables.auditRetention, { hasOneRow: true }),
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
  "pairs",
  "recent_batches",
]

/** Columns with JSON, by table. A database may change the order of the keys, so a copy sorts them. */
export const jsonColumns: Readonly<Record<string, readonly string[]>> = { jobs: ["payload"] }

/** Tables whose ids come from a sequence, so that no id is used twice, not even that of a deleted row. */
export const tablesWithSequence: readonly string[] = comparedTables
  .filter(({ hasSequence }) => hasSequence)
  .map(({ name }) => name)
