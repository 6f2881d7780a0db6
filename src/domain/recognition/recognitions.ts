import type { Transaction } from "../model.ts"

/**
 * Whether a transaction is a recognition: sender and receiver differ. Feed, leaderboards and statistics leave out what
 * people send to themselves; the history, the stream of transactions and exports have it (docs/interface.md, "Transactions").
 */
export const isRecognition = ({ senderId, receiverId }: Pick<Transaction, "senderId" | "receiverId">): boolean =>
  senderId !== receiverId

type Reason = Pick<Transaction, "note" | "senderId" | "receiverId">

/**
 * Who may read the reason of a transaction: ids of users, or null for everybody. This is the only place that decides it.
 * A private reason is for sender and receiver alone; not even superusers read it.
 */
export const reasonReaders = ({ note, senderId, receiverId }: Reason): readonly number[] | null =>
  note?.isPrivate ? [senderId, receiverId] : null

/** The transaction with an empty reason where the viewer may not read it. `viewerId` null: somebody who is not logged in. */
export function asSeenBy<T extends Reason>(viewerId: number | null, transaction: T): T {
  const readers = reasonReaders(transaction)
  if (!transaction.note || readers === null || (viewerId !== null && readers.includes(viewerId))) return transaction
  return { ...transaction, note: { ...transaction.note, reason: "" } }
}
