import type { Period } from "../calendar.ts"
import type { Language } from "../languages.ts"
import type { EntryQuery, Party, Receiver, TransactionEntry } from "../ledger/model.ts"
import type { Occasion } from "../occasions/model.ts"
import type { Abortable } from "../paging.ts"
import type { PersonSummary, Pockets } from "../people/model.ts"

/**
 * An entry of the feed: a transfer, a group of them, or an occasion. Of a group, the fields are those of its first transfer, apart from
 * `receivers` and `reversed`, which are of all.
 */
export interface Recognition extends TransactionEntry {
  /** In the order of their transfers. */
  readonly receivers: readonly Receiver[]
  readonly added: Added
  /** What is celebrated, of the entry of an occasion. Such an entry has a negative id (`isOccasionId`), and nobody sent it. */
  readonly occasion: Pick<Occasion, "kind" | "years"> | null
}

/** What others added to a recognition. */
export interface Added {
  /** Points for each receiver, less what was taken back. Where receivers differ, the most. */
  readonly value: number
  /** Ids of those whose points were not all taken back. */
  readonly by: readonly number[]
}

/** A transaction as followers of the feed see it. */
export interface FollowedTransaction extends Recognition {
  /** Of points that were added: the entry to which they belong, with everything that was added to it so far. */
  readonly adjusts: Recognition | null
}

export interface RecognitionQuery extends Abortable {
  /** Up to two user ids. Only entries in which each of them is the sender or a receiver. */
  readonly participantIds: readonly number[]
  /** Only entries whose sender or a receiver is in this department now. */
  readonly dept?: string | undefined
  /** Only with a note for which this is true. Pure. Of a private note it also gets the `receivers` of the entry. */
  readonly noteMatches?: EntryQuery["noteMatches"]
  /** Only entries older than that of this transaction. */
  readonly before?: number | undefined
  /** Only entries up to this position (`positionOf`): with `lastPosition`, the page as it was at that moment. */
  readonly through?: number | undefined
  readonly limit: number
}

/** How often people reacted to a recognition with one emoji. */
export interface Reaction {
  readonly emoji: string
  readonly count: number
  /** Whether the viewer reacted with this emoji. */
  readonly isOwn: boolean
}

/** Reactions and replies to a recognition. */
export interface Responses {
  readonly reactions: readonly Reaction[]
  /** How many replies there are, without hidden ones. */
  readonly replies: number
}

export interface Reply {
  readonly id: number
  readonly recognitionId: number
  readonly authorId: number
  readonly author: Party
  readonly text: string
  readonly date: number
  /** True when a superuser has hidden it. Superusers and its author still see it. */
  readonly isHidden: boolean
}

export interface NewReply extends Pick<Reply, "recognitionId" | "authorId" | "text" | "date"> {
  /** Ids of the users whom the reply notifies. */
  readonly notifiedIds: readonly number[]
}

/**
 * Tells a user about a recognition that they received, about points that somebody added to it, or about a reply to one that
 * they sent or received.
 */
export interface Notification {
  /** Ascends in the order of events; see recognition/positions.ts. */
  readonly id: number
  readonly recognition: Recognition
  /** The points that somebody added to it; null: the notification is not about them. */
  readonly addition: TransactionEntry | null
  readonly reply: Reply | null
}

/** Newest first. */
export interface StoredNotifications {
  readonly items: readonly Notification[]
  /** The newest notification that the user has seen; 0 for none. */
  readonly seenThrough: number
  /** How many the user has not seen, on all pages. */
  readonly unread: number
}

/**
 * Stored totals up to one transaction, so that the server does not read the whole ledger when it starts. They can be
 * rebuilt from the ledger at any time.
 */
export interface LeaderboardSnapshot {
  /** A period: totals by user id. `days`: totals of all users together, by the number of the day. */
  readonly of: Period | "days"
  /** When the period begins; 0 for `all` and `days`. */
  readonly startsAt: number
  /** The last transaction that is included. */
  readonly throughId: number
  /** One array for each column of the `Totals` in recognition/leaderboards.ts. */
  readonly totals: readonly Float64Array[]
}

/** The totals of one user on one day, in the time zone of the service. */
export interface DayTotals {
  /** The number of the day (see `Calendar.dayOf`). */
  readonly day: number
  readonly received: number
  readonly receivedCount: number
  readonly sent: number
  readonly sentCount: number
  /** At the end of the day. */
  readonly balance: number
}

/** Recognitions less reversals. A recognition that was reversed completely is not counted. */
export interface RecognitionSum {
  readonly count: number
  /** Points. */
  readonly value: number
}

export interface Participation extends RecognitionSum {
  /** YYYY-MM */
  readonly month: string
  /** How many people thanked somebody, and how many were thanked. */
  readonly senders: number
  readonly receivers: number
}

export interface DepartmentRecognition extends RecognitionSum {
  /** The departments that sender and receiver are in now. */
  readonly from: string
  readonly to: string
}

export interface TagRecognition extends RecognitionSum {
  /** YYYY-MM */
  readonly month: string
  readonly tag: string
}

/** What an active person gave, the balance that is left, and when somebody last thanked this person. */
export interface PersonRecognition extends PersonSummary, Pockets {
  readonly sent: number
  /** The day of the newest recognition that the person ever received; null for none. */
  readonly lastReceived: number | null
}

/** What a person received and gave within some days, and when for the last time ever. */
export interface TeamRecognition {
  readonly received: RecognitionSum
  readonly given: RecognitionSum
  /** The day of the newest recognition that is left; null for none. */
  readonly lastReceived: number | null
  readonly lastGiven: number | null
}

/** How often one person received and gave. */
export interface RecapCounts {
  readonly received: number
  readonly given: number
}

/** Recognition of one side, and how many different people were on the other one. */
export interface RecapSide extends RecognitionSum {
  readonly people: number
}

/** What a person received and gave within some days. Of everybody, `people` are those who received, and those who gave. */
export interface RecapFigures {
  readonly received: RecapSide
  readonly given: RecapSide
  /** Ascending; months without recognition are absent. */
  readonly months: readonly (RecapCounts & { readonly month: string })[]
  /** Of what the person received. In no order. */
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
  /** Everybody from whom the person received, or to whom the person gave, with how often. Of everybody: each person. In no order. */
  readonly people: readonly (RecapCounts & { readonly userId: number })[]
  /** The first and the last transaction; null for none. */
  readonly firstId: number | null
  readonly lastId: number | null
}

/** What a person received. */
export interface ReceivedFigures extends Pick<RecapFigures, "tags" | "firstId" | "lastId"> {
  /** How many different people thanked. */
  readonly people: number
}

/** Recognitions whose reasons everybody may read, by their transfers: of a group, the first that was not taken back. */
export interface BestWords {
  /** Those with the most responses first; with equally many, the longest, then the newest. */
  readonly warmest: readonly number[]
  /** The newest of equally long ones; null for none. */
  readonly longest: number | null
}

/** Mail about each recognition, a digest once a day, or (`off`) no mail about recognition at all. */
export const mailFrequencies = ["each", "daily", "off"] as const

export type MailFrequency = (typeof mailFrequencies)[number]

export interface MailChoice {
  readonly mail: MailFrequency
  /** Null: the language of the service. */
  readonly language: Language | null
}

/** The choice of a person who never made one. */
export const defaultMailChoice: MailChoice = { mail: "daily", language: null }

export interface MailChoiceChange {
  readonly mail?: MailFrequency | undefined
  readonly language?: Language | null | undefined
}

export interface MailReader {
  readonly id: number
  readonly dept: string
  readonly balance: number
  /** How many people report to this person. */
  readonly reports: number
}
