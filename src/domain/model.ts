/**
 * The types that the whole server shares. Times are milliseconds since the epoch, UTC; values are points.
 */

/** The only source of time in the domain: milliseconds since the epoch. */
export type Clock = () => number

// People

/** A user as stored (contract, "Resources and their fields"). Never leaves the server: views.ts picks what may. */
export interface User {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly name: string
  readonly dept: string
  readonly currency: string
  readonly avatar: string | null
  readonly bio: string | null
  /** A bcrypt hash. */
  readonly password: string
  /** Raised to end this user's access tokens: a token that names a lower version is invalid. */
  readonly accessVersion: number
  /** The same for refresh and reset tokens. */
  readonly refreshVersion: number
  /** Hash of the access token that is valid whatever version it names: the one that ended all others. */
  readonly keptToken: string | null
}

export type NewUser = Omit<User, "id" | "accessVersion" | "refreshVersion" | "keptToken">

export interface Profile {
  readonly avatar: string | null
  readonly bio: string | null
}

export interface ProfileChange {
  readonly name?: string | undefined
  readonly avatar?: string | null | undefined
  readonly bio?: string | null | undefined
}

/** A small picture that this server keeps. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly kind: PictureKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type PictureKind = "png" | "jpeg" | "webp"

/** What everybody may see of somebody in a list. */
export type PersonSummary = Pick<User, "id" | "username" | "name" | "dept" | "avatar">

export interface Department {
  readonly name: string
  readonly people: number
}

export interface PeopleSearch {
  /** Folded as in people-search.ts; none: everybody. */
  readonly words: readonly string[]
  /** Only of this department. */
  readonly dept: string | null
  /** `next` of the page before. */
  readonly after: PeopleCursor | null
  readonly size: number
}

/** Where a page ended; it holds whatever changes meanwhile. */
export interface PeopleCursor {
  readonly isOther: boolean
  readonly key: string
  readonly id: number
}

export interface PeoplePage {
  readonly items: readonly PersonSummary[]
  /** Null at the end. */
  readonly next: PeopleCursor | null
}

/** Whoever has one of these is found. */
export interface UserKeys {
  readonly usernames: readonly string[]
  /** Found without regard to case. */
  readonly emails: readonly string[]
}

export interface UserChanges {
  readonly create: readonly NewUser[]
  /** As they shall be, all but password and access version, and as they were when that was decided. */
  readonly update: readonly { readonly before: User; readonly after: User }[]
  readonly entries: readonly AuditEntry[]
  readonly jobs: readonly NewJob[]
}

// Credentials

/** What `UserStore.changePassword` is told; times are milliseconds since the epoch, UTC. */
export interface PasswordChange {
  readonly userId: number
  /** A bcrypt hash. */
  readonly password: string
  /** True ends access tokens and every session; false only refresh and reset tokens, and sessions other than `keepSession`. */
  readonly endsEverything: boolean
  /** Hash of the id of the session that goes on. */
  readonly keepSession: string | null
  /** The reset token that allowed it: spent by this change, once. */
  readonly spends: SpentToken | null
}

export interface SpentToken {
  readonly tokenHash: string
  readonly expiresAt: number
  /** The `refreshVersion` that the token names; null when it names none. */
  readonly version: number | null
}

/** What outlives the others: the hash of a session's id, or of an access token; both are null for none. */
export interface KeptCredential {
  readonly session: string | null
  readonly token: string | null
}

/** A login to an account, from one source as `sourceOf` names it. */
export interface LoginSource {
  readonly userId: number
  readonly source: string
  readonly usedAt: number
}

/** A cookie session. The store never sees its id, only the id's hash. */
export interface Session {
  readonly idHash: string
  readonly username: string
  readonly expiresAt: number
}

/** A session as whoever looks after the server sees it. Both are null of those that an earlier version opened. */
export interface OpenSession extends Session {
  readonly openedAt: number | null
  /** The IP address that it was opened from. */
  readonly address: string | null
}

// Ledger

export interface NewTransaction {
  readonly receiverId: number
  readonly senderId: number
  /** Points, 1 to 2^53−1. */
  readonly value: number
  readonly date: number
  readonly note?: Note | undefined
}

export interface Transaction extends NewTransaction {
  /** Ascends from 1 without gaps and without reuse. */
  readonly id: number
}

/** A transaction with the names that a list shows. */
export interface TransactionRecord extends Transaction {
  readonly receiverUsername: string
  readonly senderUsername: string
}

/** A transaction with the names that a dashboard shows. */
export interface StreamEntry {
  readonly id: number
  readonly date: number
  readonly value: number
  readonly receiverId: number
  readonly senderId: number
  readonly receiverName: string
  readonly senderName: string
}

/** What a sender says to a transfer: stored with it, and as unchangeable. It has a reason or a tag at least. */
export interface Note {
  /** Empty when there is none. */
  readonly reason: string
  readonly tags: readonly string[]
  /** The reason is for sender and receiver alone. */
  readonly isPrivate: boolean
}

export interface Balances {
  readonly sender: number
  readonly receiver: number
}

/** Points of a user. */
export type BalanceOf = (userId: number) => number

/** What its sender may ask for again: done once, and answered the same. */
export interface IdempotencyKey {
  readonly key: string
  /** Over all that is asked for. */
  readonly requestHash: string
  readonly expiresAt: number
}

/** What came of entries that were posted as one. */
export interface PostResult {
  /** Side by side in the ledger. */
  readonly transactions: readonly Transaction[]
  /** What the sender had left right behind them. */
  readonly balance: number
  /** They were posted earlier under the same key; nothing was done now. */
  readonly replayed: boolean
}

export type OrderField = "user" | "from_user" | "value" | "date"

export interface PageQuery {
  /** Keep only what this user sent or received. */
  readonly participantId?: number
  /** Username of the receiver; nobody has it: an empty page. */
  readonly receiver?: string
  /** Username of the sender, likewise. */
  readonly sender?: string
  /** Absent: ascending id. Ties fall back to id in the same direction. */
  readonly order?: { readonly field: OrderField; readonly descending: boolean }
  /** From 1. */
  readonly page: number
  readonly size: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** How many there are on all pages, exact at the moment of the read. */
  readonly total: number
}

export type HistoryFilter = Pick<PageQuery, "participantId" | "receiver" | "sender">

/** Query parameters of GET /api/v1/transactions.csv. */
export interface ExportQuery {
  /** The receiver's user name. */
  readonly user?: string | undefined
  /** The sender's. */
  readonly from_user?: string | undefined
}

// Recognition

/** A transaction with all that people see of it. */
export interface Recognition extends Transaction {
  readonly sender: Party
  readonly receiver: Party
}

/** Sender or receiver as they are today. */
export interface Party {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

export interface RecognitionQuery {
  /** Keep only what all of these take part in, as sender or receiver: nobody, one, or two of them. */
  readonly participantIds: readonly number[]
  /** Keep only lower ids. */
  readonly before?: number | undefined
  readonly limit: number
}

/** What a leaderboard goes over: the calendar's, in UTC, and everything. */
export const periods = ["week", "month", "quarter", "year", "all"] as const

export type Period = (typeof periods)[number]

/** Sums as of a transaction. They can be made anew from the transactions at any time. */
export interface LeaderboardSnapshot {
  /** Sums by user id of a period; `days`: sums of everybody by day since the epoch, as what was sent. */
  readonly of: Period | "days"
  /** 0 for `all` and `days`. */
  readonly startsAt: number
  readonly throughId: number
  /** By column of totals.ts. */
  readonly totals: readonly Float64Array[]
}

export interface DayTotals {
  /** Its begin. */
  readonly day: number
  readonly received: number
  readonly receivedCount: number
  readonly sent: number
  readonly sentCount: number
  readonly balance: number
}

// Audit log

/** Everything that leaves an entry. */
export const auditActions = [
  "login",
  "login_failed",
  "user_created",
  "users_imported",
  "exported",
  "points_sent",
  "points_granted",
  "profile_changed",
  "dept_changed",
  "password_changed",
  "access_ended",
  "settings",
  "shell",
  "backup",
  "restore",
] as const

export type AuditAction = (typeof auditActions)[number]

/** Who acts, and from where. */
export interface Origin {
  /** A user name, or over the command line the name of the system's user; null when nobody has shown who it is. */
  readonly who: string | null
  readonly way: "http" | "command line" | "server"
  /** An IP address; null where there is none. */
  readonly address: string | null
}

export interface AuditEntry extends Origin {
  readonly at: number
  readonly action: AuditAction
  /** The user whom it befell; null when it was nobody in particular. */
  readonly whom: string | null
  /** How often, until `at`: failures that repeat share an entry. */
  readonly count: number
  /** What else there is to say; never a secret. */
  readonly detail: string | null
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

export interface AuditQuery {
  /** As who or as whom. */
  readonly user?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: number | undefined
  /** The newest so many. */
  readonly limit: number
}

// Jobs

/** The part of the port that holds work for later; store.ts has the rest. Times are milliseconds since the epoch, UTC. */
export type JobState = "available" | "running" | "completed" | "discarded"

/** One piece of work for the worker. It runs at least once; a crash uses up an attempt. */
export interface Job {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly state: JobState
  /** How often it was claimed, this time included. */
  readonly attempts: number
  /** One that fails for no known reason, or whose process ends, is tried this often; a temporary failure adds one. */
  readonly maxAttempts: number
  /** A temporary failure is tried again until this time: later the work is of no use. */
  readonly retryUntil: number
  /** Not before this time. */
  readonly runAt: number
  readonly lockedBy: string | null
  /** End of the lease: from then on another worker may claim it. */
  readonly lockedUntil: number | null
  readonly lastError: string | null
  readonly result: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export type NewJob = Pick<Job, "kind" | "payload" | "maxAttempts" | "retryUntil" | "runAt" | "createdAt">

export type JobOutcome =
  | { readonly state: "completed"; readonly result: string }
  | { readonly state: "discarded"; readonly error: string }
  /** Another attempt at `runAt`; unless `isTemporary`, discarded instead when all attempts are used up. */
  | { readonly state: "available"; readonly error: string; readonly runAt: number; readonly isTemporary: boolean }

/** The work that was given up and is still remembered. */
export interface DiscardedJobs {
  readonly count: number
  /** The last error names nobody's address. Null when there is none. */
  readonly newest: { readonly kind: string; readonly at: number; readonly error: string } | null
}
