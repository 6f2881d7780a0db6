import type { Receiver, Transaction } from "./model.ts"

type Reason = Pick<Transaction, "note" | "senderId" | "receiverId"> & {
  /** Of an entry of the feed: everybody who was thanked. */
  readonly receivers?: readonly Pick<Receiver, "userId">[]
}

/**
 * Who may read the reason of a transaction: ids of users, or null for everybody. This rule is only here. Only sender
 * and receivers may read a private reason, not even superusers. Feed, lists, files and mail ask here, and the feed's
 * stream (src/stream/frames.ts). Events, and so webhooks, have no private reasons (`load` in src/domain/webhooks/events.ts). The
 * export of a person's data shows what this person may read, even if somebody else makes it.
 */
export const reasonReaders = ({ note, senderId, receiverId, receivers }: Reason): readonly number[] | null =>
  note?.isPrivate ? [senderId, ...(receivers?.map(({ userId }) => userId) ?? [receiverId])] : null

/**
 * The transaction, with an empty reason if the viewer may not read it. `viewerId` is null for a viewer who is not
 * logged in.
 */
export function asSeenBy<T extends Reason>(viewerId: number | null, transaction: T): T {
  const readers = reasonReaders(transaction)
  if (!transaction.note || readers === null || (viewerId !== null && readers.includes(viewerId))) return transaction
  return { ...transaction, note: { ...transaction.note, reason: "" } }
}
