import type { LedgerStore, NewTransaction, Transaction } from "../../domain/store.ts"
import { type Account, appendTo, createAccounts } from "./accounts.ts"
import { hashOf } from "./chain.ts"
import type { Connection } from "./connection.ts"
import { append as grow, type Tree, treeSizes } from "./forest.ts"

/** An entry that waits for the commit that it will share. */
export interface Posting {
  readonly entry: NewTransaction
  readonly check: Parameters<LedgerStore["post"]>[1]
  readonly resolve: (transaction: Transaction) => void
  readonly reject: (reason: unknown) => void
}

interface LedgerState {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
}

/**
 * Posts entries in one transaction: each is checked against the balances as the entries before it left them,
 * a refused one leaves no trace, and every promise settles after the commit. Balances and counters are gathered
 * and written once a batch. Returns whether anything was appended.
 *
 * Statements are raw here, where Drizzle's mapping costs more than the work.
 */
export function createBatch({ client, write, versions }: Connection) {
  const accounts = createAccounts({ client, versions })
  const state = client.prepare<LedgerState, []>(
    `SELECT transaction_count AS count, last_id AS lastId, last_date AS lastDate, last_hash AS lastHash
     FROM ledger_state`,
  )
  const span = client.prepare<Pick<Tree, "min" | "max">, [number]>(
    "SELECT all_min AS min, all_max AS max FROM transactions WHERE id = ?",
  )
  const insert = client.prepare(
    `INSERT INTO transactions (id, user_id, from_id, value, date, user_prev, user_jump, user_min, user_max,
       from_prev, from_jump, from_min, from_max, all_min, all_max, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const saveState = client.prepare(
    "UPDATE ledger_state SET transaction_count = ?, last_id = ?, last_date = ?, last_hash = ?",
  )

  return (batch: readonly Posting[]): boolean => {
    let settle: (() => void)[]
    let appended: boolean
    try {
      ;({ settle, appended } = write(() => append(batch)))
    } catch (error) {
      accounts.forget()
      for (const { reject } of batch) reject(error)
      return false
    }
    for (const settled of settle) settled()
    return appended
  }

  function append(batch: readonly Posting[]) {
    accounts.refresh()
    const before = state.get() ?? { count: 0, lastId: 0, lastDate: 0, lastHash: new Uint8Array(32) }
    let { lastId, lastDate, lastHash } = before
    const all = treesOfAll(lastId)
    const changed = new Set<Account>()
    const settle: (() => void)[] = []

    for (const { entry, check, resolve, reject } of batch) {
      const sender = accounts.of(entry.senderId)
      const receiver = accounts.of(entry.receiverId)
      try {
        check({ sender: sender.value, receiver: receiver.value })
      } catch (refusal) {
        settle.push(() => reject(refusal))
        continue
      }
      lastId += 1
      lastDate = Math.max(lastDate, entry.date)
      const { receiverId, senderId, value } = entry
      const transaction = { receiverId, senderId, value, id: lastId, date: lastDate }
      lastHash = hashOf(lastHash, transaction)
      // To oneself nothing moves, and no number on the way may be larger than what is kept exact.
      if (sender === receiver) sender.selfCount += 1
      else {
        sender.value -= value
        receiver.value += value
      }
      sender.updatedAt = receiver.updatedAt = lastDate
      changed.add(sender).add(receiver)
      const to = appendTo(receiver.received, lastId, value)
      const from = appendTo(sender.sent, lastId, value)
      const { min, max } = grow(all, lastId, value)
      insert.run(
        ...[lastId, receiverId, senderId, value, lastDate],
        ...[to.prev, to.jump, to.min, to.max],
        ...[from.prev, from.jump, from.min, from.max],
        ...[min, max, lastHash],
      )
      settle.push(() => resolve(transaction))
    }

    for (const account of changed) accounts.save(account)
    const count = lastId - before.lastId
    if (count > 0) saveState.run(before.count + count, lastId, lastDate, lastHash)
    return { settle, appended: count > 0 }
  }

  /** Of the list of all: ids have no gaps, so that they are its ordinals. */
  function treesOfAll(lastId: number): Tree[] {
    const trees: Tree[] = []
    let root = lastId
    for (const size of treeSizes(lastId)) {
      const found = span.get(root)
      if (!found) throw new Error(`transaction ${root} is missing`)
      trees.unshift({ root, size, ...found })
      root -= size
    }
    return trees
  }
}
