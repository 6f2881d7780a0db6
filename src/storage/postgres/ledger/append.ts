import { DomainError } from "../../../domain/errors.ts"
import type { AuditEntry, IdempotencyKey, NewTransaction, PostResult, Transaction } from "../../../domain/model.ts"
import { commitmentTo, hashOf } from "../../chain.ts"
import { decide, type LockedAccount, type LockedLedger, type Posting } from "../../postings.ts"
import { newSalt, noteColumns } from "../../recognition-rows.ts"
import { writeAudit } from "../audit.ts"
import { setActive } from "../auth/end-access.ts"
import type { Client, Transaction as DatabaseTransaction, Queries } from "../database/client.ts"
import { lockAccounts } from "../people/user-rows.ts"
import { type BatchCatalogue, catalogueOf } from "./catalogue.ts"
import { keysIn, type StoredKey, storedKeys } from "./idempotency-keys.ts"

interface Account extends LockedAccount {
  readonly userId: number
  receivedCount: number
  sentCount: number
  selfCount: number
}

/** A row of `balances`. */
type Balance = Omit<Account, "isActive">

/** The row of `ledger_state`. */
interface LedgerEnd {
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
}

/**
 * Posts a batch in one transaction of two round trips (group commit): the first takes the row lock of the ledger and reads
 * what the batch concerns, the second writes it and commits. The lock gives the batches of all processes one order, which is
 * the order of their ids. Every promise settles after the commit. Returns whether anything was appended.
 */
export function createGroupCommit(client: Client) {
  return async (batch: readonly Posting[]): Promise<boolean> => {
    let answers: (() => void)[]
    let appended: boolean
    try {
      ;({ answers, appended } = await commit(batch))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return false
    }
    for (const answer of answers) answer()
    return appended
  }

  function commit(batch: readonly Posting[]) {
    let written: { readonly end: LedgerEnd; readonly xid: string } | null = null
    return client.transaction(
      async (tx) => {
        const { ledger, xid } = await locked(tx, batch)
        const answers = decide(batch, ledger)
        const end = ledger.write()
        written = end && { end, xid }
        return { answers, appended: end !== null }
      },
      { isCommitted: async (queries) => written !== null && isAppended(queries, written.end, written.xid) },
    )
  }
}

/**
 * Whether the batch was committed. The hash of its last transaction covers all of them, but is not enough: if this batch
 * was lost, another one of the same content in the same millisecond would have the same hash. The number of the database's
 * transaction (xid) alone is not enough either: after a failover, the new server may use it again.
 */
async function isAppended({ query }: Queries, { lastId, lastHash }: LedgerEnd, xid: string): Promise<boolean> {
  await query("SELECT FROM ledger_state FOR UPDATE") // waits until the server has ended the batch
  const [found] = await query("SELECT FROM transactions WHERE id = $1 AND hash = $2 AND xmin = $3::xid8::xid", [
    lastId,
    lastHash,
    xid,
  ])
  return found !== undefined
}

/** Takes the lock, and reads the accounts, keys and reversals that the batch names. */
async function locked(tx: DatabaseTransaction, batch: readonly Posting[]) {
  const entries = batch.flatMap((posting) => posting.entries)
  const userIds = [...new Set(entries.flatMap(({ senderId, receiverId }) => [senderId, receiverId]))]
  const reversed = entries.flatMap(({ reverses }) => reverses ?? [])
  const runIds = batch.flatMap(({ payment }) => payment?.slice.runId ?? [])
  const [[state], accounts, leavers, keys, reversals, runs, catalogue] = await Promise.all([
    tx.query<LedgerEnd & { xid: string }>(
      `SELECT last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash", pg_current_xact_id()::text AS xid
       FROM ledger_state FOR UPDATE`,
    ),
    tx.query<Balance>(selectBalances, [userIds]),
    tx.query<{ id: number }>(selectLeavers, [userIds]),
    storedKeys(tx, keysIn(batch)),
    reversed.length === 0
      ? []
      : tx.query<{ id: number; value: number }>(
          "SELECT reverses AS id, sum(value)::bigint AS value FROM transactions WHERE reverses = ANY($1::bigint[]) GROUP BY reverses",
          [reversed],
        ),
    runIds.length === 0
      ? []
      : tx.query<{ id: number; throughId: number }>(
          `SELECT id, through_id AS "throughId" FROM allowance_runs WHERE id = ANY($1::bigint[]) AND finished_at IS NULL`,
          [runIds],
        ),
    catalogueOf(tx, batch),
  ])
  if (!state) throw new Error("the row of ledger_state is missing")
  const left = new Set(leavers.map(({ id }) => id))
  const all = [...accounts, ...(await newAccounts(tx, userIds, accounts))]
  const ledger = createLockedLedger(tx, {
    end: state,
    accounts: new Map(all.map((account) => [account.userId, { ...account, isActive: !left.has(account.userId) }])),
    keys,
    reversals: new Map(reversals.map(({ id, value }) => [id, value])),
    runs: new Map(runs.map(({ id, throughId }) => [id, throughId])),
    catalogue,
  })
  return { ledger, xid: state.xid }
}

const selectBalances = `
  SELECT user_id AS "userId", value, received_count AS "receivedCount", sent_count AS "sentCount", self_count AS "selfCount",
    requests, requests_until AS "requestsUntil"
  FROM balances WHERE user_id = ANY($1::bigint[])`

/** A statement of its own, for its small index: joined to the balances, each account took twice the time. */
const selectLeavers = "SELECT id FROM users WHERE id = ANY($1::bigint[]) AND deactivated_at IS NOT NULL"

/** The accounts of those who have no row of `balances` yet. */
async function newAccounts(
  tx: DatabaseTransaction,
  userIds: readonly number[],
  accounts: readonly Balance[],
): Promise<Balance[]> {
  if (accounts.length === userIds.length) return []
  const known = new Set(accounts.map(({ userId }) => userId))
  const unknown = userIds.filter((userId) => !known.has(userId))
  const users = await tx.query<{ id: number }>("SELECT id FROM users WHERE id = ANY($1::bigint[])", [unknown])
  const zero = { value: 0, receivedCount: 0, sentCount: 0, selfCount: 0, requests: 0, requestsUntil: 0 }
  return users.map(({ id }) => ({ userId: id, ...zero }))
}

/** What was read under the lock. */
interface Read {
  readonly end: LedgerEnd
  readonly accounts: ReadonlyMap<number, Account>
  readonly keys: ReturnType<typeof storedKeys> extends Promise<infer Keys> ? Keys : never
  readonly reversals: Map<number, number>
  /** How far each unfinished run has come. */
  readonly runs: Map<number, number>
  readonly catalogue: BatchCatalogue
}

/** A transaction as its row has it. */
interface Row extends Omit<Transaction, "note"> {
  readonly reverses: number | null
  readonly commitment: Uint8Array | null
  readonly hash: Uint8Array
}

interface NoteRow {
  readonly id: number
  readonly salt: Uint8Array
  readonly columns: ReturnType<typeof noteColumns>
}

function createLockedLedger(tx: DatabaseTransaction, { end, accounts, keys, reversals, runs, catalogue }: Read) {
  const rows: Row[] = []
  const notes: NoteRow[] = []
  const changed = new Set<Account>()
  const remembered: StoredKey[] = []
  const audits: AuditEntry[] = []
  const leavers: { readonly userId: number; readonly at: number }[] = []
  let { lastId, lastDate, lastHash } = end

  const ledger: LockedLedger<Account> & { write(): LedgerEnd | null } = {
    accountOf(userId) {
      const account = accounts.get(userId)
      if (!account) throw new DomainError("user_not_found")
      return account
    },
    reversedOf: (transactionId) => reversals.get(transactionId) ?? 0,
    replayOf: (senderId, key, now): PostResult | null => keys.replayOf(senderId, key, now),
    append,
    save: (account) => void changed.add(account),
    remember(transactions, balance, key: IdempotencyKey) {
      remembered.push(keys.remember(transactions, balance, key))
    },
    audit(entry) {
      if (entry) audits.push(entry)
    },
    runAt: (runId) => runs.get(runId) ?? null,
    moveRun({ runId, throughId, isLast, date }, paid) {
      if (isLast) runs.delete(runId)
      else runs.set(runId, throughId)
      const total = paid.reduce((sum, { value }) => sum + value, 0)
      tx.send(moveRun, [runId, throughId, paid.length, total, isLast ? date : null])
    },
    deactivate(userId, at) {
      leavers.push({ userId, at })
    },
    catalogue,
    /** Sends all writes, together with the COMMIT. Returns the new end; null when nothing was appended. */
    write,
  }
  return ledger

  function append(entry: NewTransaction): Transaction {
    const { kind, senderId, receiverId, value, note, reverses = null } = entry
    const [sender, receiver] = [ledger.accountOf(senderId), ledger.accountOf(receiverId)]
    const id = lastId + 1
    const date = Math.max(lastDate, entry.date)
    const salt = note && newSalt()
    const commitment = note && salt ? commitmentTo(note, salt) : null
    const hash = hashOf(lastHash, { id, kind, senderId, receiverId, value, date, reverses, commitment })
    rows.push({ id, kind, senderId, receiverId, value, date, reverses, commitment, hash })
    if (note && salt) notes.push({ id, salt, columns: noteColumns(note) })
    if (reverses !== null) reversals.set(reverses, (reversals.get(reverses) ?? 0) + value)

    // A transfer to oneself moves nothing. Adding and subtracting might exceed 2^53 in between.
    if (sender === receiver) sender.selfCount += 1
    else {
      sender.value -= value
      sender.sentCount += 1
      receiver.value += value
      receiver.receivedCount += 1
    }
    changed.add(sender).add(receiver)
    lastId = id
    lastDate = date
    lastHash = hash
    return { id, kind, senderId, receiverId, value, date, note }
  }

  function write(): LedgerEnd | null {
    if (rows.length > 0) {
      tx.send(insertTransactions, [
        columnOf(rows, "id"),
        columnOf(rows, "receiverId"),
        columnOf(rows, "senderId"),
        columnOf(rows, "value"),
        columnOf(rows, "date"),
        columnOf(rows, "kind"),
        columnOf(rows, "reverses"),
        columnOf(rows, "commitment"),
        columnOf(rows, "hash"),
      ])
      tx.send(countPairs, [columnOf(rows, "senderId"), columnOf(rows, "receiverId")])
    }
    if (notes.length > 0)
      tx.send(insertNotes, [
        columnOf(notes, "id"),
        columnOf(notes, "salt"),
        notes.map(({ columns }) => columns.reason),
        notes.map(({ columns }) => columns.tags),
        notes.map(({ columns }) => columns.isPrivate),
      ])
    if (changed.size > 0) {
      const saved = [...changed]
      tx.send(saveAccounts, [
        columnOf(saved, "userId"),
        columnOf(saved, "value"),
        columnOf(saved, "receivedCount"),
        columnOf(saved, "sentCount"),
        columnOf(saved, "selfCount"),
        columnOf(saved, "requests"),
        columnOf(saved, "requestsUntil"),
      ])
    }
    catalogue.write(tx)
    keys.write(tx, remembered)
    writeAudit(tx, ...audits)
    if (leavers.length > 0) lockAccounts(tx)
    for (const { userId, at } of leavers) setActive(tx, userId, at)
    if (rows.length === 0) return null
    tx.send(
      "UPDATE ledger_state SET transaction_count = transaction_count + $1, last_id = $2, last_date = $3, last_hash = $4",
      [rows.length, lastId, lastDate, lastHash],
    )
    return { lastId, lastDate, lastHash }
  }
}

const moveRun = `
  UPDATE allowance_runs SET through_id = $2, people = people + $3, total = total + $4, finished_at = $5 WHERE id = $1`

const columnOf = <Row, Column extends keyof Row>(rows: readonly Row[], column: Column): Row[Column][] =>
  rows.map((row) => row[column])

const insertTransactions = `
  INSERT INTO transactions (id, user_id, from_id, value, date, kind, reverses, commitment, hash)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[],
    $8::bytea[], $9::bytea[])`

const countPairs = `
  INSERT INTO pairs (from_id, user_id, count)
  SELECT from_id, user_id, count(*) FROM unnest($1::bigint[], $2::bigint[]) AS sent (from_id, user_id)
  GROUP BY from_id, user_id
  ON CONFLICT (from_id, user_id) DO UPDATE SET count = pairs.count + excluded.count`

const insertNotes = `
  INSERT INTO notes (transaction_id, salt, reason, tags, private)
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::smallint[])`

const saveAccounts = `
  INSERT INTO balances (user_id, value, received_count, sent_count, self_count, requests, requests_until)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  ON CONFLICT (user_id) DO UPDATE SET value = excluded.value, received_count = excluded.received_count,
    sent_count = excluded.sent_count, self_count = excluded.self_count, requests = excluded.requests,
    requests_until = excluded.requests_until`
