import type { AuditEntry, EntryOf } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { KeptCredential, LoginSource, PasswordChange, SpentToken } from "./credentials.ts"
import type { ManagedUser } from "./managers.ts"
import type {
  BalanceOf,
  Department,
  Erasure,
  FormerUsername,
  NewUser,
  PeoplePage,
  PeopleSearch,
  PersonSummary,
  Picture,
  Pockets,
  ProfileChange,
  RenamedDept,
  StoredCorrection,
  User,
  UserChanges,
  UserKeys,
  UserWithBalance,
} from "./model.ts"

/**
 * Accounts, their credentials, and their balances. A method that takes an `audit` entry writes it in the same commit.
 * Methods that take a `userId` expect it to exist: users are never deleted.
 */
export interface UserStore {
  // Reading

  /** The exact username. */
  byUsername(username: string): Promise<User | null>
  /** Who had this exact username before, if nobody else can have it yet. Nobody who was erased. */
  formerly(username: string, now: number): Promise<User | null>
  /** Those of `usernames` that somebody had before, and nobody else can have yet, with who that is. */
  formerlyAmong(usernames: readonly string[], now: number): Promise<readonly FormerUsername[]>
  /** The usernames that this user had before, and nobody else can have yet. */
  formerOf(userId: number, now: number): Promise<readonly string[]>
  /** Changes of usernames by their ids; those of erased people are missing. */
  renames(ids: readonly number[]): Promise<readonly FormerUsername[]>
  /** Compared without regard to case. */
  byEmail(email: string): Promise<User | null>
  /** Everyone with this username or e-mail address, both without regard to case. Ascending by id. */
  byLoginName(name: string): Promise<User[]>
  /** In the order of `userIds`, all of which must exist. */
  byIds(userIds: readonly number[]): Promise<User[]>
  /** These users and everybody above them: their managers, the managers of those, and so on. */
  managersAbove(userIds: readonly number[]): Promise<ManagedUser[]>
  /**
   * Ids of active people who report to this user, or also of those below them: those nearest to the user first, at most
   * `limit`.
   */
  reportsOf(userId: number, depth: "direct" | "all", limit: number): Promise<number[]>
  /** How many active people report to this user. */
  countReports(userId: number): Promise<number>
  /** Active members of a department, ascending by id, at most `limit`. */
  inDept(dept: string, limit: number): Promise<User[]>
  /** Their ids. */
  idsInDept(dept: string, limit: number): Promise<number[]>
  /** Everybody who has duties, ascending by id. */
  withDuties(): Promise<User[]>
  /**
   * Active people with an id above `after` who never logged in: nobody has set a password of theirs, and no account at a provider
   * is linked. Ascending by id.
   */
  neverLoggedIn(range: { readonly after: number; readonly limit: number }): Promise<User[]>
  /** Ids of those among these who are linked to an account at a provider, or whom somebody has thanked. */
  withHistory(userIds: readonly number[]): Promise<readonly number[]>
  /**
   * The revision of all users: a text that changes with each commit, of any process, that changes a user or erases words.
   * Ask for it before reading. What was read stays valid as long as the revision is the same.
   */
  revision(): Promise<string>
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
   * Stores the jobs in the same commit. A former username of somebody else, which nobody can have yet at the time of `audit`, is
   * taken.
   * @throws DomainError `username_taken`, `username_lookalike`; `integrity` when the e-mail address is taken
   */
  create(user: NewUser, audit?: AuditEntry, jobs?: readonly NewJob[], once?: Once<User>): Promise<User>
  /**
   * Sets the fields that are given, at least one.
   * @throws DomainError `name_lookalike` when `namesakes` is "refuse" and the new name looks like another person's
   */
  updateProfile(
    userId: number,
    profile: ProfileChange,
    audit?: EntryOf<User>,
    namesakes?: "allow" | "refuse",
  ): Promise<User>
  /** Stores the picture and makes it the user's avatar. A picture that is no longer anyone's avatar is deleted. */
  saveAvatar(userId: number, picture: Picture, audit?: EntryOf<User>): Promise<User>
  /**
   * Sets the fields that are given, at least one. A changed e-mail address ends refresh, reset and invitation tokens in the
   * same commit. Sessions follow a changed username. Namesakes are allowed.
   * @throws DomainError `username_taken`, `username_lookalike`, `email_taken`, `erased`, `manager_cycle`; `invalid` when the
   * manager has left
   */
  correct(
    userId: number,
    correction: StoredCorrection,
    audit?: readonly AuditEntry[] | ((before: User, after: User) => readonly AuditEntry[]),
  ): Promise<User>
  /**
   * Changes the department of everybody in `from`, including people who left, and of the allowances for it, to `to`.
   * @throws DomainError `dept_being_paid` while a run of one of these allowances is not finished
   */
  renameDept(from: string, to: string, audit: AuditEntry): Promise<RenamedDept>
  saveTemplates(userId: number, reasons: readonly string[]): Promise<void>
  /**
   * Deactivates an account, or reactivates it (null). Ends all sessions, tokens and duties in the same commit. Those who report to
   * somebody who leaves report to that person's manager from then on.
   * @throws DomainError `erased` when an erased account is to be reactivated
   */
  setActive(userId: number, deactivatedAt: number | null, audit?: AuditEntry): Promise<User>
  /**
   * Erases a person: replaces username, name, e-mail address and password, also the username in audit entries, and
   * deletes the data that src/storage/people/personal-data.ts lists. Transactions stay, and their hashes stay valid;
   * `erasure.reasons` says which of their reasons are erased; the texts of replies and redemptions are erased in the
   * same way. Where the store writes files, none of them holds the erased data afterwards. A person can be erased
   * again.
   * @throws DomainError `still_active`
   */
  erase(userId: number, erasure: Erasure, audit: AuditEntry): Promise<void>
  /** Users with exactly any of these names, in any order. */
  named(names: readonly string[]): Promise<User[]>
  /** Users with any of these usernames or e-mail addresses. An import is planned against them. */
  matching(keys: UserKeys): Promise<User[]>
  /**
   * Applies an import in one commit. False, with nothing changed, when a user to update is no longer as `before`, or when
   * somebody else has taken a username or address meanwhile: then plan the import again.
   * @throws DomainError `username_lookalike`, `username_taken` (a former one of somebody else)
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

/** Provisioning by a directory (SCIM): the external ids of people, and the list of accounts that it reads. */
export interface ProvisionedStore {
  /** The id of the user with this external id; null for none. */
  find(externalId: string): Promise<number | null>
  /** By user id. Users without an external id are left out. */
  externalIds(userIds: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Null removes the id. @throws DomainError `external_id_taken` */
  setExternalId(userId: number, externalId: string | null): Promise<void>
  /**
   * Accounts that are not erased, ascending by id: at most `limit` after the first `skip`, and how many there are. Ends, and
   * throws the reason, when the signal aborts.
   */
  page(
    skip: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ readonly users: readonly User[]; readonly total: number }>
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
  /** Stores what searches compare of people of whom it is unknown, so that the next search need not. */
  fillSearchKeys(): Promise<void>
}
