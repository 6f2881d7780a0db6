import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import { nextTick } from "../../../domain/ticks.ts"
import { firstHash, type LedgerEnd, type NewRow } from "../../ledger/chain.ts"
import type { LockedAccount, LockedLedger, Posting } from "../../ledger/locked-ledger.ts"
import { type Answer, decide, decideInSlices, sharing, sliceLength, transactionsIn } from "../../ledger/postings.ts"
import type { ObserveCommit } from "../../open-store.ts"
import type { Connection } from "../database/connection.ts"
import { readerOn, senderOn } from "../database/database.ts"
import { createExtend, type ListEnd, listEnd } from "../history/blocks.ts"
import type { Ends } from "../history/records.ts"
import { createKeys } from "./idempotency-keys.ts"

/** The most transactions of a commit that runs in one tick. A posting with more gets a commit of its own, in time slices. */
const mostAtOnce = 512

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

/** Gathers postings, and commits as many of them at once as one commit may hold. */
export function createGroupCommit(connection: Connection, onCommit?: ObserveCommit) {
  const { write, reader } = connection
  const { budget } = reader
  const batches = createBatches(connection)
  const listeners = new Set<() => void>()
  const waiting: Posting[] = []
  let flushing: Promise<void> | undefined

  return {
    join(posting: Posting) {
      waiting.push(posting)
      flushSoon()
    },
    /** `LedgerStore.onAppend` */
    onAppend(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resolves when no posting waits for a commit any more. */
    async drained() {
      while (flushing !== undefined) await flushing
    },
  }

  // Two ticks: the first gathers the requests of this tick, the second those that follow from the answers just sent.
  function flushSoon() {
    flushing ??= nextTick().then(nextTick).then(flush)
  }

  /** All waiting postings share one transaction and one sync. Those that come meanwhile share the next. */
  async function flush() {
    const started = performance.now()
    const { answers, entries, appended } = await committed()
    flushing = undefined
    if (waiting.length > 0) flushSoon()
    for (const answer of answers) answer()
    if (appended) for (const listener of listeners) listener()
    onCommit?.({ entries, ms: performance.now() - started })
  }

  /** Commits the first of the waiting postings, and removes them from the list. More may join until it has the write lock. */
  async function committed(): Promise<Committed> {
    const [first] = waiting
    const called = waiting.length
    let batch: Posting[] = []
    const take = () => {
      batch = waiting.splice(0, sharing(waiting, mostAtOnce))
      return batch
    }
    try {
      const { answers, appended } =
        first && first.receiverIds.length > mostAtOnce
          ? await write(() => inSlices(batches.appendInSlices(take()[0] ?? first)))
          : await write(() => budget.charge(() => batches.append(take())))
      return { answers, entries: transactionsIn(batch), appended }
    } catch (error) {
      batches.clear()
      if (batch.length === 0) batch = waiting.splice(0, called) // lock not free: refuses those that waited for it
      const answers = batch.map((posting) => () => posting.reject(error))
      return { answers, entries: transactionsIn(batch), appended: false }
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

/**
 * Posts a batch in one transaction with one sync (group commit). Each posting is checked against the balances that the
 * postings before it left; a refused one appends nothing, and every promise settles after the commit. Balances and
 * counters are written once a batch.
 */
function createBatches({ writer: client, usersVersion, changesUsers }: Connection) {
  const accounts = createAccounts(client, usersVersion)
  const insert = createInsert(client)
  const { send } = senderOn(client, changesUsers)
  const { first: answer } = readerOn(client)
  const keys = createKeys(client)
  const state = client.prepare<LedgerEnd, []>(
    "SELECT last_id AS lastId, last_date AS lastDate, last_hash AS lastHash FROM ledger_state",
  )
  const saveState = client.prepare(
    "UPDATE ledger_state SET transaction_count = transaction_count + ?, last_id = ?, last_date = ?, last_hash = ?",
  )
  // Cached like the accounts: reading it took 9 of the 95 µs of a commit of seven entries.
  let cachedEnd: ListedEnd | null = null

  return {
    /** Appends the batch. Call the answers after the commit. */
    append(batch: readonly Posting[]): Appended {
      const open = begin()
      const answers = decide(batch, open)
      for (const account of open.changed) accounts.save(account)
      return end(open, answers)
    },

    /** The same for one posting with many transactions. */
    *appendInSlices(posting: Posting): Slices<Appended> {
      const open = begin()
      // Loads the accounts first, in time slices. That takes longer than the check, which then finds them in memory.
      for (const [index, receiverId] of posting.receiverIds.entries()) {
        accounts.of(receiverId)
        if (index % sliceLength === 0) yield
      }
      const answer = yield* decideInSlices(posting, open)
      let saved = 0
      for (const account of open.changed) {
        accounts.save(account)
        saved += 1
        if (saved % sliceLength === 0) yield
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
    return {
      end,
      lastBefore: end.lastId,
      changed: new Set(),
      accountOf: accounts.of,
      insert: (row, sender: Account, receiver: Account) => insert(row, sender, receiver, end.all),
      answer,
      keyOf: keys.find,
      remember: keys.remember,
      send,
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
interface OpenBatch extends LockedLedger {
  /** The newest transaction before the batch. */
  readonly lastBefore: number
  readonly changed: Set<Account>
}

interface ListedEnd extends LedgerEnd {
  /** The list of everything. */
  readonly all: ListEnd
}

const emptyLedger = { lastId: 0, lastDate: 0, lastHash: firstHash }

/** Ids have no gaps, so the newest one is also the length of the list of everything. */
export const ledgerEnd = (end = emptyLedger): ListedEnd => ({ ...end, all: listEnd(end.lastId, end.lastId) })

/** Writes a transaction with its links and note, and extends the lists that it belongs to. The caller saves the accounts. */
export function createInsert(client: Database) {
  const insert = client.prepare(
    `INSERT INTO transactions (id, user_id, from_id, value, date, user_prev, from_prev, kind, reverses, group_id,
       adds_to, commitment, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertNote = client.prepare(
    "INSERT INTO notes (transaction_id, salt, reason, tags, private) VALUES (?, ?, ?, ?, ?)",
  )
  const extend = createExtend(client)

  return (row: NewRow, sender: Account, receiver: Account, all: ListEnd) => {
    const { id, kind, senderId, receiverId, value, date, reverses, group, addsTo, commitment, note, hash } = row
    const isToSelf = sender === receiver
    const to = isToSelf ? sender.self : receiver.received
    const from = isToSelf ? sender.self : sender.sent
    insert.run(
      id,
      receiverId,
      senderId,
      value,
      date,
      to.last,
      from.last,
      kind,
      reverses,
      group,
      addsTo,
      commitment,
      hash,
    )
    if (note) insertNote.run(id, note.salt, note.reason, note.tags, note.isPrivate)
    if (isToSelf) extend({ ownerId: senderId, side: "self" }, to, id, value)
    else {
      extend({ ownerId: receiverId, side: "received" }, to, id, value)
      extend({ ownerId: senderId, side: "sent" }, from, id, value)
    }
    extend({ ownerId: 0, side: "all" }, all, id, value)
  }
}

/**
 * How many accounts stay in memory, about 1 KB each, and how many entries their lists may hold there, 16 bytes each. Beyond
 * either number all accounts are dropped.
 */
const cacheLimits = { accounts: 20_000, entries: 500_000 }

/** A user's row of `balances`. */
export interface Account extends LockedAccount {
  readonly userId: number
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

interface AccountRow extends Omit<LockedAccount, "isActive">, Ends {
  readonly isActive: 0 | 1
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
    const { isActive, receivedCount, lastReceived, sentCount, lastSent, selfCount, lastSelf, ...pockets } = found
    return {
      ...pockets,
      userId,
      isActive: isActive === 1,
      received: listEnd(receivedCount, lastReceived),
      sent: listEnd(sentCount, lastSent),
      self: listEnd(selfCount, lastSelf),
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
