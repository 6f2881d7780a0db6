import type { Database } from "bun:sqlite"
import type { Transaction } from "../../domain/store.ts"
import { type Account, appendTo } from "./accounts.ts"
import { firstHash, hashOf } from "./chain.ts"
import { append as grow, type Tree } from "./forest.ts"

/** The newest end of the ledger: what the next transaction builds on. */
export interface LedgerEnd {
  lastId: number
  lastDate: number
  lastHash: Uint8Array
  /** Of the list of all. */
  readonly trees: Tree[]
}

export const emptyLedger = (): LedgerEnd => ({ lastId: 0, lastDate: 0, lastHash: firstHash, trees: [] })

export const emptyAccount = (userId: number): Account => ({
  userId,
  value: 0,
  selfCount: 0,
  updatedAt: 0,
  received: { count: 0, last: 0, trees: [] },
  sent: { count: 0, last: 0, trees: [] },
})

/**
 * Writes a transaction with its place in the three lists and its hash, and moves its value: in `end`, `sender` and
 * `receiver`, which whoever calls keeps and saves.
 */
export function createAppend(client: Database) {
  const insert = client.prepare(
    `INSERT INTO transactions (id, user_id, from_id, value, date, user_prev, user_jump, user_min, user_max,
       from_prev, from_jump, from_min, from_max, all_min, all_max, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  return (end: LedgerEnd, transaction: Transaction, sender: Account, receiver: Account) => {
    const { id, value, date } = transaction
    end.lastId = id
    end.lastDate = date
    end.lastHash = hashOf(end.lastHash, transaction)
    // To oneself nothing moves, and no number on the way may be larger than what is kept exact.
    if (sender === receiver) sender.selfCount += 1
    else {
      sender.value -= value
      receiver.value += value
    }
    sender.updatedAt = receiver.updatedAt = date
    const to = appendTo(receiver.received, id, value)
    const from = appendTo(sender.sent, id, value)
    const { min, max } = grow(end.trees, id, value)
    // biome-ignore format: a line for each of the three lists
    insert.run(
      id, receiver.userId, sender.userId, value, date,
      to.prev, to.jump, to.min, to.max,
      from.prev, from.jump, from.min, from.max,
      min, max, end.lastHash,
    )
  }
}
