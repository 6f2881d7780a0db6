import type { Database } from "bun:sqlite"
import type { Transaction } from "../../../domain/model.ts"
import { createExtend } from "../history/blocks.ts"
import type { Account } from "./accounts.ts"
import { firstHash, hashOf } from "./chain.ts"

/** The newest end of the ledger: what the next transaction builds on. */
export interface LedgerEnd {
  lastId: number
  lastDate: number
  lastHash: Uint8Array
}

export const emptyLedger = (): LedgerEnd => ({ lastId: 0, lastDate: 0, lastHash: firstHash })

export const emptyAccount = (userId: number): Account => ({
  userId,
  value: 0,
  selfCount: 0,
  updatedAt: 0,
  received: { count: 0, last: 0 },
  sent: { count: 0, last: 0 },
})

/**
 * Writes a transaction with its hash and its links, extends the lists that it belongs to, and moves its value: in `end`,
 * `sender` and `receiver`, which the caller keeps and saves.
 */
export function createAppend(client: Database) {
  const insert = client.prepare(
    `INSERT INTO transactions (id, user_id, from_id, value, date, user_prev, from_prev, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const extend = createExtend(client)

  return (end: LedgerEnd, transaction: Transaction, sender: Account, receiver: Account) => {
    const { id, value, date } = transaction
    const { userId: receiverId, received } = receiver
    const { userId: senderId, sent } = sender
    const hash = hashOf(end.lastHash, transaction)
    insert.run(id, receiverId, senderId, value, date, received.last, sent.last, hash)

    // To oneself nothing moves, and no number on the way may be larger than what is kept exact.
    if (sender === receiver) sender.selfCount += 1
    else {
      sender.value -= value
      receiver.value += value
    }
    sender.updatedAt = receiver.updatedAt = date
    extend({ ownerId: receiverId, side: "received" }, received, id, receiver.selfCount)
    extend({ ownerId: senderId, side: "sent" }, sent, id, sender.selfCount)
    extend({ ownerId: 0, side: "all" }, { count: id - 1, last: end.lastId }, id, 0)
    Object.assign(end, { lastId: id, lastDate: date, lastHash: hash })
  }
}
