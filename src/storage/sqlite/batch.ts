import type { LedgerStore, NewTransaction, Transaction } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"

/** An entry that waits for the commit that it will share. */
export interface Posting {
  readonly entry: NewTransaction
  readonly check: Parameters<LedgerStore["post"]>[1]
  readonly resolve: (transaction: Transaction) => void
  readonly reject: (reason: unknown) => void
}

/** A balance row as it will stand after the batch. */
interface Account {
  value: number
  received: number
  sent: number
  /** Null while no entry of this batch has touched it. */
  changedAt: number | null
}

interface LedgerState {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
}

/**
 * Posts entries in one transaction: each is checked against the balances as the entries before it left them,
 * a refused one leaves no trace, and every promise settles after the commit. Balances and counters are gathered
 * and written once a batch. Returns whether anything was appended.
 *
 * Statements are raw here, the one place where Drizzle's mapping costs more than the work.
 */
export function createBatch({ client, write }: Connection) {
  const state = client.prepare<LedgerState, []>(
    "SELECT transaction_count AS count, last_id AS lastId, last_date AS lastDate FROM ledger_state",
  )
  const account = client.prepare<Omit<Account, "changedAt">, [number]>(
    "SELECT value, received_count AS received, sent_count AS sent FROM balances WHERE user_id = ?",
  )
  const insert = client.prepare("INSERT INTO transactions (id, user_id, from_id, value, date) VALUES (?, ?, ?, ?, ?)")
  const saveAccount = client.prepare(
    `INSERT INTO balances (user_id, value, received_count, sent_count, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET value = excluded.value, received_count = excluded.received_count,
       sent_count = excluded.sent_count, updated_at = excluded.updated_at`,
  )
  const countPair = client.prepare(
    `INSERT INTO pair_counts (from_id, user_id, count) VALUES (?, ?, 1)
     ON CONFLICT (from_id, user_id) DO UPDATE SET count = count + 1`,
  )
  const saveState = client.prepare("UPDATE ledger_state SET transaction_count = ?, last_id = ?, last_date = ?")

  return (batch: readonly Posting[]): boolean => {
    let settle: (() => void)[]
    let appended: boolean
    try {
      ;({ settle, appended } = write(() => append(batch)))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return false
    }
    for (const settled of settle) settled()
    return appended
  }

  function append(batch: readonly Posting[]) {
    const before = state.get() ?? { count: 0, lastId: 0, lastDate: 0 }
    let { lastId, lastDate } = before
    const accounts = new Map<number, Account>()
    const settle: (() => void)[] = []

    for (const { entry, check, resolve, reject } of batch) {
      const sender = accountOf(accounts, entry.senderId)
      const receiver = accountOf(accounts, entry.receiverId)
      try {
        check({ sender: sender.value, receiver: receiver.value })
      } catch (refusal) {
        settle.push(() => reject(refusal))
        continue
      }
      lastId += 1
      lastDate = Math.max(lastDate, entry.date)
      const transaction = { ...entry, id: lastId, date: lastDate }
      insert.run(lastId, entry.receiverId, entry.senderId, entry.value, lastDate)
      countPair.run(entry.senderId, entry.receiverId)
      // To oneself nothing moves, and no number on the way may be larger than what is kept exact.
      if (sender !== receiver) {
        sender.value -= entry.value
        receiver.value += entry.value
      }
      sender.sent += 1
      receiver.received += 1
      sender.changedAt = receiver.changedAt = lastDate
      settle.push(() => resolve(transaction))
    }

    for (const [userId, { value, received, sent, changedAt }] of accounts)
      if (changedAt !== null) saveAccount.run(userId, value, received, sent, changedAt)
    const count = lastId - before.lastId
    if (count > 0) saveState.run(before.count + count, lastId, lastDate)
    return { settle, appended: count > 0 }
  }

  function accountOf(accounts: Map<number, Account>, userId: number): Account {
    const known = accounts.get(userId)
    if (known) return known
    const loaded: Account = { ...(account.get(userId) ?? { value: 0, received: 0, sent: 0 }), changedAt: null }
    accounts.set(userId, loaded)
    return loaded
  }
}
