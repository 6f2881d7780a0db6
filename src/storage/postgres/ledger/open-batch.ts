import { DomainError } from "../../../domain/errors.ts"
import type { LedgerEnd, NewRow } from "../../ledger/chain.ts"
import type { LockedAccount, LockedLedger, StoredKey } from "../../ledger/locked-ledger.ts"
import type { SQL } from "../../sql.ts"
import type { OpenTransaction, Queries } from "../database/client.ts"
import { senderOn } from "../database/database.ts"
import { type Keys, nameOf, saveKeys } from "./idempotency-keys.ts"

/** What postings need besides the accounts. It is read under the lock. */
export interface Facts {
  readonly keys: Keys
  /** The rows of what the postings ask. */
  readonly answers: ReadonlyMap<SQL, unknown>
}

export interface OpenBatch extends LockedLedger {
  /** The end of the ledger before the batch. */
  readonly start: StoredEnd
  /** Call this before deciding a posting that needs any of these facts. */
  add(facts: Facts): void
  /** Sends all writes. Returns the revision that the ledger then has; null when no account has changed. */
  write(tx: OpenTransaction, events: WriteEvents): string | null
}

interface WriteEvents {
  /** Called when the transactions are inserted. */
  readonly onInserted: () => void
  /** Called when only the COMMIT is left. */
  readonly onWritten: () => void
}

/** Decides postings in memory, from the end of the ledger on. Nothing is written before `write`. */
export function createOpenBatch(start: StoredEnd, cache: LedgerCache): OpenBatch {
  const { lastId, lastDate, lastHash } = start
  const end = { lastId, lastDate, lastHash }
  const rows: NewRow[] = []
  const used = new Map<number, Account>()
  const changed = new Set<Account>()
  const newKeys = new Map<string, StoredKey>()
  const sent: SQL[] = []
  let added: Facts | null = null

  return {
    start,
    end,
    changed,
    add(facts) {
      added = facts
    },
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
    answer: <Row>(question: SQL<Row>) => (facts().answers.get(question) ?? null) as Row | null,
    keyOf(ownerId, key) {
      const name = nameOf({ ownerId, key })
      return newKeys.get(name) ?? facts().keys.get(name) ?? null
    },
    // A key may expire and be used again within one batch; the last use counts.
    remember({ transactions, ...key }) {
      newKeys.set(nameOf(key), { ...key, transactions: transactions.map(({ note: _, ...rest }) => rest) })
    },
    send: (query) => void sent.push(query),
    write,
  }

  function facts(): Facts {
    if (added === null) throw new Error("a posting is decided before what it needs is read")
    return added
  }

  function write(tx: OpenTransaction, { onInserted, onWritten }: WriteEvents): string | null {
    const inserted = [
      ...columnsOf(rows, "id", "receiverId", "senderId", "value", "date"),
      ...columnsOf(rows, "kind", "reverses", "group", "addsTo", "commitment", "hash"),
    ]
    if (rows.length > 0) tx.send(insertTransactions, inserted, onInserted)
    const notes = rows.flatMap(({ id, note }) => (note === null ? [] : { id, ...note }))
    if (notes.length > 0) tx.send(insertNotes, columnsOf(notes, "id", "salt", "reason", "tags", "isPrivate"))
    if (newKeys.size > 0) saveKeys(tx, [...newKeys.values()])
    const sender = senderOn(tx)
    for (const query of sent) sender.send(query)
    if (changed.size === 0) return null
    const revision = crypto.randomUUID()
    const saved = [...changed]
    const unstored = saved.filter(({ isStored }) => !isStored)
    if (unstored.length > 0) tx.send(addBalances, columnsOf(unstored, "userId"))
    const { lastId, lastDate, lastHash } = end
    const followed = [
      ...[rows.length, lastId, lastDate, lastHash, revision],
      ...columnsOf(rows, "senderId", "receiverId"),
      ...columnsOf(saved, "userId", "balance", "earned", "earnedGiven", "receivedCount", "sentCount", "selfCount"),
      ...columnsOf(saved, "requests", "requestsUntil"),
    ]
    tx.send(saveLedger, followed, onWritten)
    for (const account of unstored) account.isStored = true
    cache.advance({ ...end, revision }, changed)
    return revision
  }
}

/** The values of each field. */
const columnsOf = <Row, Field extends keyof Row>(rows: readonly Row[], ...fields: readonly Field[]): Row[Field][][] =>
  fields.map((field) => rows.map((row) => row[field]))

const insertTransactions = `
  INSERT INTO transactions (id, user_id, from_id, value, date, kind, reverses, group_id, adds_to, commitment, hash)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[],
    $8::bigint[], $9::bigint[], $10::bytea[], $11::bytea[])`

const insertNotes = `
  INSERT INTO notes (transaction_id, salt, reason, tags, private)
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::smallint[])`

const addBalances = `
  INSERT INTO balances (user_id, value, received_count, sent_count) SELECT id, 0, 0, 0 FROM unnest($1::bigint[]) AS added (id)`

/** How many batches are recorded: more than are committed while a caller waits for the outcome of one. */
const recentBatches = 8192

/** Saves what follows from the transactions. Upserts of balances would never clean up the old versions of the rows. */
const saveLedger = `
  WITH counted AS (
    INSERT INTO pairs (from_id, user_id, count)
    SELECT from_id, user_id, count(*) FROM unnest($6::bigint[], $7::bigint[]) AS sent (from_id, user_id)
    GROUP BY from_id, user_id
    ON CONFLICT (from_id, user_id) DO UPDATE SET count = pairs.count + excluded.count
  ), saved AS (
    UPDATE balances SET value = changed.value, earned = changed.earned, earned_given = changed.earned_given, received_count = changed.received_count, sent_count = changed.sent_count,
      self_count = changed.self_count, requests = changed.requests, requests_until = changed.requests_until
    FROM unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
      $15::bigint[], $16::bigint[])
      AS changed (user_id, value, earned, earned_given, received_count, sent_count, self_count, requests, requests_until)
    WHERE balances.user_id = changed.user_id
  ), recorded AS (
    INSERT INTO recent_batches (place, revision) SELECT batch_count % ${recentBatches}, $5 FROM ledger_state
    ON CONFLICT (place) DO UPDATE SET revision = excluded.revision
  )
  UPDATE ledger_state SET batch_count = batch_count + 1, transaction_count = transaction_count + $1, last_id = $2, last_date = $3, last_hash = $4,
    revision = $5`

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

  const missing = (userIds: readonly number[]) => userIds.filter((userId) => !accounts.has(userId))

  return {
    /** The end; null while other processes append too, because it has probably changed by now. */
    end: () => (isShared ? null : end),

    /** The accounts to read together with the lock: the missing ones, or all while other processes append too. */
    toReadAhead: (userIds: readonly number[]): readonly number[] => (isShared ? userIds : missing(userIds)),

    /** Call this under the lock. Drops what is no longer valid. */
    begin(found: StoredEnd) {
      isShared = found.revision !== end?.revision
      if (isShared || accounts.size > maxAccounts) accounts.clear()
      end = found
    },

    has: (userId: number): boolean => accounts.has(userId),
    missing,

    add(read: readonly Account[]) {
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
  }
}

const readerOf =
  (select: string) =>
  ({ query }: Queries, userIds: readonly number[]): Promise<readonly Account[]> =>
    userIds.length === 0 ? Promise.resolve([]) : query<Account>(select, [userIds])

/**
 * Reads, under the lock, the accounts of users who have a row in `balances`. Inactive users are found through their
 * small index, because a join to all users takes twice as long for each account.
 */
export const readAccounts = readerOf(`
  SELECT user_id AS "userId", true AS "isStored",
    NOT EXISTS (SELECT FROM users WHERE id = user_id AND deactivated_at IS NOT NULL) AS "isActive",
    value AS balance, earned, earned_given AS "earnedGiven", received_count AS "receivedCount", sent_count AS "sentCount", self_count AS "selfCount",
    requests, requests_until AS "requestsUntil"
  FROM balances WHERE user_id = ANY($1::bigint[])`)

/** Reads the accounts of users who have no row in `balances` yet. */
export const readNewAccounts = readerOf(`
  SELECT id AS "userId", false AS "isStored", deactivated_at IS NULL AS "isActive", 0 AS balance, 0 AS earned, 0 AS "earnedGiven",
    0 AS "receivedCount",
    0 AS "sentCount", 0 AS "selfCount", 0 AS requests, 0 AS "requestsUntil"
  FROM users WHERE id = ANY($1::bigint[])`)
