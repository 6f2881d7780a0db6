import type { AuditEntry, AuditStore } from "./audit-entries.ts"
import type { Picture } from "./people/avatars.ts"
import type { ExportStore } from "./people/exports.ts"
import type { ProfileChange } from "./people/fields.ts"
import type { Repeatable } from "./ledger/idempotency.ts"
import type { UserMerge } from "./people/imports.ts"
import type { JobStore } from "./jobs.ts"
import type { Note } from "./ledger/notes.ts"
import type { SessionStore } from "./auth/open-sessions.ts"
import type { Page, PageQuery } from "./ledger/pages.ts"
import type { PasswordChange } from "./auth/password-change.ts"
import type { PeopleStore } from "./people/people.ts"
import type { RecognitionStore } from "./recognition/recognitions.ts"
import type { StandingsStore } from "./recognition/leaderboard-snapshots.ts"

/**
 * The port: every read and write that the rules need, named by intent.
 * Each method is one atomic unit; no transaction leaves the store. Times are milliseconds since the epoch, UTC.
 * test/storage/contract.ts holds every implementation to what is promised here.
 */
export interface Store {
  readonly users: UserStore
  readonly people: PeopleStore
  readonly standings: StandingsStore
  readonly ledger: LedgerStore
  readonly recognitions: RecognitionStore
  readonly sessions: SessionStore
  readonly audit: AuditStore
  readonly jobs: JobStore
  readonly exports: ExportStore
  /** Settles what waits, writes everything back into one file, and lets go of it. */
  close(): Promise<void>
}

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

/** What changes something takes the entry that tells of it, and both are in one commit or neither is. */
export interface UserStore extends UserMerge {
  byUsername(username: string): Promise<User | null>
  /** Without regard to case. */
  byEmail(email: string): Promise<User | null>
  /** Whoever has this user name or this e-mail address, both without regard to case, ascending by id. */
  byLoginName(name: string): Promise<User[]>
  /** Everybody, ascending by id, each with the balance (0 without a balance row). */
  list(): Promise<(User & { readonly balance: number })[]>
  /** In the order of their ids here; each is somebody's. */
  withIds(userIds: readonly number[]): Promise<User[]>
  /** Those of this department, ascending by id, at most `limit`. */
  inDept(dept: string, limit: number): Promise<User[]>
  /** Points; 0 when the user has no balance row. */
  balanceOf(userId: number): Promise<number>
  /** Of each of these users. */
  balancesOf(userIds: readonly number[]): Promise<BalanceOf>
  /** @throws DomainError `username_taken`, `username_lookalike`, else `integrity` (a taken e-mail address). */
  create(user: NewUser, entry?: AuditEntry): Promise<User>
  /** Overwrites the fields that are given, at least one. The user exists: users are never deleted.
   *  @throws DomainError `name_lookalike` where namesakes are refused and the new name looks like another person's */
  updateProfile(
    userId: number,
    profile: ProfileChange,
    entry?: AuditEntry,
    namesakes?: "allow" | "refuse",
  ): Promise<User>
  /** Keeps the picture and sets the user's avatar to its path. A picture that no user shows any more is forgotten. */
  showPicture(userId: number, picture: Picture, entry?: AuditEntry): Promise<User>
  picture(hash: string): Promise<Picture | null>
  /** The user exists, as above. */
  changeDept(userId: number, dept: string, entry?: AuditEntry): Promise<User>
  /** Ends every session and every token of this user but those that are kept; returns how many sessions those were. */
  endOthers(userId: number, kept: Kept, entry?: AuditEntry): Promise<number>
  /** Ends every session and every token of this user, or of everybody, and returns how many sessions those were. */
  endAccess(userId: number | null, entry?: AuditEntry): Promise<number>
  /**
   * Stores the hash and ends, in the same commit, what the change ends.
   * @throws DomainError `not_own_password` when the reset token was spent or ended meanwhile; nothing is changed.
   */
  changePassword(change: PasswordChange, entry?: AuditEntry): Promise<User>
  /** Puts another hash of the same password in the place of `old`; does nothing where that is no longer the user's. */
  renewHash(userId: number, old: string, renewed: string): Promise<void>
  /** When this account was last logged in to from this source; null when never, or when that was forgotten. */
  lastUseOf(userId: number, source: string): Promise<number | null>
  rememberSources(uses: readonly UsedSource[]): Promise<void>
  /** Those last used before this time. */
  forgetSources(usedBefore: number): Promise<void>
  /** Whether a reset token with this hash has done its one change. */
  isSpent(tokenHash: string): Promise<boolean>
  /** Forgets spent tokens that would be refused as expired anyway. */
  pruneSpent(now: number): Promise<void>
}

/** What outlives the others: the hash of a session's id, or of an access token; both are null for none. */
export interface Kept {
  readonly session: string | null
  readonly token: string | null
}

/** A login to an account, from one source as `sourceOf` names it. */
export interface UsedSource {
  readonly userId: number
  readonly source: string
  readonly usedAt: number
}

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

export interface Balances {
  readonly sender: number
  readonly receiver: number
}

/** Points of a user. */
export type BalanceOf = (userId: number) => number

/** What came of entries that were posted as one. */
export interface Posted {
  /** Side by side in the ledger. */
  readonly transactions: readonly Transaction[]
  /** What the sender had left right behind them. */
  readonly balance: number
  /** They were posted earlier under the same key; nothing was done now. */
  readonly replayed: boolean
}

export interface LedgerStore {
  /**
   * Locks both balances, runs check on them, appends, updates both balances: all or nothing.
   * Resolves once the commit is durable. `check` is pure and synchronous; what it throws refuses this entry alone
   * and leaves no trace. A date earlier than the last one is moved up to it, so that order by date is order by id.
   * `repeatable` is remembered in the same commit; where its key is already, by `entry.date`, nothing is done and the
   * transaction of then is returned, without its note. `audit` is written in the same commit too.
   * @throws DomainError `key_reused` when something else was asked for under the key
   */
  post(
    entry: NewTransaction,
    check: (balances: Balances) => void,
    repeatable?: Repeatable,
    audit?: AuditEntry,
  ): Promise<Transaction & Pick<Posted, "replayed">>
  /**
   * The same for several entries as one: they are appended side by side in this order, or all are refused. `check` may
   * ask for the balance of everybody who takes part.
   */
  postAll(
    entries: readonly NewTransaction[],
    check: (balanceOf: BalanceOf) => void,
    repeatable?: Repeatable,
    audit?: AuditEntry,
  ): Promise<Posted>
  /**
   * What this sender's key brought when it was used, by `now`; null while it is free.
   * @throws DomainError `key_reused`, as `post`
   */
  findReplay(senderId: number, repeatable: Repeatable, now: number): Promise<Posted | null>
  /** Forgets keys that have expired. */
  pruneKeys(now: number): Promise<void>
  page(query: PageQuery): Promise<Page<TransactionRecord>>
  /** Ascending, at most `limit`. Once an id was returned, no lower one may appear later. */
  after(id: number, limit: number): Promise<StreamEntry[]>
  /** 0 while there is none. */
  lastId(): Promise<number>
  /** Calls back soon after each commit of this process that appended. Returns how to stop. */
  onAppend(listener: () => void): () => void
}

/** The only source of time in the domain: milliseconds since the epoch. */
export type Clock = () => number
