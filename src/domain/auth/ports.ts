import type { AuditEntry } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { KeptCredential, SpentToken } from "../people/credentials.ts"
import type {
  ApiToken,
  ApiTokenKind,
  ApiTokenUse,
  CountedEvent,
  CountResult,
  FactorUse,
  Identity,
  NewApiToken,
  NewSecondFactor,
  NewSession,
  OpenSession,
  RateLimit,
  SecondFactor,
  Session,
  TotpSetup,
} from "./model.ts"

/** Cookie sessions. */
export interface SessionStore {
  /**
   * Stores a session, and ends the one with the hash `replaces`, and the oldest ones of the user beyond `maxSessions`. If the same
   * user had the replaced session, its devices for notifications belong to the new one.
   * `refreshVersion` is the user's at the time of the log-in.
   * @throws DomainError `bad_login` when it has changed since: every change that ends all sessions of a user, or all but one, changes it
   */
  open(session: NewSession, replaces: string | null, refreshVersion?: number): Promise<void>
  /** Null when there is no such session, or when it has expired by `now`. */
  find(idHash: string, now: number): Promise<Session | null>
  /**
   * Sessions of one user, or of everyone (null), not expired by `now`. By username, then by expiry, the latest first.
   */
  list(username: string | null, now: number): Promise<OpenSession[]>
  /** Those with this `providedBy`, not expired by `now`. */
  ofLogin(providedBy: string, now: number): Promise<Session[]>
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
