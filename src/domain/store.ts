import type {
  Allowance,
  AllowanceRun,
  ApiToken,
  ApiTokenKind,
  ApiTokenUse,
  Attempted,
  Audience,
  AudienceMember,
  AuditEntry,
  AuditQuery,
  AuditRecord,
  BalanceOf,
  Balances,
  Correction,
  CountedEvent,
  CountedTransaction,
  CountResult,
  DayRange,
  DayTotals,
  Delivery,
  DeliveryState,
  Department,
  DepartmentRecognition,
  EntryQuery,
  Erasure,
  FactorUse,
  HistoryFilter,
  HistoryPageQuery,
  IdempotencyKey,
  Identity,
  Job,
  JobOutcome,
  JobProgress,
  KeptCredential,
  LeaderboardSnapshot,
  ListedAllowance,
  LoginSource,
  MailChoice,
  MailChoiceChange,
  MailFrequency,
  MailReader,
  NewAllowance,
  NewApiToken,
  NewJob,
  NewRedemption,
  NewReply,
  NewReward,
  NewRun,
  NewSecondFactor,
  NewTransaction,
  NewUser,
  NewWebhook,
  Notification,
  Once,
  OpenSession,
  Page,
  Participation,
  PasswordChange,
  PeoplePage,
  PeopleSearch,
  PeriodKey,
  PersonalSlice,
  PersonRecognition,
  PersonSummary,
  Picture,
  Pockets,
  PostResult,
  ProfileChange,
  RateLimit,
  Recognition,
  RecognitionQuery,
  RecordedEvent,
  Redemption,
  RedemptionAnswer,
  RedemptionContext,
  RedemptionQuery,
  RenamedDept,
  Reply,
  RequestLimit,
  Responses,
  Reward,
  RewardChange,
  RunSlice,
  ScheduledWork,
  SecondFactor,
  Session,
  Share,
  SpentToken,
  StoreReading,
  StreamEntry,
  TagRecognition,
  TotpSetup,
  Transaction,
  TransactionEntry,
  TransactionRecord,
  User,
  UserChanges,
  UserKeys,
  UserWithBalance,
  Webhook,
  WebhookChange,
  WebhookRound,
} from "./model.ts"

/**
 * The port: every read and write that the rules need, named by intent.
 *
 * Each method is one atomic unit, unless it says otherwise: it happens whole or not at all, and a promise resolves once
 * its change is durable. There is no generic query and no transaction to hold open; a rule that needs the write lock is
 * passed in as a pure, synchronous function. Its decision holds for the commit: a store that calls it before it has the
 * lock calls it again if the data has changed by then. Times are milliseconds since the epoch in UTC, balances and
 * values are points.
 *
 * Besides the errors named here, every write throws DomainError `unwritable` while the disk is full or another process
 * keeps the database locked, and every method throws `unavailable` while PostgreSQL cannot be reached; the next call
 * may succeed. A write throws `outcome_unknown` when PostgreSQL vanished during the commit; a method that appends to the
 * ledger only if PostgreSQL does not come back in time to ask it. test/storage/contract.ts holds every implementation
 * to these promises; src/storage/open.ts opens the one that is used.
 */
export interface Store {
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly identities: IdentityStore
  readonly apiTokens: ApiTokenStore
  readonly provisioned: ProvisionedStore
  readonly secondFactors: SecondFactorStore
  readonly rateLimits: RateLimitStore
  readonly people: PeopleStore
  readonly ledger: LedgerStore
  readonly idempotency: IdempotencyStore
  readonly allowances: AllowanceStore
  readonly rewards: RewardStore
  readonly recognitions: RecognitionStore
  readonly responses: ResponseStore
  readonly notifications: NotificationStore
  readonly statistics: StatisticsStore
  readonly insights: InsightStore
  readonly exports: ExportStore
  readonly audit: AuditStore
  readonly jobs: JobStore
  readonly mail: MailStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly schedule: ScheduleStore
  /** Finishes pending work, writes everything back into one file, and closes it. */
  close(): Promise<void>
}

/**
 * Accounts, their credentials, and their balances. A method that takes an `audit` entry writes it in the same commit.
 * Methods that take a `userId` expect it to exist: users are never deleted.
 */
export interface UserStore {
  // Reading

  /** The exact username. */
  byUsername(username: string): Promise<User | null>
  /** Compared without regard to case. */
  byEmail(email: string): Promise<User | null>
  /** Everyone with this username or e-mail address, both without regard to case. Ascending by id. */
  byLoginName(name: string): Promise<User[]>
  /** In the order of `userIds`, all of which must exist. */
  byIds(userIds: readonly number[]): Promise<User[]>
  /** Active members of a department, ascending by id, at most `limit`. */
  inDept(dept: string, limit: number): Promise<User[]>
  /** Everyone, ascending by id. */
  list(): Promise<UserWithBalance[]>
  /** 0 for a user who has taken part in no transaction. */
  balanceOf(userId: number): Promise<number>
  pocketsOf(userId: number): Promise<Pockets>
  /** The same for several users in one read. */
  balancesOf(userIds: readonly number[]): Promise<BalanceOf>
  picture(hash: string): Promise<Picture | null>
  /** Reasons that the user saved as templates. */
  templatesOf(userId: number): Promise<readonly string[]>

  // Changing

  /**
   * @throws DomainError `username_taken`, `username_lookalike`; `integrity` when the e-mail address is taken
   */
  create(user: NewUser, audit?: AuditEntry): Promise<User>
  /**
   * Sets the fields that are given, at least one.
   * @throws DomainError `name_lookalike` when `namesakes` is "refuse" and the new name looks like another person's
   */
  updateProfile(
    userId: number,
    profile: ProfileChange,
    audit?: AuditEntry,
    namesakes?: "allow" | "refuse",
  ): Promise<User>
  /** Stores the picture and makes it the user's avatar. A picture that is no longer anyone's avatar is deleted. */
  saveAvatar(userId: number, picture: Picture, audit?: AuditEntry): Promise<User>
  /**
   * Sets the fields that are given, at least one. A changed e-mail address ends refresh, reset and invitation tokens in the
   * same commit. Namesakes are allowed.
   * @throws DomainError `email_taken`, `erased`
   */
  correct(userId: number, correction: Correction, audit?: readonly AuditEntry[]): Promise<User>
  /**
   * Changes the department of everybody in `from`, including people who left, and of the allowances for it, to `to`.
   * @throws DomainError `dept_being_paid` while a run of one of these allowances is not finished
   */
  renameDept(from: string, to: string, audit: AuditEntry): Promise<RenamedDept>
  saveTemplates(userId: number, reasons: readonly string[]): Promise<void>
  /**
   * Deactivates an account, or reactivates it (null). Ends all sessions and tokens in the same commit.
   * @throws DomainError `erased` when an erased account is to be reactivated
   */
  setActive(userId: number, deactivatedAt: number | null, audit?: AuditEntry): Promise<User>
  /**
   * Erases a person: replaces username, name, e-mail address and password, also the username in audit entries, and
   * deletes the data that src/storage/personal-data.ts lists. Transactions stay, and their hashes stay valid;
   * `erasure.reasons` says which of their reasons are erased; the texts of replies and redemptions are erased in the
   * same way. Where the store writes files, none of them holds the erased data afterwards. A person can be erased
   * again.
   * @throws DomainError `still_active`
   */
  erase(userId: number, erasure: Erasure, audit: AuditEntry): Promise<void>
  /** Users with any of these usernames or e-mail addresses. An import is planned against them. */
  matching(keys: UserKeys): Promise<User[]>
  /**
   * Applies an import in one commit. False, with nothing changed, when a user to update is no longer as `before`, or when
   * somebody else has taken a username or address meanwhile: then plan the import again.
   * @throws DomainError `username_lookalike`
   */
  merge(changes: UserChanges, once?: Once<true>): Promise<boolean>

  // Passwords and access

  /**
   * Stores the new hash and ends sessions and tokens in the same commit; `change` says which of them stay.
   * @throws DomainError `not_own_password` when the reset token, or the user's own session or token, was used up or ended
   * meanwhile; nothing is changed
   */
  changePassword(change: PasswordChange, audit?: AuditEntry): Promise<User>
  /** Replaces a hash by another of the same password. Does nothing when `old` is no longer the user's hash. */
  renewHash(userId: number, old: string, renewed: string): Promise<void>
  /**
   * Ends every session and token of the user, or of everyone (null). Returns the number of sessions ended. Service
   * tokens stay: they end when they expire, are revoked or the account is deactivated, and by `rewards restore
   * --end-sessions`.
   */
  endAccess(userId: number | null, audit?: AuditEntry): Promise<number>
  /** Ends every session and token of the user except `kept`. Returns the number of sessions ended. */
  endOthers(userId: number, kept: KeptCredential, audit?: AuditEntry): Promise<number>
  /** Whether the single-use token with this hash has been used. */
  isSpent(tokenHash: string): Promise<boolean>
  /** Uses up a token. False when it has been used before. */
  spend(token: Pick<SpentToken, "tokenHash" | "expiresAt">): Promise<boolean>
  /** Deletes used tokens that have expired by `now`: those are refused anyway. */
  pruneSpent(now: number): Promise<void>

  // Where users log in from

  /** When the user last logged in from this source; null when never, or when that was pruned. */
  lastLoginFrom(userId: number, source: string): Promise<number | null>
  /** Leaves out erased accounts. */
  saveLoginSources(logins: readonly LoginSource[]): Promise<void>
  /** Deletes sources last used before this time. */
  pruneLoginSources(usedBefore: number): Promise<void>
}

/** Cookie sessions. */
export interface SessionStore {
  /**
   * Stores a session, and ends the one with the hash `replaces`, and the oldest ones of the user beyond `maxSessions`.
   * `refreshVersion` is the user's at the time of the log-in.
   * @throws DomainError `bad_login` when it has changed since: every change that ends all sessions of a user, or all but one, changes it
   */
  open(session: OpenSession, replaces: string | null, refreshVersion?: number): Promise<void>
  /** Null when there is no such session, or when it has expired by `now`. */
  find(idHash: string, now: number): Promise<Session | null>
  /**
   * Sessions of one user, or of everyone (null), not expired by `now`. By username, then by expiry, the latest first.
   */
  list(username: string | null, now: number): Promise<OpenSession[]>
  /** Does nothing when there is no such session. `audit` is written in the same commit. */
  end(idHash: string, audit?: AuditEntry): Promise<void>
  /** Deletes sessions that have expired by `now`. */
  prune(now: number): Promise<void>
  /**
   * A number that grows whenever any process may have ended a session or token early, or changed what its user may see (the
   * department). Open streams check it.
   */
  accessChanges(): Promise<number>
}

/** Accounts at single sign-on providers. */
export interface IdentityStore {
  /** The id of the user to whom this account is linked; null for none. */
  find(issuer: string, subject: string): Promise<number | null>
  /**
   * False, with nothing changed, when the account is linked already, when the user has another account at this
   * provider, or when the user has left. `audit` is written in the same commit.
   */
  link(identity: Identity, audit?: AuditEntry): Promise<boolean>
  /** Removes all links of the user. Returns how many there were; `audit` is written unless there were none. */
  unlink(userId: number, audit?: AuditEntry): Promise<number>
}

/** Second factors, and the recovery codes that replace a lost one. */
export interface SecondFactorStore {
  /** Ascending by id. */
  of(userId: number): Promise<SecondFactor[]>
  /** The secret that the user is setting up; null when there is none, or when it has expired by `now`. */
  setupOf(userId: number, now: number): Promise<TotpSetup | null>
  /** Replaces an earlier setup. */
  beginSetup(userId: number, setup: TotpSetup): Promise<void>
  /**
   * Adds a factor, ends the setup of one-time codes, and ends every session and token of the user except `kept`. Null,
   * with nothing changed, when somebody already has this passkey. Here and below, `notice` is enqueued in the same
   * commit.
   * @throws DomainError `bad_credentials` when `kept`, the credential of the request, has ended meanwhile; `remove` and
   *   `replaceRecoveryCodes` throw it too
   */
  add(
    userId: number,
    factor: NewSecondFactor,
    kept: KeptCredential,
    audit: AuditEntry,
    notice?: NewJob,
  ): Promise<SecondFactor | null>
  /**
   * Uses up the challenge of a log-in, and the code or signature that answers it. Stores the time of use. False, with
   * nothing changed, when one of them was used before or has ended.
   */
  use(userId: number, use: FactorUse, challenge: SpentToken, at: number, audit?: AuditEntry): Promise<boolean>
  /**
   * Removes a factor, and with the last factor the recovery codes too. Ends every session and token of the user except
   * `kept`. False, with nothing changed, when the user has no such factor.
   */
  remove(userId: number, id: number, kept: KeptCredential, audit: AuditEntry, notice?: NewJob): Promise<boolean>
  /**
   * Removes all factors, recovery codes and the setup, and ends all sessions and tokens of the user. Returns the number
   * of factors.
   */
  reset(userId: number, audit: AuditEntry, notice?: NewJob): Promise<number>
  recoveryCodesLeft(userId: number): Promise<number>
  /** Replaces the recovery codes. False, with nothing changed, when the user has no second factor. */
  replaceRecoveryCodes(
    userId: number,
    codeHashes: readonly string[],
    credential: KeptCredential,
    audit: AuditEntry,
  ): Promise<boolean>
  /** Deletes setups that have expired by `now`. */
  pruneSetups(now: number): Promise<void>
}

/** Provisioning by a directory (SCIM): the external ids of people, and the list of accounts that it reads. */
export interface ProvisionedStore {
  /** The id of the user with this external id; null for none. */
  find(externalId: string): Promise<number | null>
  /** By user id. Users without an external id are left out. */
  externalIds(userIds: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Null removes the id. @throws DomainError `external_id_taken` */
  setExternalId(userId: number, externalId: string | null): Promise<void>
  /** Accounts that are not erased, ascending by id: at most `limit` after the first `skip`, and how many there are. */
  page(skip: number, limit: number): Promise<{ readonly users: readonly User[]; readonly total: number }>
}

/**
 * API tokens, by the hash of their secret. Whatever ends the access tokens of a user deletes the user's personal API tokens
 * in the same commit; a deactivation deletes all of them.
 */
export interface ApiTokenStore {
  /**
   * @throws DomainError `too_many_tokens` when the account has `max` of this kind; `bad_credentials` when its access tokens
   * have ended since it asked; `user_not_found` for a service token when the account was deactivated
   */
  create(token: NewApiToken, max: number, audit: AuditEntry, once?: Once<ApiToken>): Promise<ApiToken>
  /** Finds expired tokens too. */
  find(hash: string): Promise<ApiToken | null>
  /** Tokens of one account or of all (null), of one kind or of both (null), including expired ones. Ascending by id. */
  list(userId: number | null, kind: ApiTokenKind | null): Promise<ApiToken[]>
  /** False, with nothing changed, when there is no such token. */
  revoke(id: number, audit: AuditEntry): Promise<boolean>
  /** Stores when and from where tokens were last used. Ignores tokens that no longer exist. */
  saveUses(uses: readonly ApiTokenUse[]): Promise<void>
  /** Deletes tokens that expired before this time. */
  prune(expiredBefore: number): Promise<void>
}

/**
 * Rate limits, counted for all processes together. A window whose end is more than two window lengths ahead was begun
 * by a wrong clock, and counts as over.
 */
export interface RateLimitStore {
  /** When the last of the full windows ends; null when none is full. Takes no lock. */
  fullUntil(limits: readonly RateLimit[], now: number): Promise<number | null>
  /**
   * Counts one event for each limit, or for none when a window is full. At most `maxWindows` windows of each kind are
   * stored (auth/rate-limiter.ts); the ones that end first are deleted.
   */
  count(limits: readonly RateLimit[], now: number): Promise<CountResult>
  /** Removes events from the windows in which they were counted. Ignores windows that are over. */
  takeBack(events: readonly CountedEvent[]): Promise<void>
  /** Deletes windows that are over by `now`. */
  prune(now: number): Promise<void>
}

/** Finding people. */
export interface PeopleStore {
  /**
   * People whose name or username contains every word, without regard to case and accents. People in whom every word begins
   * the username or a word of the name come first; within both groups, people are sorted by name.
   */
  search(query: PeopleSearch): Promise<PeoplePage>
  /**
   * Departments with active members (default), inactive ones or any (null), and the number of these. Sorted by name.
   */
  departments(active?: boolean | null): Promise<Department[]>
  /** Ids of the inactive accounts. */
  inactive(): Promise<ReadonlySet<number>>
  /** In the order of `ids`. */
  summaries(ids: readonly number[]): Promise<readonly PersonSummary[]>
  /** Updates the search index now, so that the next search need not. */
  refresh(): Promise<void>
}

/** Options of `post` and similar methods. They take effect in the same commit. */
export interface PostOptions {
  /**
   * When the key's owner (by default the sender) has used it and it has not expired by the transaction's `date`, the
   * request is a replay.
   */
  readonly idempotencyKey?: IdempotencyKey | undefined
  readonly audit?: AuditEntry | undefined
  /**
   * How many requests the sender may make in a window of time, over all processes. Every request counts, including
   * refused ones and replays. Beyond the limit, only replays are answered. A window whose end is more than two
   * window lengths ahead was begun by a wrong clock, and counts as over.
   */
  readonly limit?: RequestLimit | undefined
}

/** The ledger: append-only, with the balances that follow from it. */
export interface LedgerStore {
  /**
   * Locks the ledger, runs `check` on both balances, appends the transaction and updates both balances: all or nothing.
   *
   * If `check` throws, this transaction alone is refused and stores nothing, apart from the count of requests
   * (`limit`). The same happens when the sender or receiver has left (`checkStillActive`). A `date` earlier than the
   * last transaction's is replaced by that date, so that the order by date is the order by id. The `check` of a
   * reversal also gets how many points earlier reversals of the same transaction moved back. A replay posts nothing;
   * the result is the transaction of the first request, without its note, which the caller knows.
   * @throws DomainError `key_reused` when the key was used for another request; `too_many_transfers` beyond the limit;
   *   `bad_credentials` when the sender has left, `user_not_found` when the receiver has
   */
  post(
    transaction: NewTransaction,
    check: (balances: Balances, reversed: number) => void,
    options?: PostOptions,
  ): Promise<Transaction & Pick<PostResult, "replayed">>
  /**
   * Like `post`, for several transactions of one sender: appends all of them, adjacent and in this order, or none.
   * `check` gets the balance of everyone who takes part.
   */
  postAll(
    transactions: readonly NewTransaction[],
    check: (balanceOf: BalanceOf) => void,
    options?: PostOptions,
  ): Promise<PostResult>
  /** Like `post`, for the last transaction of a sender who leaves: the same commit deactivates the sender's account and
   *  ends all sessions and tokens. */
  postLast(transaction: NewTransaction, check: (balances: Balances) => void, audit?: AuditEntry): Promise<Transaction>
  /**
   * Appends the transactions of one slice of an allowance's run and stores how far the run has come, in one commit.
   * `shareOf` says how many points of a receiver expire, and how many the receiver gets; the pockets and the balance of
   * the sender that it is given include the transactions before. For 0 points, or for a receiver who has left meanwhile,
   * nothing is appended. Null, with nothing changed, when the run is finished or is not at `afterId`, because another
   * process has paid the slice.
   */
  payRun(
    slice: RunSlice,
    shareOf: (receiver: Pockets, senderBalance: number) => Share,
  ): Promise<readonly Transaction[] | null>
  /**
   * Redeems a reward in one commit: posts the cost that it has at that moment, takes one from its stock, and stores the
   * redemption and its jobs. `check`, idempotency key and limit work as for `post`.
   * @throws DomainError `reward_not_found`, `key_reused`, `too_many_transfers`
   */
  redeem(
    redemption: NewRedemption,
    check: (context: RedemptionContext) => void,
    options?: PostOptions,
  ): Promise<Transaction & Pick<PostResult, "replayed">>
  /**
   * Declines a redemption in one commit: posts `refund`, puts one back into the stock, and stores answer and jobs.
   * @throws DomainError `not_requested` when it has been answered; and what `check` throws
   */
  refund(
    refund: NewTransaction,
    answer: RedemptionAnswer,
    check: (balances: Balances) => void,
    options?: Pick<PostOptions, "idempotencyKey">,
  ): Promise<Transaction>
  /**
   * The result of the first request under this key; null when the key is unused or has expired by `now`.
   * @throws DomainError `key_reused`, as `post`
   */
  findReplay(senderId: number, idempotencyKey: IdempotencyKey, now: number): Promise<PostResult | null>

  /** Null when there is none with this id. */
  entry(id: number): Promise<TransactionEntry | null>
  /** Newest first, at most `limit`. */
  entries(query: EntryQuery): Promise<TransactionEntry[]>
  /** One page of the history, with the exact total. */
  page(query: HistoryPageQuery): Promise<Page<TransactionRecord>>
  /** Transactions with a higher id, ascending, at most `limit`. Once an id was returned, no lower one appears later. */
  after(id: number, limit: number): Promise<StreamEntry[]>
  /** 0 for an empty ledger. */
  lastId(): Promise<number>
  /** Calls `listener` soon after each commit of this process that appended transactions. Returns a function to stop. */
  onAppend(listener: () => void): () => void
}

/**
 * Requests under idempotency keys. The methods that make something store them: those that get `once` (see `Once`), and
 * those of the ledger (see `PostOptions`).
 */
export interface IdempotencyStore {
  /**
   * The request under this key; null when the key is unused or has expired by `now`. `made` is what `Once` sealed; null for
   * a request that posted transactions.
   */
  find(
    ownerId: number,
    key: string,
    now: number,
  ): Promise<{ readonly requestHash: string; readonly made: string | null } | null>
  /** Deletes keys that have expired by `now`. */
  prune(now: number): Promise<void>
}

/** Allowances and their runs, which `LedgerStore.payRun` pays. A removed allowance can be found only through `runs`. */
export interface AllowanceStore {
  /** Ascending by id. */
  list(): Promise<ListedAllowance[]>
  /** Those whose audience includes this user, ascending by id. */
  listFor(user: Pick<User, "id" | "dept">): Promise<ListedAllowance[]>
  /** The usernames of the people whom an allowance names, ascending by id. */
  usernamesOf(id: number): Promise<string[]>
  find(id: number): Promise<Allowance | null>
  create(allowance: NewAllowance, audit: AuditEntry, once?: Once<Allowance>): Promise<Allowance>
  /**
   * Stores everything that `change` returns except `lastRunAt`. `change` gets the allowance as it is while it is locked.
   * Returns what was stored; null when there is none with this id.
   * @throws what `change` throws
   */
  update(
    id: number,
    change: (before: Allowance) => { readonly after: Allowance; readonly audit: AuditEntry },
  ): Promise<Allowance | null>
  /** False when there is none with this id. A run that has begun goes on. */
  remove(id: number, now: number, audit: AuditEntry): Promise<boolean>
  /**
   * Begins the run of a period, with the points, reason and audience that the allowance has at that moment. Null, with
   * nothing changed, when the period has a run or there is no such allowance. An automatic run (with a `dueAt`) is also
   * not begun when the allowance is paused or no longer due.
   */
  begin(run: NewRun, audit?: AuditEntry, once?: Once<AllowanceRun>): Promise<AllowanceRun | null>
  /** Null when the period has none. */
  runOf(allowanceId: number, period: PeriodKey): Promise<AllowanceRun | null>
  /** Runs that have begun and are not finished, ascending by id. */
  unfinished(): Promise<AllowanceRun[]>
  /** Newest first, at most `limit`, with ids below `before`. */
  runs(
    allowanceId: number,
    query: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<AllowanceRun[]>
  /** Active members of an audience with a higher id, ascending, at most `limit`. */
  receivers(audience: Audience, afterId: number, limit: number): Promise<AudienceMember[]>
}

/** The catalogue of rewards. `LedgerStore.redeem` and `LedgerStore.refund` move points for it. */
export interface RewardStore {
  /** Ascending by id. */
  list(): Promise<Reward[]>
  find(id: number): Promise<Reward | null>
  create(reward: NewReward, audit: AuditEntry, once?: Once<Reward>): Promise<Reward>
  /** Sets the fields that are given. Null when there is none with this id. */
  update(id: number, change: RewardChange, audit: AuditEntry): Promise<Reward | null>
  /** Sets the reward's picture. Null when there is no such reward. A picture that is no longer used is deleted. */
  savePicture(id: number, picture: Picture, audit: AuditEntry): Promise<Reward | null>
  /** How many redemptions of each reward, by its id, a person has. Declined ones do not count. */
  redeemedBy(userId: number): Promise<ReadonlyMap<number, number>>
  redemption(id: number): Promise<Redemption | null>
  /** Newest first. */
  redemptions(query: RedemptionQuery): Promise<Redemption[]>
  /** Fulfils a redemption, and stores answer and jobs. False, with nothing changed, when it has been answered. */
  fulfil(answer: RedemptionAnswer, once?: Once<true>): Promise<boolean>
}

/** The ledger as people see it: with names, avatars and notes. */
export interface RecognitionStore {
  /** Entries of the feed, newest first, at most `limit`. */
  newest(query: RecognitionQuery): Promise<Recognition[]>
  /**
   * The entry to which this transaction belongs: for a group, any of its transfers finds it. Null when there is no such
   * transaction. One of another kind is an entry of its own, which is no recognition.
   */
  find(transactionId: number): Promise<Recognition | null>
  /**
   * Transactions of every kind with a higher id, ascending, at most `limit`: a follower must see each id. The first transfer
   * of a group is the whole entry (`isFeedEntry`).
   */
  after(id: number, limit: number): Promise<Recognition[]>
}

/** Reactions and replies to recognitions. */
export interface ResponseStore {
  /** Responses by id of the recognition, as `viewerId` sees them. Recognitions without any are left out. */
  to(recognitionIds: readonly number[], viewerId: number): Promise<ReadonlyMap<number, Responses>>
  /** Does nothing when the user has already reacted with this emoji. */
  react(recognitionId: number, userId: number, emoji: string): Promise<void>
  /** Does nothing when the user has not reacted with this emoji. */
  takeBackReaction(recognitionId: number, userId: number, emoji: string): Promise<void>
  /** Stores a reply. Its id is higher than the ids of all replies and notifications so far. */
  reply(reply: NewReply, once?: Once<Reply>): Promise<Reply>
  /** Null when there is no reply with this id, or when it was deleted. */
  findReply(id: number): Promise<Reply | null>
  /** The newest `limit` replies to a recognition, hidden ones included, ascending. */
  replies(recognitionId: number, limit: number): Promise<Reply[]>
  /** Erases the text. Does nothing when there is no such reply. */
  deleteReply(id: number): Promise<void>
  hideReply(id: number, isHidden: boolean, audit: AuditEntry): Promise<void>
}

/** What is new for a user: recognitions received, and replies to recognitions sent or received, without hidden ones. */
export interface NotificationStore {
  /** Newest first, at most `limit`, with ids below `before`. */
  newest(
    userId: number,
    query: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<Notification[]>
  /** How many the user has not seen, at most `max`. */
  unread(userId: number, max: number): Promise<number>
  /** The newest notification that the user has seen; 0 for none. */
  seenThrough(userId: number): Promise<number>
  /** Marks the notifications up to this one as seen. Does nothing when later ones are marked already. */
  saveSeen(userId: number, throughId: number): Promise<void>
}

/** Totals for leaderboards and statistics. */
export interface StatisticsStore {
  /** Transactions with a higher id, ascending, at most `limit`. */
  transactionsAfter(id: number, limit: number): Promise<readonly CountedTransaction[]>
  /** A user's totals of recognition (see `countedAs`) and the balance at the end of each day, for `days` days from
   *  `firstDay` on. Days are those of the store's time zone. */
  daysOf(userId: number, firstDay: number, days: number): Promise<DayTotals[]>
  /** Leaves out snapshots that are damaged or of another time zone; the caller rebuilds them. */
  loadSnapshots(): Promise<readonly LeaderboardSnapshot[]>
  /** A snapshot replaces the stored one of its period, unless that includes more transactions in the same time zone. */
  saveSnapshots(snapshots: readonly LeaderboardSnapshot[]): Promise<void>
}

/** Recognition of the whole service within days of `service.time_zone`. */
export interface InsightStore {
  /** Ascending by month; months without recognition are absent. */
  participation(days: DayRange): Promise<Participation[]>
  /** Recognition by department of the sender and of the receiver. In no order. */
  departments(days: DayRange): Promise<DepartmentRecognition[]>
  /** A recognition with several tags counts for each. In no order. */
  tags(days: DayRange): Promise<TagRecognition[]>
  /** Every active person, ascending by id. */
  people(days: DayRange): Promise<PersonRecognition[]>
}

/** Reads for exports. Rows come in slices, between which the event loop runs; memory holds one slice at a time. */
export interface ExportStore {
  /** Matching transactions as of the first slice, ascending by id. */
  transactions(filter: HistoryFilter): AsyncGenerator<TransactionRecord[], void>
  /** Everyone as of the first slice, ascending by id. */
  users(): AsyncGenerator<UserWithBalance[], void>
  /** Everything stored about the user except transactions and hashes of credentials, one list after the other. A long
   *  list comes in several slices. */
  personalRows(user: Pick<User, "id" | "username" | "email">): AsyncGenerator<PersonalSlice, void>
}

/** The audit log. Entries cannot be changed. */
export interface AuditStore {
  /** All in one commit. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** Ascending by id, which is the order of writing. */
  list(query: AuditQuery): Promise<AuditRecord[]>
  /** Deletes entries from before this time. The database refuses every other deletion. */
  prune(before: number): Promise<void>
}

/** The queue of background jobs. */
export interface JobStore {
  enqueue(job: NewJob): Promise<Job>
  /**
   * Leases the job that has been due longest to `worker` for `leaseMs`: one that is available, or whose lease has
   * ended. When none is due, one of a wrong clock is (`latestDueAt` in jobs.ts). The claim counts as an attempt; a job without attempts left is discarded instead. Null when nothing is due.
   */
  claim(worker: string, now: number, leaseMs: number): Promise<Job | null>
  /** Stores how an attempt ended. False, with nothing changed, when `worker` no longer holds the lease. */
  settle(id: number, worker: string, outcome: JobOutcome, now: number): Promise<boolean>
  /** The last stored progress of work that enqueues jobs at intervals (see `JobProgress`); null when it never ran. */
  progressOf(work: string): Promise<string | null>
  /** Enqueues jobs and stores the new progress in one commit. False, with nothing changed, if it is not at `from`. */
  advance(progress: JobProgress, jobs: readonly NewJob[]): Promise<boolean>
  /** Deletes jobs that finished before these times. */
  prune(before: { readonly completed: number; readonly discarded: number }): Promise<void>
}

/** Who wants which mail about recognition. */
export interface MailStore {
  /** `defaultMailChoice` for a person who never chose. */
  choiceOf(userId: number): Promise<MailChoice>
  /** Sets the fields that are given. */
  choose(userId: number, change: MailChoiceChange): Promise<MailChoice>
  /** Active people with a higher id who have one of these frequencies, chosen or by default, ascending, at most `limit`. */
  readers(frequencies: readonly MailFrequency[], afterId: number, limit: number): Promise<MailReader[]>
  /** Ids of recognitions with `after` < id <= `through` whose receiver is active and has chosen `each`, ascending. */
  recognitionsToMail(after: number, through: number): Promise<number[]>
}

/**
 * Events for webhooks and `GET /api/v1/events`. Those of users and redemptions are recorded in the commit of the
 * change.
 */
export interface EventStore {
  /** Records the events of at most `limit` transactions that have none yet, in one commit. Returns their number. */
  recordTransactions(limit: number, now: number): Promise<number>
  /** Events with a higher id, ascending, at most `limit`. Once an id was returned, no lower one appears later. */
  after(id: number, limit: number): Promise<RecordedEvent[]>
  /** 0 when there was none yet. */
  lastId(): Promise<number>
  /** The id of the last event recorded before this time; 0 when there is none. */
  lastBefore(time: number): Promise<number>
  /** Deletes events recorded before this time. */
  prune(before: number): Promise<void>
}

/** Webhooks and their deliveries. A method that takes an `audit` entry writes it in the same commit. */
export interface WebhookStore {
  /** Ascending by id. */
  list(): Promise<Webhook[]>
  find(id: number): Promise<Webhook | null>
  /** The webhook gets the events of what happens from now on. */
  create(webhook: NewWebhook, audit: AuditEntry, once?: Once<Webhook>): Promise<Webhook>
  /**
   * Sets the fields that are given and resets the failures, so that the next attempt is due now. Null when there is
   * none.
   */
  update(id: number, change: WebhookChange, audit: AuditEntry, once?: Once<Webhook>): Promise<Webhook | null>
  /** Deletes the webhook and its deliveries. False when there is none with this id. */
  remove(id: number, audit: AuditEntry): Promise<boolean>

  delivery(id: number): Promise<Delivery | null>
  /** Newest first. */
  deliveries(
    webhookId: number,
    query: {
      readonly state?: DeliveryState | undefined
      readonly before?: number | undefined
      readonly limit: number
    },
  ): Promise<Delivery[]>
  /** Adds a delivery that has not been attempted. */
  enqueue(webhookId: number, eventId: number, audit: AuditEntry, once?: Once<Delivery>): Promise<Delivery>
  /**
   * Skips a waiting delivery and resets the failures of its webhook, so that the next delivery is due now. Null when
   * the delivery is not waiting.
   */
  skip(id: number, audit: AuditEntry): Promise<Delivery | null>
  /** Adds a delivery that was attempted outside a round, such as a test. Null when the webhook no longer exists. */
  saveAttempt(webhookId: number, attempted: Omit<Attempted, "deliveryId">): Promise<Delivery | null>

  /**
   * Leases one webhook to `owner`: active, with something to deliver, and with its next attempt due by `now`. Of
   * several, the one that has waited longest. Null when there is none. A lease that ends later than two leases from now,
   * and an attempt that is due later than a pause can last (`latestRetryAt`), were dated by a wrong clock: they are due.
   */
  claim(owner: string, now: number, leaseMs: number): Promise<Webhook | null>
  /** Deliveries in state `waiting`, ascending by id, at most `limit`. */
  waiting(webhookId: number, limit: number): Promise<Delivery[]>
  /**
   * Stores the attempts of a round and ends the lease. `lost`, with nothing changed, when `owner` no longer holds it.
   * `changed` when somebody changed the webhook during the round: then its failures do not count. A delivery that was
   * skipped meanwhile stays skipped unless it arrived.
   */
  settle(round: WebhookRound, audit?: AuditEntry): Promise<"stored" | "changed" | "lost">
  /** Keeps the newest `kept` finished deliveries of each webhook. */
  prune(kept: number): Promise<void>
}

/**
 * Work that one process does for all processes, at intervals. Times further ahead than two intervals or leases were
 * written by a wrong clock, and count as past.
 */
export interface ScheduleStore {
  /**
   * Leases the work to `owner` when it is due by `now` and nobody holds it; for its owner, extends the lease. Work that was
   * never done is due. When an owner ends without `settle`, the work is free again after the lease.
   */
  claim(work: ScheduledWork, owner: string, now: number): Promise<boolean>
  /** Ends the lease and sets when the work is next due. False, with nothing changed, when `owner` no longer holds it. */
  settle(name: string, owner: string, dueAt: number): Promise<boolean>
}

/** For monitoring. Not part of `Store`, because no rule needs it. */
export interface StoreHealth {
  /**
   * Writes a page that stays as it was, durably. Null when it succeeds, otherwise the reason, without file names and
   * secrets.
   */
  checkWritable(): Promise<string | null>
  read(now: number): Promise<StoreReading>
}
