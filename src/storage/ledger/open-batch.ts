import { DomainError } from "../../domain/errors.ts"
import type { Reads, Tx } from "../database.ts"
import { fields, list, records, type SQL, select, sql } from "../sql.ts"
import { balances, ledgerState, notes, pairs, transactions, users } from "../tables.ts"
import type { LedgerEnd, NewRow } from "./chain.ts"
import { type Keys, nameOf, saveKeys } from "./idempotency-keys.ts"
import type { LockedAccount, LockedLedger, Posting, StoredKey } from "./locked-ledger.ts"

/** What postings need besides the accounts. It is read under the lock. */
export interface Facts {
  readonly keys: Keys
  /** The first rows of what the postings need. */
  readonly rows: ReadonlyMap<SQL, unknown>
}

/** Rows that one statement writes. */
const rowsAtOnce = 500

/** Decides postings in memory, from the end of the ledger on. Nothing is written before `write`. */
export function createOpenBatch({ lastId, lastDate, lastHash }: StoredEnd, cache: LedgerCache, facts: Facts) {
  const end = { lastId, lastDate, lastHash }
  const rows: NewRow[] = []
  const used = new Map<number, Account>()
  const changed = new Set<Account>()
  const newKeys = new Map<string, StoredKey>()
  const sent: SQL[] = []

  const ledger: LockedLedger = {
    end,
    changed,
    accountOf(userId) {
      const account = used.get(userId) ?? cache.copyOf(userId)
      if (!account) throw new DomainError("user_not_found")
      used.set(userId, account)
      return account
    },
    insert(row, sender: Account, receiver: Account) {
      rows.push(row)
      if (sender === receiver) sender.selfCount += 1
      else {
        sender.sentCount += 1
        receiver.receivedCount += 1
      }
    },
    rowOf: <Row>(query: SQL<Row>) => (facts.rows.get(query) ?? null) as Row | null,
    keyOf(ownerId, key) {
      const name = nameOf({ ownerId, key })
      return newKeys.get(name) ?? facts.keys.get(name) ?? null
    },
    // A key may expire and be used again within one batch; the last use counts.
    remember({ transactions, ...key }) {
      newKeys.set(nameOf(key), { ...key, transactions: transactions.map(({ note: _, ...rest }) => rest) })
    },
    send: (query) => void sent.push(query),
  }
  return { ...ledger, write }

  /** Sends all writes. Returns whether anything was appended. */
  async function write(tx: Tx): Promise<boolean> {
    await inParts(tx, rows, (part) => insert(tx, part, end.lastId))
    if (newKeys.size > 0) saveKeys(tx, [...newKeys.values()])
    for (const query of sent) tx.send(query)
    if (changed.size === 0) return false
    const saved = [...changed]
    const unstored = saved.filter(({ isStored }) => !isStored)
    await inParts(tx, unstored, (part) => tx.send(addBalances(part)))
    await inParts(tx, saved, (part) => tx.send(saveBalances(part)))
    await inParts(tx, rows, (part) => tx.send(countPairs(part)))
    const revision = crypto.randomUUID()
    tx.send(sql`UPDATE ${ledgerState} SET transaction_count = ${end.lastId}, last_id = ${end.lastId},
      last_date = ${end.lastDate}, last_hash = ${end.lastHash}, revision = ${revision}::uuid`)
    tx.recordOutcome(revision)
    for (const account of saved) account.isStored = true
    cache.advance({ ...end, revision }, saved)
    return rows.length > 0
  }
}

/**
 * Notes are written behind their transactions, and before the end of the ledger moves past them. PostgreSQL refuses transactions
 * that do not follow the end, so it moves before the next part.
 */
function insert(tx: Tx, rows: readonly NewRow[], lastId: number) {
  tx.send(insertTransactions(rows))
  const notes = rows.flatMap(({ id, note }) => (note === null ? [] : { id, ...note }))
  if (notes.length > 0) tx.send(insertNotes(notes))
  const end = rows.at(-1)?.id ?? lastId
  if (end < lastId) tx.send(sql`UPDATE ${ledgerState} SET transaction_count = ${end}, last_id = ${end}`)
}

/** Lets the event loop run between parts. */
async function inParts<Row>(tx: Tx, rows: readonly Row[], send: (rows: readonly Row[]) => void) {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    send(rows.slice(from, from + rowsAtOnce))
    if (rows.length > rowsAtOnce) await tx.flush()
  }
}

const insertTransactions = (rows: readonly NewRow[]) => sql`
  INSERT INTO ${transactions} (id, user_id, from_id, value, date, kind, reverses, group_id, adds_to, commitment, hash)
  SELECT id, "receiverId", "senderId", value, date, kind, reverses, "group", "addsTo", commitment, hash FROM ${records(
    "added",
    rows,
    {
      id: "bigint",
      receiverId: "bigint",
      senderId: "bigint",
      value: "bigint",
      date: "bigint",
      kind: "text",
      reverses: "bigint",
      group: "bigint",
      addsTo: "bigint",
      commitment: "bytea",
      hash: "bytea",
    },
  )} ORDER BY id`

interface NewNote extends NonNullable<NewRow["note"]> {
  readonly id: number
}

const insertNotes = (rows: readonly NewNote[]) => sql`
  INSERT INTO ${notes} (transaction_id, salt, reason, tags, private)
  SELECT id, salt, reason, tags, "isPrivate" FROM ${records("added", rows, {
    id: "bigint",
    salt: "bytea",
    reason: "text",
    tags: "text",
    isPrivate: "bigint",
  })}`

const addBalances = (accounts: readonly Account[]) => sql`
  INSERT INTO ${balances} (user_id, value, received_count, sent_count)
  SELECT "userId", 0, 0, 0 FROM ${records("added", accounts, { userId: "bigint" })}`

const saveBalances = (accounts: readonly Account[]) => sql`
  UPDATE ${balances} SET value = changed.balance, earned = changed.earned, earned_given = changed."earnedGiven",
    received_count = changed."receivedCount", sent_count = changed."sentCount", self_count = changed."selfCount",
    requests = changed.requests, requests_until = changed."requestsUntil"
  FROM ${records("changed", accounts, {
    userId: "bigint",
    balance: "bigint",
    earned: "bigint",
    earnedGiven: "bigint",
    receivedCount: "bigint",
    sentCount: "bigint",
    selfCount: "bigint",
    requests: "bigint",
    requestsUntil: "bigint",
  })} WHERE ${balances.userId} = changed."userId"`

const countPairs = (rows: readonly NewRow[]) => sql`
  INSERT INTO ${pairs} (from_id, user_id, count)
  SELECT "senderId", "receiverId", count(*) FROM ${records("sent", rows, { senderId: "bigint", receiverId: "bigint" })}
  GROUP BY "senderId", "receiverId"
  ON CONFLICT (from_id, user_id) DO UPDATE SET count = pairs.count + excluded.count`

interface Account extends LockedAccount {
  readonly userId: number
  receivedCount: number
  sentCount: number
  selfCount: number
  /** Whether the account has a row in `balances`. */
  isStored: boolean
}

/** The row of `ledger_state`. */
export interface StoredEnd extends Readonly<LedgerEnd> {
  readonly revision: string
}

/** Accounts in memory, about 200 bytes each; beyond this number all are dropped. */
const maxAccounts = 20_000

export type LedgerCache = ReturnType<typeof createLedgerCache>

/**
 * The end of the ledger and the accounts as the last batch of this process found or left them. They are valid while the
 * ledger has the same revision. A batch that is still being written is included: if it fails, the next batch finds
 * another revision.
 */
export function createLedgerCache() {
  const accounts = new Map<number, Account>()
  let end: StoredEnd | null = null
  let isShared = true

  return {
    /** The end on which these postings can be decided without reading anything; null while other processes append too. */
    endFor(batch: readonly Posting[]): StoredEnd | null {
      const isKnown = batch.every(
        ({ senderId, receiverIds, needs, options }) =>
          !(needs || options.idempotencyKey) && accounts.has(senderId) && receiverIds.every((id) => accounts.has(id)),
      )
      return isShared || !isKnown ? null : end
    },

    /** Call this under the lock, with the accounts that were read there. Drops what is no longer valid. */
    begin(found: StoredEnd, read: readonly Account[]) {
      isShared = found.revision !== end?.revision
      if (isShared || accounts.size > maxAccounts) accounts.clear()
      end = found
      for (const account of read) accounts.set(account.userId, account)
    },

    /** A copy of the account, which a batch may change. */
    copyOf(userId: number): Account | undefined {
      const account = accounts.get(userId)
      return account && { ...account }
    },

    /** Takes over what the batch that is being written leaves behind. */
    advance(left: StoredEnd, changed: Iterable<Account>) {
      end = left
      for (const account of changed) accounts.set(account.userId, account)
    },

    /** Call it when a batch could not be committed. */
    clear() {
      accounts.clear()
      end = null
    },
  }
}

const account = fields({
  userId: users.id,
  isStored: sql<boolean>`${balances.userId} IS NOT NULL`,
  isActive: sql<boolean>`${users.deactivatedAt} IS NULL`,
  balance: sql<number>`coalesce(${balances.value}, 0)`,
  earned: sql<number>`coalesce(${balances.earned}, 0)`,
  earnedGiven: sql<number>`coalesce(${balances.earnedGiven}, 0)`,
  receivedCount: sql<number>`coalesce(${balances.receivedCount}, 0)`,
  sentCount: sql<number>`coalesce(${balances.sentCount}, 0)`,
  selfCount: sql<number>`coalesce(${balances.selfCount}, 0)`,
  requests: sql<number>`coalesce(${balances.requests}, 0)`,
  requestsUntil: sql<number>`coalesce(${balances.requestsUntil}, 0)`,
})

/** Reads the accounts of users, under the lock. */
export async function readAccounts(tx: Reads, userIds: readonly number[]): Promise<Account[]> {
  const found = await tx.all(select(account)`FROM ${list("asked", userIds, "bigint")} CROSS JOIN ${users}
    LEFT JOIN ${balances} ON ${balances.userId} = ${users.id} WHERE ${users.id} = asked.value`)
  return found.map(({ isStored, isActive, ...row }) => ({
    ...row,
    isStored: Boolean(isStored),
    isActive: Boolean(isActive),
  }))
}
