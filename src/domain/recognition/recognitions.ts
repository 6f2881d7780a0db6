import type { CountedTransaction, Transaction, TransactionKind } from "../ledger/model.ts"
import type { Recognition } from "./model.ts"
import { isOccasionId } from "./positions.ts"

/**
 * Whether a transaction is a recognition: a transfer to somebody else. Feed, wall, leaderboards and statistics leave
 * out all other transactions; the history, the stream of transactions and exports include them (docs/interface/transactions.md).
 */
export const isRecognition = ({
  kind,
  senderId,
  receiverId,
}: Pick<Transaction, "kind" | "senderId" | "receiverId">): boolean => kind === "transfer" && senderId !== receiverId

/**
 * Whether the feed shows an entry with the id of this transaction, or is the entry of an occasion. The first transfer of a
 * group stands for all of it, and points that were added belong to an earlier entry.
 */
export const isFeedEntry = (
  transaction: Pick<Transaction, "id" | "kind" | "senderId" | "receiverId" | "group" | "addsTo">,
): boolean =>
  isOccasionId(transaction.id) ||
  (isRecognition(transaction) &&
    transaction.addsTo === null &&
    (transaction.group === null || transaction.group === transaction.id))

/** Points of all receivers together, before reversals. */
export const totalOf = ({ value, receivers }: Pick<Recognition, "value" | "receivers">): number =>
  value * receivers.length

/** Whether reversals have moved back all of its points. An occasion may have none. */
export const isTakenBack = (recognition: Pick<Recognition, "value" | "receivers" | "reversed">): boolean =>
  recognition.reversed > 0 && recognition.reversed === totalOf(recognition)

/** Ids of the users who sent or received it. */
export const participantsIn = ({
  senderId,
  receivers,
  occasion,
}: Pick<Recognition, "senderId" | "receivers" | "occasion">): readonly number[] => [
  ...(occasion === null ? [senderId] : []),
  ...receivers.map(({ userId }) => userId),
]

/** What a transaction adds to the totals of recognition. */
interface TotalsChange {
  readonly senderId: number
  readonly receiverId: number
  /** The date for which it counts; for a reversal, the date of the original. */
  readonly date: number
  /** Negative for a reversal. */
  readonly points: number
  /** 1 for a recognition; 0 or -1 for a reversal. */
  readonly count: number
}

/**
 * What a transaction adds to the totals of recognition; null: nothing. A recognition adds its value. A reversal of it
 * subtracts from the same people, at the date of the recognition. When nothing of the recognition is left, it is no
 * longer counted.
 */
export function countedAs(transaction: CountedTransaction): TotalsChange | null {
  const { senderId, receiverId, value, date, originalKind, originalDate, originalLeft } = transaction
  if (isRecognition(transaction)) return { senderId, receiverId, date, points: value, count: 1 }
  if (originalKind === null || originalDate === null) return null
  const people = { senderId: receiverId, receiverId: senderId }
  if (!isRecognition({ kind: originalKind, ...people })) return null
  return { ...people, date: originalDate, points: -value, count: originalLeft === 0 ? -1 : 0 }
}

/** What a transaction adds to the points that a user granted. */
interface CountedGrant {
  readonly userId: number
  /** The date for which it counts; for a reversal, the date of the original. */
  readonly date: number
  /** Negative for a reversal. */
  readonly points: number
}

/**
 * What a transaction adds to the points that a user granted to others; null: nothing. A reversal subtracts. An expiry does
 * not: the points were granted, and not used.
 */
export function countedAsGrant(transaction: CountedTransaction): CountedGrant | null {
  const { kind, senderId, receiverId, value, date, originalKind, originalDate } = transaction
  if (senderId === receiverId) return null
  if (isGrant(kind)) return { userId: senderId, date, points: value }
  if (!isGrant(originalKind) || originalDate === null) return null
  return { userId: receiverId, date: originalDate, points: -value }
}

const isGrant = (kind: TransactionKind | null): boolean => kind === "grant" || kind === "allowance"

/** The usual emoji for reactions, which are shown first and in this order. */
export const usualEmojis: readonly string[] = ["👏", "❤️", "🎉", "🙏", "😄"]
