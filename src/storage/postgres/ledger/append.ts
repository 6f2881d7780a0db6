import { DomainError } from "../../../domain/errors.ts"
import type { AuditEntry, IdempotencyKey, NewTransaction, PostResult, Transaction } from "../../../domain/model.ts"
import { commitmentTo, hashOf } from "../../chain.ts"
import type { ObserveCommit } from "../../opening.ts"
import { decide, type LockedLedger, type Posting } from "../../postings.ts"
import { newSalt, noteColumns } from "../../recognition-rows.ts"
import { writeAudit } from "../audit.ts"
import { setActive } from "../auth/end-access.ts"
import type { Client, Transaction as DatabaseTransaction, Queries } from "../database/client.ts"
import { lockAccounts } from "../people/user-rows.ts"
import { type BatchCatalogue, catalogueOf } from "./catalogue.ts"
import { keysIn, type StoredKey, storedKeys } from "./idempotency-keys.ts"
import {
  type Account,
  createKnownLedger,
  type KnownLedger,
  type LedgerEnd,
  readAccounts,
  readNewAccounts,
} from "./known.ts"

interface CommitOptions {
  /** When the first posting began to wait (`Bun.nanoseconds()`). */
  readonly since: number
  /** Whether another batch of this process is on its way. */
  readonly follows: boolean
  /** Called when the next batch may begin. */
  readonly onNext: () => void
  readonly onCommit: ObserveCommit | undefined
}

/**
 * Posts a batch in one transaction of two round trips (group commit): the first takes the row lock of the ledger and reads
 * what the batch concerns, the second writes it and commits. The lock gives the batches of all processes one order, which is
 * the order of their ids. Every promise settles after the commit.
 *
 * While only this process appends, it knows what the first round trip would find. The next batch is then decided while the
 * server commits the one before, and sent behind it in one piece, which begins with the lock, and fails if the ledger
 * is not what the batch was decided on. It is then decided again.
 */
export function createGroupCommit(client: Client) {
  const chain = client.chain()
  const known = createKnownLedger()

  return async (batch: readonly Posting[], { since, follows, onNext, onCommit }: CommitOptions): Promise<void> => {
    const began = performance.now()
    let isFirstAttempt = true
    let revision: string | null = null
    let answers: readonly (() => void)[]
    try {
      answers = await chain.transaction(
        async (tx) => {
          const expected = follows && isFirstAttempt ? known.end() : null
          isFirstAttempt = false
          const locking = expected === null ? lock(tx) : lockAt(tx, expected)
          const ledger = await locked(tx, locking, batch, known)
          const decided = decide(batch, ledger)
          revision = ledger.write(() => known.end() !== null && onNext())
          return decided
        },
        { since, isCommitted: async (queries) => revision !== null && isAppended(queries, revision) },
      )
    } catch (error) {
      answers = batch.map(
        ({ reject }) =>
          () =>
            reject(error),
      )
    }
    onNext()
    for (const answer of answers) answer()
    onCommit?.({ entries: entriesIn(batch), ms: performance.now() - began })
  }
}

async function lock({ query }: DatabaseTransaction): Promise<LedgerEnd> {
  const [end] = await query<LedgerEnd>(
    `SELECT last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash", revision
     FROM ledger_state FOR UPDATE`,
  )
  if (!end) throw new Error("the row of ledger_state is missing")
  return end
}

function lockAt({ send }: DatabaseTransaction, expected: LedgerEnd): LedgerEnd {
  send("SELECT lock_ledger($1)", [expected.revision])
  return expected
}

/** Whether the batch was committed that leaves the ledger at this revision. */
async function isAppended({ query }: Queries, revision: string): Promise<boolean> {
  await query("SELECT FROM ledger_state FOR UPDATE") // waits until the server has ended the batch
  const [found] = await query("SELECT FROM recent_batches WHERE revision = $1", [revision])
  return found !== undefined
}

/** Reads the accounts, keys and reversals that the batch names, in the round trip of the lock. */
async function locked(
  tx: DatabaseTransaction,
  locking: LedgerEnd | Promise<LedgerEnd>,
  batch: readonly Posting[],
  known: KnownLedger,
) {
  const entries = batch.flatMap((posting) => posting.entries)
  const userIds = [...new Set(entries.flatMap(({ senderId, receiverId }) => [senderId, receiverId]))]
  const reversed = entries.flatMap(({ reverses }) => reverses ?? [])
  const runIds = batch.flatMap(({ payment }) => payment?.slice.runId ?? [])
  const [end, read, keys, reversals, runs, catalogue] = await Promise.all([
    locking,
    readAccounts(tx, known.toReadAhead(userIds)),
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
  known.begin(end)
  known.add(read)
  known.add(await readAccounts(tx, known.missing(userIds)))
  known.add(await readNewAccounts(tx, known.missing(userIds)))
  return createLockedLedger(tx, {
    end,
    known,
    keys,
    reversals: new Map(reversals.map(({ id, value }) => [id, value])),
    runs: new Map(runs.map(({ id, throughId }) => [id, throughId])),
    catalogue,
  })
}

/** What was read under the lock. */
interface Read {
  readonly end: LedgerEnd
  readonly known: KnownLedger
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

function createLockedLedger(tx: DatabaseTransaction, { end, known, keys, reversals, runs, catalogue }: Read) {
  const rows: Row[] = []
  const notes: NoteRow[] = []
  const used = new Map<number, Account>()
  const changed = new Set<Account>()
  const remembered: StoredKey[] = []
  const audits: AuditEntry[] = []
  const leavers: { readonly userId: number; readonly at: number }[] = []
  let { lastId, lastDate, lastHash } = end

  const ledger: LockedLedger<Account> & { write(onWritten: () => void): string | null } = {
    accountOf,
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
    /**
     * Sends all writes, together with the COMMIT. Returns the revision that they leave; null when there are none.
     * `onWritten`: only the COMMIT is left.
     */
    write,
  }
  return ledger

  function accountOf(userId: number): Account {
    const account = used.get(userId) ?? known.copyOf(userId)
    if (!account) throw new DomainError("user_not_found")
    used.set(userId, account)
    return account
  }

  function append(entry: NewTransaction): Transaction {
    const { kind, senderId, receiverId, value, note, reverses = null } = entry
    const [sender, receiver] = [accountOf(senderId), accountOf(receiverId)]
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

  function write(onWritten: () => void): string | null {
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
    }
    if (notes.length > 0)
      tx.send(insertNotes, [
        columnOf(notes, "id"),
        columnOf(notes, "salt"),
        notes.map(({ columns }) => columns.reason),
        notes.map(({ columns }) => columns.tags),
        notes.map(({ columns }) => columns.isPrivate),
      ])
    catalogue.write(tx)
    keys.write(tx, remembered)
    writeAudit(tx, ...audits)
    if (leavers.length > 0) lockAccounts(tx)
    for (const { userId, at } of leavers) setActive(tx, userId, at)
    if (changed.size === 0) return null
    const revision = crypto.randomUUID()
    const saved = [...changed]
    const added = saved.filter(({ isStored }) => !isStored)
    if (added.length > 0) tx.send(addBalances, [columnOf(added, "userId")])
    tx.send(
      moveOn,
      [
        rows.length,
        lastId,
        lastDate,
        lastHash,
        revision,
        columnOf(rows, "senderId"),
        columnOf(rows, "receiverId"),
        columnOf(saved, "userId"),
        columnOf(saved, "value"),
        columnOf(saved, "receivedCount"),
        columnOf(saved, "sentCount"),
        columnOf(saved, "selfCount"),
        columnOf(saved, "requests"),
        columnOf(saved, "requestsUntil"),
      ],
      onWritten,
    )
    for (const account of added) account.isStored = true
    known.advance({ lastId, lastDate, lastHash, revision }, changed)
    return revision
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

const insertNotes = `
  INSERT INTO notes (transaction_id, salt, reason, tags, private)
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::smallint[])`

const addBalances = `
  INSERT INTO balances (user_id, value, received_count, sent_count) SELECT id, 0, 0, 0 FROM unnest($1::bigint[]) AS added (id)`

/** More than are committed while somebody waits to hear what became of one. */
const recentBatches = 8192

/** Saves what follows from the transactions. An upsert of balances would never clean up their old versions. */
const moveOn = `
  WITH counted AS (
    INSERT INTO pairs (from_id, user_id, count)
    SELECT from_id, user_id, count(*) FROM unnest($6::bigint[], $7::bigint[]) AS sent (from_id, user_id)
    GROUP BY from_id, user_id
    ON CONFLICT (from_id, user_id) DO UPDATE SET count = pairs.count + excluded.count
  ), saved AS (
    UPDATE balances SET value = changed.value, received_count = changed.received_count, sent_count = changed.sent_count,
      self_count = changed.self_count, requests = changed.requests, requests_until = changed.requests_until
    FROM unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])
      AS changed (user_id, value, received_count, sent_count, self_count, requests, requests_until)
    WHERE balances.user_id = changed.user_id
  ), recorded AS (
    INSERT INTO recent_batches (place, revision) SELECT batch_count % ${recentBatches}, $5 FROM ledger_state
    ON CONFLICT (place) DO UPDATE SET revision = excluded.revision
  )
  UPDATE ledger_state SET batch_count = batch_count + 1, transaction_count = transaction_count + $1, last_id = $2, last_date = $3, last_hash = $4,
    revision = $5`

export const entriesIn = (batch: readonly Posting[]): number =>
  batch.reduce((count, { entries }) => count + entries.length, 0)
