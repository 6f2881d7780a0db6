import type {
  AuditEntry,
  AuditQuery,
  AuditRecord,
  BalanceOf,
  Balances,
  DayTotals,
  Department,
  DiscardedJobs,
  HistoryFilter,
  IdempotencyKey,
  Job,
  JobOutcome,
  JobState,
  KeptCredential,
  LeaderboardSnapshot,
  LoginSource,
  NewJob,
  NewTransaction,
  NewUser,
  OpenSession,
  Page,
  PageQuery,
  PasswordChange,
  PeoplePage,
  PeopleSearch,
  PersonSummary,
  Picture,
  PostResult,
  ProfileChange,
  Recognition,
  RecognitionQuery,
  Session,
  StreamEntry,
  Transaction,
  TransactionRecord,
  User,
  UserChanges,
  UserKeys,
} from "./model.ts"

/**
 * The port: every read and write that the rules need, named by intent.
 * Each method is one atomic unit; no transaction leaves the store. Times are milliseconds since the epoch, UTC.
 * test/storage/contract.ts holds every implementation to what is promised here.
 */
export interface Store {
  readonly users: UserStore
  readonly people: PeopleStore
  readonly statistics: StatisticsStore
  readonly ledger: LedgerStore
  readonly recognitions: RecognitionStore
  readonly sessions: SessionStore
  readonly audit: AuditStore
  readonly jobs: JobStore
  readonly exports: ExportStore
  /** Settles what waits, writes everything back into one file, and lets go of it. */
  close(): Promise<void>
}

/** What changes something takes the entry that tells of it, and both are in one commit or neither is. */
export interface UserStore {
  byUsername(username: string): Promise<User | null>
  /** Without regard to case. */
  byEmail(email: string): Promise<User | null>
  /** Whoever has this user name or this e-mail address, both without regard to case, ascending by id. */
  byLoginName(name: string): Promise<User[]>
  /** Everybody, ascending by id, each with the balance (0 without a balance row). */
  list(): Promise<(User & { readonly balance: number })[]>
  /** In the order of their ids here; each is somebody's. */
  byIds(userIds: readonly number[]): Promise<User[]>
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
  saveAvatar(userId: number, picture: Picture, entry?: AuditEntry): Promise<User>
  picture(hash: string): Promise<Picture | null>
  /** The user exists, as above. */
  changeDept(userId: number, dept: string, entry?: AuditEntry): Promise<User>
  /** Ends every session and every token of this user but those that are kept; returns how many sessions those were. */
  endOthers(userId: number, kept: KeptCredential, entry?: AuditEntry): Promise<number>
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
  lastLoginFrom(userId: number, source: string): Promise<number | null>
  saveLoginSources(uses: readonly LoginSource[]): Promise<void>
  /** Those last used before this time. */
  pruneLoginSources(usedBefore: number): Promise<void>
  /** Whether a reset token with this hash has done its one change. */
  isSpent(tokenHash: string): Promise<boolean>
  /** Forgets spent tokens that would be refused as expired anyway. */
  pruneSpent(now: number): Promise<void>
  /** Those with one of these usernames or e-mail addresses. */
  matching(keys: UserKeys): Promise<User[]>
  /**
   * Applies all changes in one commit. Returns false, with nothing changed, when a user to update is no longer as `before`,
   * or a username or address was taken meanwhile: then the changes must be planned again.
   * @throws DomainError `username_lookalike`
   */
  merge(changes: UserChanges): Promise<boolean>
}

/** The part of the port that finds people; store.ts has the rest. */
export interface PeopleStore {
  /**
   * People in each of whose `name` or `username` every one of `words` occurs, without regard to case and accents: first
   * those where each begins the user name or a word of the name, then the others, each by name.
   */
  search(query: PeopleSearch): Promise<PeoplePage>
  /** By name, without the empty ones. */
  departments(): Promise<Department[]>
  /** Those with these ids, in their order. */
  summaries(ids: readonly number[]): Promise<readonly PersonSummary[]>
  /** Takes in what changed since the last look, so that the next search need not. */
  refresh(): Promise<void>
}

export interface SessionStore {
  /** Opens one and ends the one whose hash is `replaces`. */
  open(session: OpenSession, replaces: string | null): Promise<void>
  /** Null when there is none or it has expired by `now`. */
  find(idHash: string, now: number): Promise<Session | null>
  /** Those that have not expired by `now`, of this user or of everybody, by user name, the last to expire first. */
  list(username: string | null, now: number): Promise<OpenSession[]>
  /** Ending an unknown session does nothing. */
  end(idHash: string, entry?: AuditEntry): Promise<void>
  prune(now: number): Promise<void>
  /** Grows with every change, by any process, that may end a session or a token before it expires. */
  accessChanges(): Promise<number>
}

export interface LedgerStore {
  /**
   * Locks both balances, runs check on them, appends, updates both balances: all or nothing.
   * Resolves once the commit is durable. `check` is pure and synchronous; what it throws refuses this entry alone
   * and leaves no trace. A date earlier than the last one is moved up to it, so that order by date is order by id.
   * `idempotencyKey` is remembered in the same commit; where its key is already, by `entry.date`, nothing is done and the
   * transaction of then is returned, without its note. `audit` is written in the same commit too.
   * @throws DomainError `key_reused` when something else was asked for under the key
   */
  post(
    entry: NewTransaction,
    check: (balances: Balances) => void,
    idempotencyKey?: IdempotencyKey,
    audit?: AuditEntry,
  ): Promise<Transaction & Pick<PostResult, "replayed">>
  /**
   * The same for several entries as one: they are appended side by side in this order, or all are refused. `check` may
   * ask for the balance of everybody who takes part.
   */
  postAll(
    entries: readonly NewTransaction[],
    check: (balanceOf: BalanceOf) => void,
    idempotencyKey?: IdempotencyKey,
    audit?: AuditEntry,
  ): Promise<PostResult>
  /**
   * What this sender's key brought when it was used, by `now`; null while it is free.
   * @throws DomainError `key_reused`, as `post`
   */
  findReplay(senderId: number, idempotencyKey: IdempotencyKey, now: number): Promise<PostResult | null>
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

/** The part of the port that reads everything; store.ts has the rest. */
export interface ExportStore {
  /** What the query keeps as it stood at the first reading, ascending by id, slice by slice as they are asked for.
   *  Others have their turn between two of them, and it costs no more memory than one. */
  transactions(query: HistoryFilter): AsyncGenerator<TransactionRecord[], void>
  /** Everybody of that moment, likewise. */
  users(): AsyncGenerator<(User & { readonly balance: number })[], void>
}

/** Reading the ledger with what was said. */
export interface RecognitionStore {
  /** The newest first, at most `limit`; only what `isRecognition`. */
  newest(query: RecognitionQuery): Promise<Recognition[]>
  /** Every transaction, so that whoever follows knows each id: ascending behind `id`, at most `limit`. */
  after(id: number, limit: number): Promise<Recognition[]>
}

/** The part of the port that keeps what standings come to; store.ts has the rest. */
export interface StatisticsStore {
  /** Ascending, at most `limit`. Others have their turn between two calls. */
  transactionsAfter(id: number, limit: number): Promise<readonly Transaction[]>
  /** What a user received and sent on so many days from the one that begins `since`, and the balance at the end of each;
   *  what was sent to oneself left out. */
  daysOf(userId: number, since: number, days: number): Promise<DayTotals[]>
  loadSnapshots(): Promise<readonly LeaderboardSnapshot[]>
  /** Each is kept unless one that goes further is. */
  saveSnapshots(snapshots: readonly LeaderboardSnapshot[]): Promise<void>
}

export interface AuditStore {
  /** All of them in one commit. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** Ascending by id, which is the order in which they were written. */
  list(query: AuditQuery): Promise<AuditRecord[]>
  /** Forgets entries from before this time, for good: none of them can be kept any more. */
  prune(before: number): Promise<void>
}

export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  /** Takes the one that is due longest, available or with its lease run out, and counts the attempt before it runs.
   *  One whose attempts are used up is discarded instead. Null when nothing is due. */
  claim(worker: string, now: number, leaseMs: number): Promise<Job | null>
  /** False, and nothing changed, when `worker` no longer holds the lease. */
  settle(id: number, worker: string, outcome: JobOutcome, now: number): Promise<boolean>
  /** Forgets jobs that finished before these times. */
  prune(before: { readonly completed: number; readonly discarded: number }): Promise<void>
}

/** The part of the port that tells an operator how the store is; store.ts has the rest. */
export interface StoreHealth {
  /** Writes durably what changes nothing. @throws what any other write would */
  checkWritable(): Promise<void>
  /** `now` in milliseconds since the epoch, UTC. */
  read(now: number): Promise<StoreReading>
}

export interface StoreReading {
  /** How many the ledger has. */
  readonly transactions: number
  /** How many there are; finished ones are forgotten after a while. */
  readonly jobs: Readonly<Record<JobState, number>>
  readonly discarded: DiscardedJobs
  /** How long the job that is due longest has been waiting, in milliseconds; 0 when none is due. */
  readonly waitingMs: number
  /** What the files take on the disk. */
  readonly databaseBytes: number
  readonly walBytes: number
}
