import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { NewTransaction, Note, Transaction, TransactionKind } from "../../../domain/ledger/model.ts"
import { movePoints, type StoredPockets } from "../../../domain/ledger/pockets.ts"
import { writeAudit } from "../../audit.ts"
import { setActive } from "../../auth/access.ts"
import { commitmentTo, firstHash, hashOf, newSalt } from "../../ledger/chain.ts"
import {
  type Answer,
  decide,
  decideInSlices,
  entriesIn,
  entriesInSlice,
  type LockedLedger,
  type Posting,
} from "../../ledger/postings.ts"
import { noteColumns } from "../../rows.ts"
import type { Connection } from "../database/connection.ts"
import { senderOn } from "../database/database.ts"
import { createExtend, type ListEnd, listEnd } from "../history/blocks.ts"
import { createLockedCatalogue } from "./catalogue.ts"
import { createReversedReader } from "./entries.ts"
import { createKeys } from "./idempotency-keys.ts"
import { createRuns } from "./runs.ts"

/** The most entries of a commit that runs in one tick. A posting with more gets a commit of its own, in time slices. */
const entriesAtOnce = 512

/** The result of a batch. */
interface Appended {
  /** They settle the promises of the batch. */
  readonly answers: readonly Answer[]
  /** Whether anything was appended. */
  readonly appended: boolean
}

interface Committed extends Appended {
  /** Entries of the batch, refused ones included. */
  readonly entries: number
}

/**
 * Commits the first of the waiting postings, as many as fit into one commit, and removes them from the list. More may
 * join until it has the write lock.
 */
export function createGroupCommit(connection: Connection): (waiting: Posting[]) => Promise<Committed> {
  const { write, reader } = connection
  const { budget } = reader
  const batches = createBatches(connection)

  return async (waiting) => {
    const [first] = waiting
    const called = waiting.length
    let batch: Posting[] = []
    const take = () => {
      batch = waiting.splice(0, fittingIn(waiting))
      return batch
    }
    try {
      const { answers, appended } =
        first && first.entries.length > entriesAtOnce
          ? await write(() => inSlices(batches.appendInSlices(take()[0] ?? first)))
          : await write(() => budget.charge(() => batches.append(take())))
      return { answers, entries: entriesIn(batch), appended }
    } catch (error) {
      batches.clear()
      if (batch.length === 0) batch = waiting.splice(0, called) // lock not free: refuses those that waited for it
      const answers = batch.map((posting) => () => posting.reject(error))
      return { answers, entries: entriesIn(batch), appended: false }
    }
  }

  async function inSlices<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      const slice = await budget.spend(() => slices.next())
      if (slice.done) return slice.value
    }
  }
}

/** Work in time slices: others may run whenever it yields. */
type Slices<T> = Generator<undefined, T, undefined>

/** How many postings from the first on go into one commit. */
function fittingIn(waiting: readonly Posting[]): number {
  let entries = 0
  let fitting = 0
  for (const posting of waiting) {
    entries += posting.entries.length
    if (entries > entriesAtOnce) return Math.max(fitting, 1)
    fitting += 1
  }
  return fitting
}

/**
 * Posts a batch in one transaction with one sync (group commit). Each posting is checked against the balances that the
 * postings before it left; a refused one appends nothing, and every promise settles after the commit. Balances and
 * counters are written once a batch.
 */
function createBatches({ writer: client, usersVersion, changesUsers }: Connection) {
  const accounts = createAccounts(client, usersVersion)
  const appendRow = createAppend(client)
  const sender = senderOn(client)
  const keys = createKeys(client)
  const state = client.prepare<Omit<LedgerEnd, "all">, []>(
    "SELECT last_id AS lastId, last_date AS lastDate, last_hash AS lastHash FROM ledger_state",
  )
  const readReversed = createReversedReader(client)
  const runs = createRuns(client)
  const catalogue = createLockedCatalogue(client)
  const saveState = client.prepare(
    "UPDATE ledger_state SET transaction_count = transaction_count + ?, last_id = ?, last_date = ?, last_hash = ?",
  )
  // Cached like the accounts: reading it took 9 of the 95 µs of a commit of seven entries.
  let cachedEnd: LedgerEnd | null = null

  return {
    /** Appends the batch. Call the answers after the commit. */
    append(batch: readonly Posting[]): Appended {
      const open = begin()
      const answers = decide(batch, open)
      for (const account of open.changed) accounts.save(account)
      return end(open, answers)
    },

    /** The same for one posting with many entries. */
    *appendInSlices(posting: Posting): Slices<Appended> {
      const open = begin()
      // Loads the accounts first, in time slices. That takes longer than the check, which then finds them in memory.
      for (const [index, { receiverId }] of posting.entries.entries()) {
        accounts.of(receiverId)
        if (index % entriesInSlice === 0) yield
      }
      const answer = yield* decideInSlices(posting, open)
      let saved = 0
      for (const account of open.changed) {
        accounts.save(account)
        saved += 1
        if (saved % entriesInSlice === 0) yield
      }
      return end(open, [answer])
    },

    /** Call this when the batch could not be committed. */
    clear() {
      accounts.clear()
      cachedEnd = null
    },
  }

  function begin(): OpenBatch {
    if (accounts.refresh()) cachedEnd = null
    cachedEnd ??= ledgerEnd(state.get() ?? undefined)
    const end = cachedEnd
    const changed = new Set<Account>()
    return {
      end,
      lastBefore: end.lastId,
      changed,
      accountOf: accounts.of,
      reversedOf: (id) => readReversed([id]).get(id) ?? 0,
      replayOf: keys.find,
      append(entry) {
        const sender = accounts.of(entry.senderId)
        const receiver = accounts.of(entry.receiverId)
        changed.add(sender).add(receiver)
        return appendRow(end, entry, sender, receiver)
      },
      save: (account) => changed.add(account),
      remember: keys.remember,
      audit: (entry) => writeAudit(sender, entry),
      runPaidThrough: runs.runPaidThrough,
      advanceRun: runs.advanceRun,
      deactivate(userId, at) {
        setActive(sender, userId, at)
        changesUsers()
      },
      catalogue,
    }
  }

  function end({ end, lastBefore }: OpenBatch, answers: readonly Answer[]): Appended {
    const count = end.lastId - lastBefore
    accounts.count(count)
    if (count > 0) saveState.run(count, end.lastId, end.lastDate, end.lastHash)
    return { answers, appended: count > 0 }
  }
}

/** A batch whose transaction is not committed yet. */
interface OpenBatch extends LockedLedger<Account> {
  readonly end: LedgerEnd
  /** The newest transaction before the batch. */
  readonly lastBefore: number
  readonly changed: Set<Account>
}

/** The end of the ledger, on which the next transaction builds. */
interface LedgerEnd {
  lastId: number
  lastDate: number
  lastHash: Uint8Array
  /** The list of everything. */
  readonly all: ListEnd
}

const emptyLedger = { lastId: 0, lastDate: 0, lastHash: firstHash }

/** Ids have no gaps, so the newest one is also the length of the list of everything. */
export const ledgerEnd = (end = emptyLedger): LedgerEnd => ({ ...end, all: listEnd(end.lastId, end.lastId) })

/**
 * Writes a transaction with its hash, links and note, extends the lists that it belongs to, and moves its value. Updates
 * `end`, `sender` and `receiver` in memory; the caller saves them.
 */
export function createAppend(client: Database) {
  const insert = client.prepare(
    `INSERT INTO transactions (id, user_id, from_id, value, date, user_prev, from_prev, kind, reverses, group_id,
       commitment, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertNote = createNoteInsert(client)
  const extend = createExtend(client)
  const kindOf = client.prepare<{ kind: TransactionKind }, [number]>("SELECT kind FROM transactions WHERE id = ?")

  return (end: LedgerEnd, entry: NewTransaction, sender: Account, receiver: Account): Transaction => {
    const { kind, value, note, place, reverses = null } = entry
    const receiverId = receiver.userId
    const senderId = sender.userId
    const isToSelf = sender === receiver
    const to = isToSelf ? sender.self : receiver.received
    const from = isToSelf ? sender.self : sender.sent
    const id = end.lastId + 1
    const group = place === undefined ? null : id - place
    const date = Math.max(end.lastDate, entry.date)
    const salt = note && newSalt()
    const commitment = note && salt ? commitmentTo(note, salt) : null
    const hash = hashOf(end.lastHash, { id, kind, senderId, receiverId, value, date, reverses, group, commitment })
    insert.run(id, receiverId, senderId, value, date, to.last, from.last, kind, reverses, group, commitment, hash)
    if (note && salt) insertNote(id, note, salt)

    // A transfer to oneself moves nothing. Subtracting and adding might exceed 2^53 in between.
    if (isToSelf) extend({ ownerId: senderId, side: "self" }, to, id, value)
    else {
      const originalKind = reverses === null ? null : (kindOf.get(reverses)?.kind ?? null)
      movePoints({ kind, value, originalKind }, sender, receiver)
      extend({ ownerId: receiverId, side: "received" }, to, id, value)
      extend({ ownerId: senderId, side: "sent" }, from, id, value)
    }
    extend({ ownerId: 0, side: "all" }, end.all, id, value)
    end.lastId = id
    end.lastDate = date
    end.lastHash = hash
    return { id, kind, senderId, receiverId, value, date, group, note }
  }
}

function createNoteInsert(client: Database) {
  const insert = client.prepare(
    "INSERT INTO notes (transaction_id, salt, reason, tags, private) VALUES (?, ?, ?, ?, ?)",
  )

  return (transactionId: number, note: Note, salt: Uint8Array) => {
    const { reason, tags, isPrivate } = noteColumns(note)
    insert.run(transactionId, salt, reason, tags, isPrivate)
  }
}

/**
 * How many accounts stay in memory, about 1 KB each, and how many entries their lists may hold there, 16 bytes each. Beyond
 * either number all accounts are dropped.
 */
const cacheLimits = { accounts: 20_000, entries: 500_000 }

/** A user's row of `balances`. */
export interface Account extends StoredPockets {
  readonly userId: number
  isActive: boolean
  /** How many requests that send points the user made in the window that ends at `requestsUntil`. */
  requests: number
  requestsUntil: number
  readonly received: ListEnd
  readonly sent: ListEnd
  readonly self: ListEnd
}

export const emptyAccount = (userId: number): Account => ({
  userId,
  isActive: true,
  balance: 0,
  earned: 0,
  earnedGiven: 0,
  requests: 0,
  requestsUntil: 0,
  received: listEnd(),
  sent: listEnd(),
  self: listEnd(),
})

interface AccountRow {
  readonly isActive: 0 | 1
  readonly balance: number
  readonly earned: number
  readonly earnedGiven: number
  readonly receivedCount: number
  readonly lastReceived: number
  readonly sentCount: number
  readonly lastSent: number
  readonly selfCount: number
  readonly lastSelf: number
  readonly requests: number
  readonly requestsUntil: number
}

/**
 * Balances and the newest ends of the lists, cached between batches: reading them again took a third of a batch's time.
 * Used only inside the write lock, where it is certain whether another process has written.
 */
export function createAccounts(client: Database, usersVersion: () => number, limits = cacheLimits) {
  const row = client.prepare<AccountRow, [number]>(
    `SELECT deactivated_at IS NULL AS isActive, coalesce(value, 0) AS balance,
       coalesce(earned, 0) AS earned, coalesce(earned_given, 0) AS earnedGiven,
       coalesce(received_count, 0) AS receivedCount, coalesce(last_received, 0) AS lastReceived,
       coalesce(sent_count, 0) AS sentCount, coalesce(last_sent, 0) AS lastSent,
       coalesce(self_count, 0) AS selfCount, coalesce(last_self, 0) AS lastSelf,
       coalesce(requests, 0) AS requests, coalesce(requests_until, 0) AS requestsUntil
     FROM users LEFT JOIN balances ON user_id = users.id WHERE users.id = ?`,
  )
  const save = createSave(client)
  const cached = new Map<number, Account>()
  let cachedVersion = -1
  /** The cached lists hold at most this many entries. Writing a block removes entries, so there may be fewer. */
  let entriesAtMost = 0

  return {
    /**
     * Call first in each transaction. Drops the cache when another process may have written, and returns whether it may
     * have.
     */
    refresh(): boolean {
      const version = usersVersion()
      const isOld = version !== cachedVersion
      if (isOld || cached.size > limits.accounts || holdsTooManyEntries()) {
        cached.clear()
        entriesAtMost = 0
      }
      cachedVersion = version
      return isOld
    },
    /** Call with the number of transactions that were appended. */
    count(transactions: number) {
      entriesAtMost += 2 * transactions
    },
    /** Call after a rollback. */
    clear: () => cached.clear(),
    /** @throws DomainError `user_not_found` */
    of(userId: number): Account {
      const known = cached.get(userId)
      if (known) return known
      const account = load(userId)
      cached.set(userId, account)
      return account
    },
    save,
  }

  /**
   * Counts the entries only when there may be too many. Nine tenths of the limit are then too many already; otherwise
   * it would soon count again.
   */
  function holdsTooManyEntries(): boolean {
    if (entriesAtMost <= limits.entries) return false
    entriesAtMost = 0
    for (const { received, sent, self } of cached.values())
      for (const { recent } of [received, sent, self]) entriesAtMost += recent.ids.length
    return entriesAtMost > 0.9 * limits.entries
  }

  function load(userId: number): Account {
    const found = row.get(userId)
    if (!found) throw new DomainError("user_not_found")
    const { isActive, balance, earned, earnedGiven, requests, requestsUntil } = found
    return {
      userId,
      isActive: isActive === 1,
      balance,
      earned,
      earnedGiven,
      requests,
      requestsUntil,
      received: listEnd(found.receivedCount, found.lastReceived),
      sent: listEnd(found.sentCount, found.lastSent),
      self: listEnd(found.selfCount, found.lastSelf),
    }
  }
}

/** Writes a user's row of `balances`. */
export function createSave(client: Database) {
  const save = client.prepare(
    `INSERT INTO balances (user_id, value, earned, earned_given, received_count, last_received, sent_count, last_sent,
       self_count, last_self, requests, requests_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET value = excluded.value, earned = excluded.earned,
       earned_given = excluded.earned_given,
       received_count = excluded.received_count, last_received = excluded.last_received,
       sent_count = excluded.sent_count, last_sent = excluded.last_sent,
       self_count = excluded.self_count, last_self = excluded.last_self,
       requests = excluded.requests, requests_until = excluded.requests_until`,
  )

  return ({ userId, balance, earned, earnedGiven, received, sent, self, requests, requestsUntil }: Account) => {
    save.run(
      userId,
      balance,
      earned,
      earnedGiven,
      received.count,
      received.last,
      sent.count,
      sent.last,
      self.count,
      self.last,
      requests,
      requestsUntil,
    )
  }
}
