import { fields, type RowOf, type SQL, sql } from "../sql.ts"
import { balances, erasures, ledgerState, notes, occasions, transactions, users } from "../tables.ts"

/** A row of `transactions`, with its note and its erasure. The four fields of a note are null when it has none. */
export const ledgerColumns = {
  id: transactions.id,
  receiverId: transactions.userId,
  senderId: transactions.fromId,
  value: transactions.value,
  date: transactions.date,
  kind: transactions.kind,
  reverses: transactions.reverses,
  group: transactions.groupId,
  addsTo: transactions.addsTo,
  commitment: transactions.commitment,
  hash: transactions.hash,
  erasedAt: sql<number | null>`${erasures.erasedAt}`,
  salt: sql<Uint8Array | null>`${notes.salt}`,
  reason: sql<string | null>`${notes.reason}`,
  tags: sql<string | null>`${notes.tags}`,
  isPrivate: sql<number | null>`${notes.isPrivate}`,
}
export type LedgerRow = RowOf<typeof ledgerColumns>

const storedBalance = {
  userId: users.id,
  username: users.username,
  /** These three are null when the user has no row in `balances`. */
  value: sql<number | null>`${balances.value}`,
  earned: sql<number | null>`${balances.earned}`,
  earnedGiven: sql<number | null>`${balances.earnedGiven}`,
  /** How many transactions the user has, of others, to others, and to the own account. */
  receivedCount: sql<number>`coalesce(${balances.receivedCount}, 0)`,
  sentCount: sql<number>`coalesce(${balances.sentCount}, 0)`,
  selfCount: sql<number>`coalesce(${balances.selfCount}, 0)`,
}
export const balance = fields(storedBalance)

/** Where the ledger ends. */
export const ledgerEnd = fields({
  count: ledgerState.transactionCount,
  lastId: ledgerState.lastId,
  lastDate: ledgerState.lastDate,
  lastHash: ledgerState.lastHash,
})
export type LedgerEnd = typeof ledgerEnd extends SQL<infer Row> ? Row : never

/** What is stored about all transactions together. */
export interface StoredLedger {
  /** Of every user. */
  readonly balances: readonly RowOf<typeof storedBalance>[]
  /** Of all balances; null when there is none. */
  readonly sumOfBalances: string | null
  /** Null when it is missing. */
  readonly state: LedgerEnd | null
}

/**
 * A check that sees each transaction once, in the order of ids, and compares what is stored about all of them at the
 * end.
 */
export interface LedgerCheck {
  readonly name: string
  /** Returns a fault of this transaction, or null. */
  see(row: LedgerRow): string | null
  end(stored: StoredLedger): Iterable<string>
}

const original = {
  kind: transactions.kind,
  senderId: transactions.fromId,
  receiverId: transactions.userId,
  value: transactions.value,
  /** Points that reversals have moved back, up to and including the reversal that is checked. */
  reversed: sql<number>`(SELECT sum(other.value)::bigint FROM ${transactions} AS other
    WHERE other.reverses = ${transactions.id} AND other.id <= reversal.id)`,
}
/** The transaction that a reversal names. */
export type Reversed = RowOf<typeof original>
export const reversed = fields({ id: sql<number>`reversal.id`, ...original })

const entry = {
  /** Whether it is an entry of the feed: no addition itself, and the first of its group. */
  isEntry: sql<number>`CASE WHEN ${transactions.addsTo} IS NULL
    AND coalesce(${transactions.groupId}, ${transactions.id}) = ${transactions.id} THEN 1 ELSE 0 END`,
  /** Whether it thanks the receiver of the added points, and whether it thanks their sender. */
  thanksReceiver: thanks(sql`addition.user_id`),
  thanksSender: thanks(sql`addition.from_id`),
}
/** The entry to which a transaction adds points. */
export type AddedTo = RowOf<typeof entry>
export const addedTo = fields({ id: sql<number>`addition.id`, ...entry })

/** The same for points that were added to an occasion. */
export const addedToOccasion = fields({
  id: sql<number>`addition.id`,
  isEntry: sql<number>`1`,
  thanksReceiver: sql<number>`CASE WHEN ${occasions.userId} = addition.user_id THEN 1 ELSE 0 END`,
  thanksSender: sql<number>`CASE WHEN ${occasions.userId} = addition.from_id THEN 1 ELSE 0 END`,
})

/** Finds the entry to which the transaction `id` adds points, unless it is missing. */
export type AddedToBy = (id: number) => AddedTo | undefined

function thanks(userId: SQL): SQL<number> {
  return sql<number>`CASE WHEN ${transactions.userId} = ${userId} OR EXISTS (
    SELECT 1 FROM ${transactions} AS other WHERE other.group_id = ${transactions.id} AND other.user_id = ${userId})
    THEN 1 ELSE 0 END`
}

/** Finds the transaction that the reversal `id` reverses, unless it is missing. */
export type ReversedBy = (id: number) => Reversed | undefined
