import type { Clock } from "../clock.ts"
import { DomainError, isOutage } from "../errors.ts"
import type { SpentToken } from "../people/credentials.ts"
import { usernameKey } from "../people/fields.ts"
import { takesPart, type User } from "../people/model.ts"
import { hasDuty, isSuperuser, ownAccount, requireOwn } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import { type ApiTokens, secretPrefix } from "./api-tokens.ts"
import { mayUsePassword, type PasswordLogin } from "./login-rights.ts"
import { type ApiToken, type TokenScope, tokenScopes } from "./model.ts"
import type { SecondFactors } from "./second-factors.ts"
import type { Holder, Sessions } from "./sessions.ts"
import { hashOfToken, type Tokens } from "./tokens.ts"

/** The credentials of a request, as presented. */
export interface Credentials {
  /** The cookie `session_id`. */
  readonly sessionId: string | null
  /** The whole header `Authorization`. */
  readonly authorization: string | null
  /** Whether an access token must have been issued for a password. Superusers and sessions are exempt. */
  readonly fresh: boolean
  /** The client's IP address. */
  readonly address: string
}

/** The scope that an endpoint requires of an API token. `nobody`: no API token may use it. */
export type RequiredScope = TokenScope | "nobody"

/** An authenticated user, and the credential of this request: a session, an access token or an API token. */
export interface Caller extends Holder {
  /** When the session or token expires, in milliseconds since the epoch; Infinity for never. */
  readonly expiresAt: number
  /** The API token; null when anything else was used. */
  readonly apiToken: ApiToken | null
}

/** Permission to change one user's password. It says which credentials the change must end and keep. */
export interface PasswordGrant {
  readonly target: User
  /** Username of the person who changes it; null when a reset token allows it. */
  readonly by: string | null
  /** Whether users change their own password. Only then, access tokens and this session stay valid. */
  readonly bySelf: boolean
  /** Hash of the id of the session that stays open. */
  readonly keepSession: string | null
  /** The reset token that the change uses up. */
  readonly spends: SpentToken | null
}

/** For the operator on the command line. Like a change by a superuser, it ends all sessions and tokens of the user. */
export const grantToOperator = (target: User, operator: string): PasswordGrant => ({
  target,
  by: operator,
  bySelf: false,
  keepSession: null,
  spends: null,
})

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly clock: Clock
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly apiTokens: Pick<ApiTokens, "resolve">
  readonly secondFactors: Pick<SecondFactors, "isMissing">
  /** The settings `stream.access` and `stream.wall_key`. */
  readonly stream: { readonly access: "public" | "auth"; readonly wall_key: string | null }
  readonly passwordLogin: PasswordLogin
}

export type Access = ReturnType<typeof createAccess>

/**
 * Who is calling, and whom a name means to them. What a route demands besides is a row of http/guard-table.ts. Methods named
 * `to…` check in the order that docs/interface/errors.md promises: 404, then 403.
 */
export function createAccess({
  store,
  clock,
  tokens,
  sessions,
  secondFactors,
  apiTokens,
  stream,
  passwordLogin,
}: Dependencies) {
  const isWall = wallKeyCheck(stream.wall_key)

  /** Whether the stream of transactions needs no log-in, with this key of the wall or none. */
  const isStreamOpenTo = (wallKey: string | null): boolean => stream.access === "public" || isWall(wallKey)

  return {
    caller,
    /**
     * Like `caller`, but also accepts a user who must set up a second factor first. For the endpoints that set it up.
     */
    callerSettingUp,

    /** Like `caller`, but accepts only API tokens. @throws DomainError `bad_credentials` for any other credential */
    async callerWithApiToken(credentials: Credentials, required: RequiredScope): Promise<Caller> {
      const found = await caller(credentials, required)
      if (found.apiToken === null) throw new DomainError("bad_credentials")
      return found
    },

    /**
     * Requires that the caller logged in within the last 15 minutes. It protects actions that nobody may do in another person's open
     * browser.
     * @throws DomainError `login_not_recent`
     */
    async requireRecentLogin(caller: Caller): Promise<void> {
      const isRecent = await (caller.token === null ? sessions.isRecent(caller) : tokens.isRecent(caller.token))
      if (!isRecent) throw new DomainError("login_not_recent")
    },
    isStreamOpenTo,

    /** Who watches the stream of transactions; null where that needs no log-in. */
    watcher: async (
      wallKey: string | null,
      credentials: Credentials,
      required: RequiredScope,
    ): Promise<Caller | null> => (isStreamOpenTo(wallKey) ? null : await caller(credentials, required)),

    /** For public endpoints, where bad credentials count as no credentials.
     *  @throws DomainError `beyond_scope` */
    callerIfAny: (credentials: Credentials, required: RequiredScope): Promise<Caller | null> =>
      nullIfRefused(caller(credentials, required)),
    callerSettingUpIfAny: (credentials: Credentials, required: RequiredScope): Promise<Caller | null> =>
      nullIfRefused(callerSettingUp(credentials, required)),

    /** The user of this name, inactive or not. */
    findUser,

    /** The user who has this name, or had it before, inactive or not. */
    findByAnyName,

    /** The user of this name, if they can receive points. */
    findReceiver,

    /** The user of this name, inactive or not. `field`: where the body has the name.
     *  @throws DomainError `user_not_found` */
    toUser,

    /** The user of this name, who can receive points, with `orFormer` also of one that they had before. `field`: where the body
     *  has the name. @throws DomainError `user_not_found` */
    async toReceiver(username: string, field?: string, options?: { readonly orFormer: boolean }): Promise<User> {
      const user = await findReceiver(username, options)
      if (user === null) throw new DomainError("user_not_found", { field })
      return user
    },

    /** The user of this name, if the directory shows them to this caller. Only superusers see inactive people there.
     *  @throws DomainError `user_not_found` */
    async toListed(caller: Caller | null, username: string): Promise<User> {
      const user = await toUser(username)
      if (!takesPart(user) && !seesEverybody(caller)) throw new DomainError("user_not_found")
      return user
    },

    /** The user of this name, whose transactions the caller may read.
     *  @throws DomainError `user_not_found`, `not_own_transactions` */
    toHistory: (caller: Caller, username: string): Promise<User> =>
      ownAccount(store.users, caller.user, username, "not_own_transactions"),

    /**
     * Permission to change the password of this user. A usable reset token takes precedence over the caller's own
     * rights.
     * @throws DomainError `user_not_found`, `not_own_password`
     */
    async toPassword(caller: Caller | null, username: string, resetToken: string | null): Promise<PasswordGrant> {
      const target = (await findUser(username)) ?? (await renamedSince(username, resetToken))
      if (target === null) throw new DomainError("user_not_found")
      const spends = resetToken === null ? null : await usableReset(target, resetToken)
      if (spends) return { target, by: null, bySelf: false, keepSession: null, spends }
      if (caller === null) throw new DomainError("not_own_password")
      const { user, sessionHash } = caller
      requireOwn(user, target.id, "not_own_password")
      const bySelf = user.id === target.id
      return { target, by: user.username, bySelf, keepSession: bySelf ? sessionHash : null, spends: null }
    },
  }

  /**
   * The caller of a request. If there is a session cookie, other credentials are ignored (docs/interface/authentication.md).
   * The scope of an API token is checked here, for every endpoint, against `required`.
   * @throws DomainError `bad_session`, `session_user_missing`, `bad_credentials`, `second_factor_missing`,
   *   `beyond_scope`
   */
  async function caller(credentials: Credentials, required: RequiredScope): Promise<Caller> {
    const found = await callerSettingUp(credentials, required)
    const isMissing = secondFactors.isMissing(found.user)
    if (isMissing !== false && (await isMissing)) throw new DomainError("second_factor_missing")
    return found
  }

  async function callerSettingUp(credentials: Credentials, required: RequiredScope): Promise<Caller> {
    const { sessionId, authorization, fresh } = credentials
    if (sessionId !== null) {
      const { user, idHash, expiresAt } = await sessions.resolve(sessionId)
      return { user, sessionHash: idHash, token: null, expiresAt, apiToken: null }
    }
    const space = authorization?.indexOf(" ") ?? -1
    if (authorization === null || space < 0) throw new DomainError("bad_credentials")
    const token = authorization.slice(space + 1).trimStart() // some clients write several spaces
    if (token.startsWith(secretPrefix)) return callerWith(token, credentials, required)
    const { user, fresh: isFresh, expiresAt } = await tokens.verify(token, "access_token")
    if (fresh && !isFresh && !isSuperuser(user)) throw new DomainError("bad_credentials")
    return { user, sessionHash: null, token, expiresAt, apiToken: null }
  }

  async function callerWith(secret: string, credentials: Credentials, required: RequiredScope): Promise<Caller> {
    const { user, apiToken } = await apiTokens.resolve(secret, credentials.address)
    if (credentials.fresh && !isSuperuser(user)) throw new DomainError("bad_credentials")
    if (!permits(apiToken, user, required)) throw new DomainError("beyond_scope")
    const expiresAt = apiToken.expiresAt ?? Number.POSITIVE_INFINITY
    return { user: withDutiesOf(apiToken, user), sessionHash: null, token: null, expiresAt, apiToken }
  }

  function findUser(username: string): Promise<User | null> {
    return store.users.byUsername(usernameKey(username))
  }

  async function findByAnyName(username: string): Promise<User | null> {
    return (await findUser(username)) ?? store.users.formerly(usernameKey(username), clock())
  }

  async function findReceiver(username: string, { orFormer = false } = {}): Promise<User | null> {
    const user = orFormer ? await findByAnyName(username) : await findUser(username)
    return takesPart(user) ? user : null
  }

  async function toUser(username: string, field?: string): Promise<User> {
    const user = await findUser(username)
    if (!user) throw new DomainError("user_not_found", { field })
    return user
  }

  /** The user of a reset token that names them by this username, which they no longer have. */
  async function renamedSince(username: string, resetToken: string | null): Promise<User | null> {
    if (resetToken === null) return null
    try {
      const { user, subject } = await tokens.verify(resetToken, "pwd_reset")
      return subject === usernameKey(username) ? user : null
    } catch (error) {
      if (error instanceof DomainError) return null
      throw error
    }
  }

  /**
   * Null when the token does not allow a change of this user's password, was used before, or this user may not log in
   * with a password.
   */
  async function usableReset(target: User, resetToken: string): Promise<SpentToken | null> {
    const tokenHash = hashOfToken(resetToken)
    try {
      const { user, expiresAt, version } = await tokens.verify(resetToken, "pwd_reset")
      const isUsable =
        user.id === target.id && mayUsePassword(passwordLogin, target) && !(await store.users.isSpent(tokenHash))
      return isUsable ? { tokenHash, expiresAt, version } : null
    } catch (error) {
      if (error instanceof DomainError) return null
      throw error
    }
  }
}

/** Each scope includes those before it. `admin` counts only while the account is a superuser's. */
function permits({ scopes }: ApiToken, user: User, required: RequiredScope): boolean {
  if (required === "nobody") return false
  if (required === "admin" && !isSuperuser(user)) return false
  return tokenScopes.slice(tokenScopes.indexOf(required)).some((scope) => scopes.includes(scope))
}

/**
 * The owner of an API token, with the duties that the token carries: it reads what they open if it can only read. A program
 * that gives points has none of them.
 */
const withDutiesOf = ({ scopes }: ApiToken, user: User): User =>
  scopes.every((scope) => scope === "read") ? user : { ...user, duties: [] }

async function nullIfRefused(caller: Promise<Caller>): Promise<Caller | null> {
  try {
    return await caller
  } catch (error) {
    if (error instanceof DomainError && error.code !== "beyond_scope" && !isOutage(error)) return null
    throw error
  }
}

/**
 * Checks the key of a wall: a screen that shows the feed without a log-in. Compares in constant time. `wallKey` null:
 * no key is valid.
 */
function wallKeyCheck(wallKey: string | null): (presented: string | null) => boolean {
  const expected = wallKey === null ? null : Buffer.from(sha256(wallKey))
  return (presented) =>
    expected !== null && presented !== null && crypto.timingSafeEqual(expected, Buffer.from(sha256(presented)))
}

/** Whether the viewer may read this user's balance. */
export const seesBalanceOf = (viewer: Caller | null, target: User): boolean =>
  viewer !== null && (isSuperuser(viewer.user) || viewer.user.id === target.id)

/** Whether the viewer may see people who left, and the balances of everyone in a list. */
export const seesEverybody = (viewer: Pick<Caller, "user"> | null): boolean =>
  viewer !== null && isSuperuser(viewer.user)

/** Whether the viewer finds people who left among the others. */
export const findsLeavers = (viewer: Pick<Caller, "user">): boolean => hasDuty(viewer.user, "people")
