/**
 * The types that the whole server shares. Times are milliseconds since the epoch in UTC, and values are points, unless a
 * comment says otherwise. docs/interface.md, "Terms", explains the words; drizzle/ has the tables.
 */

/** The domain's only source of time: milliseconds since the epoch. Tests move it. */
export type Clock = () => number

// --- People ---

/** A user as stored. Never sent as it is: each view picks the fields that its reader may see. */
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
  /** Raising it invalidates the user's access tokens: each names the version that it was signed with. */
  readonly accessVersion: number
  /**
   * The same for refresh tokens and reset tokens. Raised with a changed password or e-mail address; when all access, or all
   * other access, is ended; when a second factor is added, removed or reset; by deactivation, reactivation and erasure;
   * and by `rewards restore --end-sessions`.
   */
  readonly refreshVersion: number
  /** Hash of the one access token that stays valid after all others were ended; null for none. */
  readonly keptToken: string | null
  /**
   * When a superuser deactivated the account; null while it is active, also after a reactivation. No credential of an
   * inactive account is valid.
   */
  readonly deactivatedAt: number | null
  /** When the person's data was erased; null while it was not. An erased account stays inactive. */
  readonly erasedAt: number | null
}

export const isActive = ({ deactivatedAt }: Pick<User, "deactivatedAt">): boolean => deactivatedAt === null

export type NewUser = Omit<User, "id" | "accessVersion" | "refreshVersion" | "keptToken" | "deactivatedAt" | "erasedAt">

export interface UserWithBalance extends User {
  readonly balance: number
}

export interface Profile {
  readonly avatar: string | null
  readonly bio: string | null
}

/** Fields that are absent or undefined stay as they are. */
export interface ProfileChange {
  readonly name?: string | undefined
  readonly avatar?: string | null | undefined
  readonly bio?: string | null | undefined
}

/** What a superuser corrects. Fields that are absent or undefined stay as they are. */
export interface Correction {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly dept?: string | undefined
}

/** What the renaming of a department changed. */
export interface RenamedDept {
  /** Active members who moved. */
  readonly people: number
  /** Allowances for the department, without removed ones. */
  readonly allowances: number
}

/** Part of the data stored about a person. Rows have the columns of their table. */
export interface PersonalSlice {
  /** The name of the list that the rows belong to. */
  readonly list: string
  readonly rows: readonly object[]
}

/** How a person is erased. */
export interface Erasure {
  readonly at: number
  /** The new values of these fields. */
  readonly replacement: Pick<User, "username" | "name" | "email" | "password">
  readonly reasons: ErasedReasons
}

/** Which reasons of transactions are erased: none, those that the person wrote, or also those that they received. */
export const erasedReasons = ["none", "written", "all"] as const

export type ErasedReasons = (typeof erasedReasons)[number]

/** An uploaded avatar. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly kind: PictureKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type PictureKind = "png" | "jpeg" | "webp"

/** What a list shows of a person; everybody may see it. */
export type PersonSummary = Pick<User, "id" | "username" | "name" | "dept" | "avatar">

export interface Department {
  readonly name: string
  /** How many active people it has. */
  readonly people: number
}

export interface PeopleSearch {
  /** Folded as in people/people-search.ts. Empty: everybody. */
  readonly words: readonly string[]
  /** Null: every department. */
  readonly dept: string | null
  /** Only active accounts, only inactive ones, or (null) both. */
  readonly active: boolean | null
  /** `next` of the page before; null for the first page. */
  readonly after: PeopleCursor | null
  readonly size: number
}

export interface PeoplePage {
  readonly items: readonly PersonSummary[]
  /** Null on the last page. */
  readonly next: PeopleCursor | null
}

/** The last person of a page. It names a place in the order, so it stays valid while people come and change. */
export interface PeopleCursor {
  /** Which group of `PeopleStore.search` the person is in: false for the first, true for the second. */
  readonly isInnerMatch: boolean
  readonly key: string
  readonly id: number
}

/** Matches every user who has any of these. */
export interface UserKeys {
  readonly usernames: readonly string[]
  /** Compared without regard to case. */
  readonly emails: readonly string[]
}

/** A planned import: everything that its commit changes. */
export interface UserChanges {
  readonly create: readonly NewUser[]
  /** `before` is the user that the plan was made for. The password is not changed. Where `deactivatedAt` differs, all
   *  sessions and tokens end. */
  readonly update: readonly { readonly before: User; readonly after: User }[]
  readonly entries: readonly AuditEntry[]
  readonly jobs: readonly NewJob[]
}

// --- Credentials ---

/** A cookie session. The store sees only a hash of its id, so that a copy of the database opens no session. */
export interface Session {
  readonly idHash: string
  readonly username: string
  readonly expiresAt: number
}

/** A session with the details that its owner and the operator see. Null where they are unknown. */
export interface OpenSession extends Session {
  readonly openedAt: number | null
  /** The IP address that opened it. */
  readonly address: string | null
}

/** Open sessions of one person: far more than anybody has devices. */
export const maxSessions = 100

/** What an API token may do, from least to most; each includes those before it. */
export const tokenScopes = ["read", "give", "admin"] as const
export type TokenScope = (typeof tokenScopes)[number]

export type ApiTokenKind = "personal" | "service"

/** A token for programs (docs/interface.md, "API tokens"). */
export interface ApiToken {
  readonly id: number
  readonly kind: ApiTokenKind
  /** The account whose rights it has: the owner of a personal token, or the account that a service token acts for. */
  readonly username: string
  readonly name: string
  /** The first characters of its secret. */
  readonly prefix: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  /** Null: never used. Stored about once a minute. */
  readonly lastUsedAt: number | null
  /** The IP address of the last use. */
  readonly lastUsedFrom: string | null
}

export interface NewApiToken extends Pick<ApiToken, "kind" | "name" | "prefix" | "scopes" | "createdAt" | "expiresAt"> {
  readonly userId: number
  /** SHA-256 of the secret. */
  readonly hash: string
  /** The `accessVersion` of the user who asks for a personal token. Absent: not checked. */
  readonly accessVersion?: number
}

export interface ApiTokenUse {
  readonly id: number
  readonly at: number
  readonly address: string
}

/** The one credential that stays valid when all others of a user are ended. Both null: none stays valid. */
export interface KeptCredential {
  /** Hash of the session's id. */
  readonly session: string | null
  /** Hash of the access token. */
  readonly token: string | null
  /** `accessVersion` when the token was checked. A token that has ended since is not kept. Absent: not checked. */
  readonly accessVersion?: number | undefined
}

export interface PasswordChange {
  readonly userId: number
  /** A bcrypt hash. */
  readonly password: string
  /** True ends every token and session. False ends refresh tokens, reset tokens, and sessions other than `keepSession`. */
  readonly endsEverything: boolean
  /** Hash of the id of the user's own session, if the change was made with it. It stays open. */
  readonly keepSession: string | null
  /** The user's `accessVersion` when a token of their own allowed the change. */
  readonly accessVersion?: number | undefined
  /** The reset token that authorized the change. The change uses it up. Null: there was none. */
  readonly spends: SpentToken | null
}

/** A single-use token, when it is used. */
export interface SpentToken {
  readonly tokenHash: string
  readonly expiresAt: number
  /** The `refreshVersion` that the token names; null when it names none. */
  readonly version: number | null
}

/** An account at a single sign-on provider, with which a user logs in. */
export interface Identity {
  /** The provider: its issuer identifier. */
  readonly issuer: string
  /** The provider's own id of the account, which never changes. */
  readonly subject: string
  readonly userId: number
  readonly linkedAt: number
}

export const secondFactorKinds = ["passkey", "totp"] as const
export type SecondFactorKind = (typeof secondFactorKinds)[number]

/** A second factor: a passkey, or an app that shows one-time codes. */
export interface NewSecondFactor {
  readonly kind: SecondFactorKind
  /** Chosen by its owner, to recognize it. */
  readonly name: string
  /** Of a passkey, in base64url; null for one-time codes. */
  readonly credentialId: string | null
  /** The passkey's transports (WebAuthn), separated by commas; null when the browser names none. */
  readonly transports: string | null
  /** The public key of a passkey, in base64url; the encrypted secret of one-time codes. */
  readonly key: string
  /** The last value used: signature counter of a passkey, or number of the 30-second step of a one-time code. */
  readonly counter: number
  readonly createdAt: number
}

export interface SecondFactor extends NewSecondFactor {
  readonly id: number
  readonly lastUsedAt: number | null
}

/** The proof of a second factor at a log-in. It works once, so that nobody can replay it. */
export type FactorUse =
  | { readonly kind: SecondFactorKind; readonly factorId: number; readonly counter: number }
  | { readonly kind: "recovery"; readonly codeHash: string }

/** The secret of one-time codes that a person is setting up. */
export interface TotpSetup {
  /** Encrypted. */
  readonly key: string
  readonly expiresAt: number
}

/** A successful log-in of a user from a source: an IPv4 address or an IPv6 /64 (see auth/sources.ts). */
export interface LoginSource {
  readonly userId: number
  readonly source: string
  readonly usedAt: number
}

/** How many events of one key are allowed in a window of time, such as failed log-ins to one account. */
export interface RateLimit {
  /** What is counted. The same key in two kinds is counted separately. */
  readonly kind: string
  readonly key: string
  readonly max: number
  /** Length of a window, which begins with the first event of its key. */
  readonly windowMs: number
}

/** A counted event. `endsAt` identifies the window in which it was counted. */
export interface CountedEvent extends Pick<RateLimit, "kind" | "key"> {
  readonly endsAt: number
}

/** The result of counting; `counted` is empty when a window was full. */
export interface CountResult {
  /** When the last of the full windows ends; null when none was full. */
  readonly fullUntil: number | null
  readonly counted: readonly CountedEvent[]
}

// --- Ledger ---

/** What a transaction is for. Only a transfer counts as recognition; see `isRecognition` in recognition/recognitions.ts. */
export const transactionKinds = [
  "transfer",
  "grant",
  "allowance",
  "expiry",
  "redemption",
  "refund",
  "reversal",
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
}

export interface Transaction extends Omit<NewTransaction, "reverses" | "place"> {
  /** Ascends from 1 without gaps and is never reused. */
  readonly id: number
  /**
   * The id of the first transfer of its group, whose ids are adjacent; null for a transaction in no group. A group has one
   * sender, one value, one date and one note, and the feed shows it as one entry.
   */
  readonly group: number | null
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
  /** True: only sender and receiver may read the reason. `reasonReaders` in recognition/recognitions.ts decides it. */
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

export interface EntryQuery extends HistoryFilter {
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
  /** Of the first transfer of a group: everybody whom the group thanks, in the order of the transfers. Otherwise null. */
  readonly receivers: readonly Pick<Receiver, "userId" | "name">[] | null
}

export interface Balances {
  readonly sender: number
  readonly receiver: number
}

/** A balance with its two pockets: what is earned (`redeemableOf` in ledger/pockets.ts), and the rest, which is the budget. */
export interface Pockets {
  readonly balance: number
  /** From 0 to the balance; 0 while the balance is negative. */
  readonly earned: number
}

/** A user's balance, in points. */
export type BalanceOf = (userId: number) => number

/** Identifies a request of a sender, so that sending it again does nothing (docs/interface.md, "Idempotency-Key"). */
export interface IdempotencyKey {
  readonly key: string
  /** The user who chose the key; absent: the sender. */
  readonly ownerId?: number
  /** Hash of the whole request: another request under the same key is refused. */
  readonly requestHash: string
  readonly expiresAt: number
}

/**
 * A request under an idempotency key that makes something other than transactions. A store method that gets it stores
 * the key with what was made, in the commit of the change. When the key is in use, it throws DomainError `key_reused`
 * and changes nothing.
 */
export interface Once<Made> extends IdempotencyKey {
  readonly ownerId: number
  /** When the request was made. */
  readonly at: number
  /** What is to be stored, encrypted. */
  readonly seal: (made: Made) => string
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

export interface HistoryPageQuery extends HistoryFilter {
  /** Absent: ascending id. Ties are broken by id, in the same direction. */
  readonly order?: { readonly field: OrderField; readonly descending: boolean }
  /** From 1. */
  readonly page: number
  readonly size: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** How many items all pages have together: exact at the time of the read. */
  readonly total: number
}

// --- Recognition ---

/**
 * An entry of the feed: a transfer, or a group of them. Of a group, the fields are those of its first transfer, apart from
 * `receivers` and `reversed`, which are of all.
 */
export interface Recognition extends TransactionEntry {
  /** In the order of their transfers. */
  readonly receivers: readonly Receiver[]
}

/** Somebody who was thanked. */
export interface Receiver extends Party {
  readonly userId: number
  /** The transfer to this person. */
  readonly transactionId: number
  /** Points of it that reversals have moved back. */
  readonly reversed: number
}

export interface RecognitionQuery {
  /** Up to two user ids. Only entries in which each of them is the sender or a receiver. */
  readonly participantIds: readonly number[]
  /** Only entries whose sender or a receiver is in this department now. */
  readonly dept?: string | undefined
  /** Only with a note for which this is true. Pure. Of a private note it also gets the `receivers` of the entry. */
  readonly noteMatches?: EntryQuery["noteMatches"]
  /** Only entries older than that of this transaction. */
  readonly before?: number | undefined
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

/** Tells a user about a recognition that they received, or about a reply to one that they sent or received. */
export interface Notification {
  /** Ascends in the order of events; see recognition/notifications.ts. */
  readonly id: number
  readonly recognition: Recognition
  /** Null: the notification is about the recognition itself. */
  readonly reply: Reply | null
}

/** The calendar periods of a leaderboard, and `all` for the whole ledger. */
export const periods = ["week", "month", "quarter", "year", "all"] as const

export type Period = (typeof periods)[number]

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

/** Days since the epoch, both included. Callers say in which time zone. */
export interface DayRange {
  readonly first: number
  readonly last: number
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

// --- Allowances ---

export const allowanceModes = ["add", "top_up", "reset"] as const
export const allowancePeriods = ["day", "week", "month", "quarter"] as const
/** What is paid after the server was down: the latest of the periods that fell due meanwhile, or none of them. */
export const catchUps = ["latest", "none"] as const

export type AllowancePeriod = (typeof allowancePeriods)[number]

/** Who gets an allowance. `admin`, who pays it, never does. */
export type Audience = { readonly everyone: true } | { readonly dept: string } | { readonly userIds: readonly number[] }

/** Of a row that the rules did not write, and that names nobody. Such an allowance or run is shown, and never paid. */
export interface DamagedAudience {
  readonly damaged: true
}

/** What a run pays, and to whom. */
export interface AllowanceTerms {
  /** Points. */
  readonly value: number
  /** `top_up` raises the budget to the value; `reset` makes it the value, and what was left of it expires. */
  readonly mode: (typeof allowanceModes)[number]
  readonly audience: Audience | DamagedAudience
  readonly reason: string | null
}

/** When an allowance falls due, in the time zone of the service. */
export interface AllowanceSchedule {
  readonly period: AllowancePeriod
  /** Weekly: the weekday, 1 (Monday) to 7. Monthly: the day of the month, 1 to 28 or the last one. Quarterly: the same,
   *  in the first month of the quarter. Daily: null. */
  readonly dueDay: number | "last" | null
  /** HH:MM */
  readonly dueTime: string
  /** The first and the last day, YYYY-MM-DD, on which it may fall due. */
  readonly startsOn: string | null
  readonly endsOn: string | null
}

/** Points that `admin` pays to people once in each period. */
export interface Allowance extends AllowanceTerms, AllowanceSchedule {
  readonly id: number
  readonly name: string
  readonly catchUp: (typeof catchUps)[number]
  /** False while it is paused. */
  readonly isActive: boolean
  /**
   * Periods that fell due before this time are not paid automatically: the allowance did not exist, was paused, or had
   * another schedule.
   */
  readonly dueFrom: number
  /** When the newest run began. */
  readonly lastRunAt: number | null
}

export type NewAllowance = Omit<Allowance, "id" | "lastRunAt">

/** An allowance without the list of the people whom it names, which may be long. */
export interface ListedAllowance extends Omit<Allowance, "audience"> {
  readonly audience:
    | { readonly everyone: true }
    | { readonly dept: string }
    | { readonly named: true }
    | DamagedAudience
}

/** A period of the calendar. It identifies a run: each period is paid once, even when schedule or clock change. */
export interface PeriodKey {
  readonly period: AllowancePeriod
  /** YYYY-MM-DD */
  readonly firstDay: string
}

/** The payment of one period, with the terms as they were when it began. */
export interface AllowanceRun extends PeriodKey, AllowanceTerms {
  readonly id: number
  readonly allowanceId: number
  readonly begunAt: number
  /** When the last member of the audience was handled; null before that. */
  readonly finishedAt: number | null
  /** All members of the audience with ids up to this one have been handled. */
  readonly throughId: number
  /** How many people got points, and how many points together. */
  readonly people: number
  readonly total: number
  /** Points that expired, of everybody together. */
  readonly expired: number
}

export interface NewRun extends PeriodKey {
  readonly allowanceId: number
  readonly begunAt: number
  /** When the period fell due; null when somebody asked for the run, which is then begun in any case. */
  readonly dueAt: number | null
}

/** Part of a run: members of the audience with `afterId` < id <= `throughId`. */
export interface RunSlice {
  readonly runId: number
  readonly afterId: number
  readonly throughId: number
  readonly senderId: number
  readonly receiverIds: readonly number[]
  readonly date: number
  readonly note: Note | undefined
  /** Whether this slice finishes the run. */
  readonly isLast: boolean
}

/** A member of an audience. */
export interface AudienceMember extends Pick<User, "id" | "username" | "name">, Pockets {}

/** What a run does to one person. */
export interface Share {
  /** Points that are paid. */
  readonly value: number
  /** Points of the budget that go back to `admin` before. */
  readonly expired: number
}

// --- Rewards ---

/** What people can redeem points for. */
export interface Reward {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Points. */
  readonly cost: number
  /** Path of an uploaded picture on this server. */
  readonly picture: string | null
  /** How many are left; null: no limit. */
  readonly stock: number | null
  /** How many one person may redeem; null: no limit. Declined redemptions do not count. */
  readonly limitPerPerson: number | null
  /** Whether members see it and can redeem it. */
  readonly isActive: boolean
}

export type NewReward = Omit<Reward, "id" | "picture">

/** Fields that are absent stay as they are. */
export type RewardChange = Partial<NewReward>

export const redemptionStates = ["requested", "fulfilled", "declined"] as const

export type RedemptionState = (typeof redemptionStates)[number]

export interface NewRedemption {
  readonly rewardId: number
  /** `userId` redeems the reward and pays the points; `receiverId` receives them. */
  readonly userId: number
  readonly receiverId: number
  readonly comment: string | null
  readonly date: number
  readonly note: Note
  /** Returns the jobs to store with the redemption that gets this id. Synchronous; a retry calls it again. */
  readonly jobs: (id: number) => readonly NewJob[]
}

/** The state that the check of a redemption gets while the ledger is locked. */
export interface RedemptionContext {
  readonly reward: Reward
  /** How many redemptions of this reward the person has. Declined ones do not count. */
  readonly redeemed: number
  /** Of the person. */
  readonly pockets: Pockets
}

export interface Redemption extends Pick<User, "username" | "name"> {
  /** The id of the transaction that took the points. */
  readonly id: number
  readonly rewardId: number
  /** The name of the reward when it was redeemed. */
  readonly rewardName: string
  readonly userId: number
  /** Points. */
  readonly cost: number
  readonly state: RedemptionState
  readonly date: number
  readonly comment: string | null
  readonly answer: string | null
  readonly answeredAt: number | null
}

/** All fields that are present must match. */
export interface RedemptionQuery {
  readonly state?: RedemptionState | undefined
  readonly userId?: number | undefined
  /** Only ids below this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** How a superuser answers a redemption. */
export interface RedemptionAnswer {
  readonly redemption: Pick<Redemption, "id" | "rewardId">
  readonly answer: string | null
  readonly date: number
  readonly jobs: readonly NewJob[]
  readonly audit: AuditEntry
}

// --- Audit log ---

/** Every action that the audit log records. */
export const auditActions = [
  "login",
  "login_failed",
  "identity_linked",
  "identity_unlinked",
  "user_created",
  "users_imported",
  "exported",
  "points_sent",
  "points_granted",
  "points_reversed",
  "reply_hidden",
  "reply_shown",
  "allowance_added",
  "allowance_changed",
  "allowance_removed",
  "allowance_run",
  "reward_created",
  "reward_changed",
  "reward_fulfilled",
  "reward_declined",
  "profile_changed",
  "dept_changed",
  "dept_renamed",
  "password_changed",
  "user_deactivated",
  "user_reactivated",
  "user_erased",
  "access_ended",
  "token_created",
  "token_revoked",
  "second_factor_added",
  "second_factor_removed",
  "second_factors_reset",
  "recovery_codes_created",
  "recovery_code_used",
  "webhook_added",
  "webhook_changed",
  "webhook_removed",
  "webhook_replayed",
  "webhook_skipped",
  "webhook_stopped",
  "settings",
  "shell",
  "backup",
  "restore",
  "copy",
] as const

export type AuditAction = (typeof auditActions)[number]

/** Who acts, and over which interface. */
export interface Origin {
  /** A username; on the command line, the operator's name on the system; null when nobody is authenticated. */
  readonly who: string | null
  readonly way: "http" | "command line" | "server"
  /** An IP address; null when the request has none. */
  readonly address: string | null
}

export interface AuditEntry extends Origin {
  readonly at: number
  readonly action: AuditAction
  /** Username of the person whom the action is about; null when it is about nobody in particular. */
  readonly whom: string | null
  /** How many times it happened, the last time at `at`. Repeated failures share an entry. */
  readonly count: number
  /** Anything else worth knowing. Never a secret. */
  readonly detail: string | null
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

export interface AuditQuery {
  /** Matches `who` and `whom`. */
  readonly user?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: number | undefined
  /** At most this many, the newest. */
  readonly limit: number
}

// --- Mail about recognition ---

/** Mail about each recognition, a digest once a day, or (`off`) no mail about recognition at all. */
export const mailFrequencies = ["each", "daily", "off"] as const
export type MailFrequency = (typeof mailFrequencies)[number]

export const mailLanguages = ["en", "pt"] as const
export type MailLanguage = (typeof mailLanguages)[number]

export interface MailChoice {
  readonly mail: MailFrequency
  /** Null: the language of the service. */
  readonly language: MailLanguage | null
}

/** The choice of a person who never made one. */
export const defaultMailChoice: MailChoice = { mail: "daily", language: null }

export interface MailChoiceChange {
  readonly mail?: MailFrequency | undefined
  readonly language?: MailLanguage | null | undefined
}

export interface MailReader {
  readonly id: number
  readonly dept: string
  readonly balance: number
}

// --- Events and webhooks ---

export const eventTypes = [
  "transaction.created",
  "transaction.reversed",
  "user.created",
  "user.updated",
  "user.deactivated",
  "redemption.requested",
  "redemption.fulfilled",
  "redemption.declined",
] as const
export type EventType = (typeof eventTypes)[number]

/** An event as it is stored. Whether a transaction was created or reversed follows from its kind. */
export interface RecordedEvent {
  readonly id: number
  readonly type: Exclude<EventType, "transaction.created" | "transaction.reversed"> | "transaction"
  /** The id of the user, the redemption or the transaction. */
  readonly subject: number
  /** When it was recorded. */
  readonly at: number
}

/** An event with the present state of its subject. */
export type Event = { readonly id: number; readonly at: number } & (
  | {
      readonly type: "transaction.created" | "transaction.reversed"
      readonly transaction: TransactionEntry
      /** Of a transaction that is an entry of the feed (`isFeedEntry`): everybody who was thanked. Otherwise empty. */
      readonly receivers: readonly Receiver[]
    }
  | { readonly type: "user.created" | "user.updated" | "user.deactivated"; readonly user: User }
  | {
      readonly type: "redemption.requested" | "redemption.fulfilled" | "redemption.declined"
      readonly redemption: Redemption
    }
)

/** `standard` sends every event as JSON, signed; the others send recognitions as chat messages. */
export const webhookFormats = ["standard", "slack", "teams", "discord"] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export interface WebhookFields {
  readonly url: string
  /** Empty: all. */
  readonly events: readonly EventType[]
  readonly format: WebhookFormat
  readonly description: string | null
  readonly isActive: boolean
}

/** Secrets are encrypted. */
export interface WebhookSecrets {
  readonly secret: string
  /** The secret before the last rotation. Until `oldSecretUntil`, messages are signed with it too. */
  readonly oldSecret: string | null
  readonly oldSecretUntil: number | null
}

export interface Webhook extends WebhookFields, WebhookSecrets {
  readonly id: number
  /** Why the server deactivated the webhook; null when it did not. */
  readonly stoppedBecause: string | null
  /** The setting that it belongs to; null for one that people made. */
  readonly setting: string | null
  /** How many times it was changed. */
  readonly revision: number
  /** All events up to this one were delivered or have a waiting delivery. */
  readonly lastEvent: number
  /** How many attempts have failed since the last success, and when the first of them failed. */
  readonly failures: number
  readonly failingSince: number | null
  /** The earliest time of the next attempt. */
  readonly retryAt: number
  readonly lastSuccessAt: number | null
}

export type NewWebhook = WebhookFields & Pick<WebhookSecrets, "secret"> & Pick<Webhook, "setting">

export interface WebhookChange extends Partial<WebhookFields> {
  /** The secret that it replaces becomes the old one. */
  readonly secret?: string
  readonly oldSecretUntil?: number
  /** Sends the events after this one again. */
  readonly lastEvent?: number
}

export const deliveryStates = ["waiting", "delivered", "failed", "skipped"] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The last attempt of a delivery. */
export interface DeliveryAttempt {
  readonly attemptedAt: number
  readonly durationMs: number
  /** The HTTP status and the beginning of the answer; null without an answer. */
  readonly status: number | null
  readonly response: string | null
  /** What went wrong; null when nothing did. */
  readonly error: string | null
}

export interface Delivery {
  readonly id: number
  readonly webhookId: number
  /** Null for a test. */
  readonly eventId: number | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: number
  readonly attempt: DeliveryAttempt | null
}

/** One attempt: of a waiting delivery, or of an event that had no delivery yet. */
export interface Attempted {
  /** Null: a new delivery. */
  readonly deliveryId: number | null
  readonly eventId: number | null
  readonly state: DeliveryState
  readonly attempt: DeliveryAttempt
}

/** How many webhooks there are. A failing webhook also counts as active. */
export interface WebhookCounts {
  readonly active: number
  readonly failing: number
  /** Deactivated by the server. */
  readonly stopped: number
}

/** What a process did for a webhook during one lease. */
export interface WebhookRound {
  readonly webhook: Pick<Webhook, "id" | "lastEvent" | "revision">
  readonly owner: string
  readonly attempted: readonly Attempted[]
  /** The new `lastEvent`. It is ignored when somebody has set another one meanwhile. */
  readonly lastEvent: number
  readonly failures: number
  readonly failingSince: number | null
  readonly retryAt: number
  /** Null: no success in this round. */
  readonly lastSuccessAt: number | null
  /** Deactivates the webhook. */
  readonly stoppedBecause: string | null
}

// --- Jobs ---

export type JobState = "available" | "running" | "completed" | "discarded"

/** Work for the background worker. It runs at least once; a crash uses up an attempt. */
export interface Job {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly state: JobState
  /** How often it was claimed, the present attempt included. */
  readonly attempts: number
  /**
   * When the last attempt fails, the job is discarded. A temporary failure raises this by one: it uses up no attempt.
   */
  readonly maxAttempts: number
  /** Temporary failures are retried until this time; afterwards the job would be of no use. */
  readonly retryUntil: number
  /** No worker claims the job before this time. */
  readonly runAt: number
  /** Name of the worker that holds the lease. */
  readonly lockedBy: string | null
  /** When the lease ends. From then on any worker may claim the job again. */
  readonly lockedUntil: number | null
  readonly lastError: string | null
  readonly result: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export type NewJob = Pick<Job, "kind" | "payload" | "maxAttempts" | "retryUntil" | "runAt" | "createdAt">

/** How an attempt ended. */
export type JobOutcome =
  | { readonly state: "completed"; readonly result: string }
  | { readonly state: "discarded"; readonly error: string }
  /** Try again at `runAt`. A temporary failure uses up no attempt. */
  | { readonly state: "available"; readonly error: string; readonly runAt: number; readonly isTemporary: boolean }

/** A step of work that enqueues jobs at intervals. The work chooses the format of `from` and `to`. */
export interface JobProgress {
  readonly work: string
  /** Null: the first step. */
  readonly from: string | null
  readonly to: string
}

/** Discarded jobs that the store still has. */
export interface DiscardedJobs {
  readonly count: number
  /** Null when there is none. Its error contains no e-mail address. */
  readonly newest: { readonly kind: string; readonly at: number; readonly error: string } | null
}

/** Work that one process does for all processes. */
export interface ScheduledWork {
  readonly name: string
  readonly everyMs: number
  /** How long a claim holds. When its owner dies, the work is free again after this time. */
  readonly leaseMs: number
}

// --- Operations ---

/** The state of the store, for metrics and the health page. */
export interface StoreReading {
  /** How many transactions the ledger has. */
  readonly transactions: number
  /** How many jobs are in each state. Finished ones are deleted after a while. */
  readonly jobs: Readonly<Record<JobState, number>>
  readonly discarded: DiscardedJobs
  /** How long the oldest job that is due or retried has waited, its failed attempts included, in milliseconds; else 0. */
  readonly waitingMs: number
  readonly webhooks: WebhookCounts
  readonly databaseBytes: number
  /** Size of the write-ahead log. */
  readonly walBytes: number
}

/** The state of scheduled backups. */
export interface BackupState {
  /** The interval of the schedule; 0 when there is no schedule. */
  readonly everyMs: number
  /** When this process started the schedule; null when it has not. */
  readonly startedAt: number | null
  /** When the newest backup was made; null when there is none. */
  readonly lastSuccessAt: number | null
  /** Null when nothing has failed since the last success. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | null
}
