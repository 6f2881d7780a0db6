import type { Abortable } from "../paging.ts"

/** What a transaction is for. Only a transfer counts as recognition; see `isRecognition` in recognition/recognitions.ts. */
export const transactionKinds = [
  "transfer",
  "grant",
  "allowance",
  "expiry",
  "redemption",
  "refund",
  "reversal",
  "occasion",
] as const

export type TransactionKind = (typeof transactionKinds)[number]

export interface NewTransaction {
  readonly kind: TransactionKind
  readonly receiverId: number
  readonly senderId: number
  /** Points, 1 to 2^53−1. */
  readonly value: number
  readonly date: number
  readonly note?: Note | undefined
  /** The id of the transaction whose points a reversal moves back; other kinds have none. */
  readonly reverses?: number | undefined
  /** The place, from 0, in the group of transfers with which the sender thanks several people; absent: no group. */
  readonly place?: number | undefined
  /** The id of the entry of the feed to whose receivers the transfer adds points; absent: it is an entry of its own. */
  readonly addsTo?: number | undefined
}

export interface Transaction extends Omit<NewTransaction, "reverses" | "place" | "addsTo"> {
  /** Ascends from 1 without gaps and is never reused. */
  readonly id: number
  /**
   * The id of the first transfer of its group, whose ids are adjacent; null for a transaction in no group. A group has one
   * sender, one value, one date and one note, and the feed shows it as one entry.
   */
  readonly group: number | null
  /**
   * The id of the entry of the feed to which it adds points: of a transaction, or of the first one of a group. Null for
   * every other transaction.
   */
  readonly addsTo: number | null
}

/** How many requests of one sender may reach the ledger in a window of time. */
export interface RequestLimit {
  readonly max: number
  /** Length of a window, which begins with the first request. */
  readonly windowMs: number
}

/** What the sender says about a transaction: a reason, tags, or both. Like the transaction, it never changes. */
export interface Note {
  /** Empty when there is none. */
  readonly reason: string
  readonly tags: readonly string[]
  /** True: only sender and receiver may read the reason. `reasonReaders` in reason-readers.ts decides it. */
  readonly isPrivate: boolean
}

/**
 * A transaction with what totals need to know about the one that it reverses. The three fields are null unless it is a
 * reversal.
 */
export interface CountedTransaction extends Transaction {
  readonly originalKind: TransactionKind | null
  readonly originalDate: number | null
  /** Points of the original that were left after this reversal. */
  readonly originalLeft: number | null
}

/** What a transaction does to pockets. */
export type Movement = Pick<
  CountedTransaction,
  "id" | "date" | "kind" | "senderId" | "receiverId" | "value" | "originalKind"
>

/** Points that somebody holds, redeemable ones included. */
export interface Holding {
  readonly userId: number
  readonly balance: number
  readonly redeemable: number
}

/** A transaction with usernames, for pages and exports. */
export interface TransactionRecord extends Transaction {
  readonly receiverUsername: string
  readonly senderUsername: string
}

/** Sender or receiver, with their present name and avatar. */
export interface Party {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

/** A transaction as people see it: with both people and its reversals. */
export interface TransactionEntry extends Transaction {
  /** The transaction whose points it moves back; null unless it is a reversal. */
  readonly reverses: number | null
  /** Points that reversals have moved back. */
  readonly reversed: number
  readonly sender: Party
  readonly receiver: Party
}

export interface EntryQuery extends HistoryFilter, Abortable {
  readonly kind?: TransactionKind | undefined
  /** Only dates from `since` (inclusive) to `until` (exclusive). */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Only with a note for which this is true. Pure. */
  readonly noteMatches?: ((transaction: Transaction & { readonly note: Note }) => boolean) | undefined
  /** Only ids below this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** A transaction with names, for dashboards. */
export interface StreamEntry {
  readonly id: number
  readonly kind: TransactionKind
  readonly date: number
  readonly value: number
  readonly receiverId: number
  readonly senderId: number
  readonly receiverName: string
  readonly senderName: string
  /** As in `Transaction`. */
  readonly group: number | null
  readonly addsTo: number | null
  /** Of the first transfer of a group: everybody whom the group thanks, in the order of the transfers. Otherwise null. */
  readonly receivers: readonly Pick<Receiver, "userId" | "name">[] | null
}

export interface Balances {
  readonly sender: number
  readonly receiver: number
  /** Of the sender's balance, the points that are there to be given only. */
  readonly budget: number
}

/** How many points a sender may give one person within a period. */
export interface MostToOne {
  readonly points: number
  /** When the period began. */
  readonly since: number
}

/** What a sender calls a request that sends points. Each sender uses a reference once, for ever. */
export interface Reference {
  readonly name: string
  /** Hash of the whole request: another request with the same reference is refused. */
  readonly requestHash: string
}

export interface PostResult {
  /** Adjacent in the ledger, in the order in which they were given. */
  readonly transactions: readonly Transaction[]
  /** The sender's balance right after these transactions. */
  readonly balance: number
  /** True when an earlier request under the same idempotency key posted them; this one posted nothing. */
  readonly replayed: boolean
}

/** Which transactions to read. All fields that are present must match. */
export interface HistoryFilter {
  /** Sender or receiver. */
  readonly participantId?: number
  /** Username of the receiver. An unknown one matches nothing. */
  readonly receiver?: string
  /** Username of the sender, likewise. */
  readonly sender?: string
}

/** What a history can be ordered by. */
export const orderFields = ["from_user", "user", "value", "date"] as const

export type OrderField = (typeof orderFields)[number]

export interface HistoryPageQuery extends HistoryFilter, Abortable {
  /** Absent: ascending id. Ties are broken by id, in the same direction. */
  readonly order?: { readonly field: OrderField; readonly descending: boolean }
  /** From 1. */
  readonly page: number
  readonly size: number
}

/** Somebody who was thanked. */
export interface Receiver extends Party {
  readonly userId: number
  /** The transfer to this person. */
  readonly transactionId: number
  /** Points of it that reversals have moved back. */
  readonly reversed: number
}
