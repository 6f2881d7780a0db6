import type { AuditEntry } from "../audit/ports.ts"
import type { Day, DayRange } from "../calendar.ts"
import type { Once } from "../idempotency/ports.ts"
import type { CountedTransaction } from "../ledger/model.ts"
import type {
  BestWords,
  DayTotals,
  DepartmentRecognition,
  FollowedTransaction,
  LeaderboardSnapshot,
  MailChoice,
  MailChoiceChange,
  MailFrequency,
  MailReader,
  NewReply,
  Participation,
  PersonRecognition,
  RecapFigures,
  ReceivedFigures,
  Recognition,
  RecognitionQuery,
  Reply,
  Responses,
  StoredNotifications,
  TagRecognition,
  TeamRecognition,
} from "./model.ts"

/** The ledger as people see it: with names, avatars and notes. */
export interface RecognitionStore {
  /** Entries of the feed, newest first, at most `limit`. */
  newest(query: RecognitionQuery): Promise<Recognition[]>
  /**
   * The entry with this id, or to which this transaction belongs: any transfer of a group finds it, and so do points that were
   * added, and the points of an occasion. Null when there is none. A transaction of another kind is an entry of its own, which
   * is no recognition.
   */
  find(id: number): Promise<Recognition | null>
  /**
   * Transactions of every kind and occasions after this position (`positionOf`), ascending, at most `limit`: a follower must
   * see each of them. The first transfer of a group is the whole entry (`isFeedEntry`). Of adjacent points that one person
   * added to one entry, the last adjusts it.
   */
  after(position: number, limit: number): Promise<FollowedTransaction[]>
  /** The position of the last transaction or occasion. */
  lastPosition(): Promise<number>
}

/** Reactions and replies to recognitions. */
export interface ResponseStore {
  /** The responses to a recognition, as `viewerId` sees them, and the newest `limit` replies, as of one moment. */
  conversation(
    recognitionId: number,
    viewerId: number,
    limit: number,
  ): Promise<{ readonly responses: Responses; readonly replies: readonly Reply[] }>
  /** Responses by id of the recognition, as `viewerId` sees them. Recognitions without any are left out. */
  to(recognitionIds: readonly number[], viewerId: number): Promise<ReadonlyMap<number, Responses>>
  /**
   * Does nothing when the user has already reacted with this emoji. Returns false, and does nothing, when the recognition has
   * `maxKinds` emoji without this one.
   */
  react(recognitionId: number, userId: number, emoji: string, maxKinds: number): Promise<boolean>
  /** Does nothing when the user has not reacted with this emoji. */
  takeBackReaction(recognitionId: number, userId: number, emoji: string): Promise<void>
  /** Stores a reply. Its id is higher than the ids of all replies and notifications so far. */
  reply(reply: NewReply, once?: Once<Reply>): Promise<Reply>
  /** Null when there is no reply with this id, or when it was deleted. */
  findReply(id: number): Promise<Reply | null>
  /** Erases the text. Does nothing when there is no such reply. */
  deleteReply(id: number): Promise<void>
  hideReply(id: number, isHidden: boolean, audit: AuditEntry): Promise<void>
}

/** What is new for a user: recognitions received, and replies to recognitions sent or received, without hidden ones. */
export interface NotificationStore {
  /** At most `limit` of those with ids below `before`, as of one moment. */
  page(
    userId: number,
    query: { readonly before?: number | undefined; readonly limit: number; readonly maxUnread: number },
  ): Promise<StoredNotifications>
  /** How many the user has not seen, at most `max`. */
  unread(userId: number, max: number): Promise<number>
  /** Marks the notifications up to this one as seen. Does nothing when later ones are marked already. */
  saveSeen(userId: number, throughId: number): Promise<void>
}

/** Totals for leaderboards and statistics. */
export interface StatisticsStore {
  /** Transactions with a higher id, ascending, at most `limit`. */
  transactionsAfter(id: number, limit: number): Promise<readonly CountedTransaction[]>
  /** A user's totals of recognition (see `countedAs`) and the balance at the end of each day, for `days` days from
   *  `firstDay` on. Days are those of the store's time zone. Ends, and throws the reason, when the signal aborts. */
  daysOf(userId: number, firstDay: number, days: number, signal?: AbortSignal): Promise<DayTotals[]>
  /** Leaves out snapshots that are damaged or of another time zone; the caller rebuilds them. */
  loadSnapshots(): Promise<readonly LeaderboardSnapshot[]>
  /** A snapshot replaces the stored one of its period, unless that includes more transactions in the same time zone. */
  saveSnapshots(snapshots: readonly LeaderboardSnapshot[]): Promise<void>
}

/**
 * Recognition of the whole service within days of `service.time_zone`. Each read ends, and throws the reason, when the signal
 * aborts.
 */
export interface InsightStore {
  /** Ascending by month; months without recognition are absent. */
  participation(days: DayRange, signal?: AbortSignal): Promise<Participation[]>
  /** Recognition by department of the sender and of the receiver. In no order. */
  departments(days: DayRange, signal?: AbortSignal): Promise<DepartmentRecognition[]>
  /** A recognition with several tags counts for each. In no order. */
  tags(days: DayRange, signal?: AbortSignal): Promise<TagRecognition[]>
  /** Every active person, ascending by id. */
  people(days: DayRange, signal?: AbortSignal): Promise<PersonRecognition[]>
  /** In the order of `userIds`. */
  ofPeople(userIds: readonly number[], days: DayRange, signal?: AbortSignal): Promise<TeamRecognition[]>
  /** What this user received and gave; null: everybody. */
  recap(userId: number | null, days: DayRange, signal?: AbortSignal): Promise<RecapFigures>
  /** From whom this user received since this moment, with which tags (in no order), and from which transaction to which. */
  received(userId: number, since: number, signal?: AbortSignal): Promise<ReceivedFigures>
  /** How many people thanked this user since this moment and up to this transaction, or were thanked. */
  peopleWith(
    userId: number,
    by: "received" | "sent",
    within: { readonly since: number; readonly throughId: number },
  ): Promise<number>
  /** `limit`: how many with the most responses. */
  bestWords(within: WordsWithin, limit: number, signal?: AbortSignal): Promise<BestWords>
}

/** The recognitions from one transaction to another, both included; those that one person received, or null for all. */
export interface WordsWithin {
  readonly first: number
  readonly last: number
  readonly receiverId: number | null
}

/** Who wants which mail about recognition. */
export interface MailStore {
  /** `defaultMailChoice` for a person who never chose. */
  choiceOf(userId: number): Promise<MailChoice>
  /** Sets the fields that are given. */
  choose(userId: number, change: MailChoiceChange): Promise<MailChoice>
  /** Active people with a higher id who have one of these frequencies, chosen or by default, ascending, at most `limit`. */
  readers(frequencies: readonly MailFrequency[], afterId: number, limit: number): Promise<MailReader[]>
  /**
   * Ids of active people with a manager whose first day is this one, YYYY-MM-DD, and who have a higher id; ascending, at most
   * `limit`.
   */
  newcomers(joined: Day, afterId: number, limit: number): Promise<number[]>
  /** Ids of recognitions with `after` < id <= `through` whose receiver is active and has chosen `each`, ascending. */
  recognitionsToMail(after: number, through: number): Promise<number[]>
}
