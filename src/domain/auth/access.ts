import type { Allowance } from "../allowances/model.ts"
import { DomainError, type ErrorCode, isOutage } from "../errors.ts"
import type { TransactionEntry } from "../ledger/model.ts"
import { allDepartments, deptNamed } from "../people/departments.ts"
import { usernameKey } from "../people/fields.ts"
import { type Department, takesPart, type User } from "../people/model.ts"
import type { Redemption, Reward } from "../rewards/model.ts"
import type { Store } from "../store.ts"
import { isId, sha256 } from "../text.ts"
import type { Delivery, Webhook } from "../webhooks/model.ts"
import { type ApiTokens, secretPrefix, tokenIn } from "./api-tokens.ts"
import { type ApiToken, type SpentToken, type TokenScope, tokenScopes } from "./model.ts"
import { isSuperuser, mayUsePassword, ownAccount, type PasswordLogin, requireSuperuser } from "./roles.ts"
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
  readonly store: Pick<Store, "allowances" | "ledger" | "people" | "rewards" | "users" | "webhooks">
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly apiTokens: Pick<ApiTokens, "resolve" | "ownOf" | "service">
  readonly secondFactors: Pick<SecondFactors, "isMissing">
  /** The settings `stream.access` and `stream.wall_key`. */
  readonly stream: { readonly access: "public" | "auth"; readonly wall_key: string | null }
  readonly passwordLogin: PasswordLogin
}

export type Access = ReturnType<typeof createAccess>

/**
 * Authentication and authorization: who is calling, and what they may access. Guards call `requireSuperuser` and the
 * methods named `to…` before the body is read. Those named `to…` check in the order that docs/interface.md, "Errors",
 * promises (404, then 403), and return the user or row that the request is about; only `toProvisioning` returns nothing,
 * and `toPassword` the right to set a password.
 */
export function createAccess({
  store,
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

    /** The user of this name, inactive or not. `field`: where the body has the name.
     *  @throws DomainError `user_not_found` */
    toUser: userNamed,

    /** The user of this name, who must be active, so that they can receive points. `field`: where the body has the name.
     *  @throws DomainError `user_not_found` */
    async toReceiver(username: string, field?: string): Promise<User> {
      const user = await userNamed(username, field)
      if (!takesPart(user)) throw new DomainError("user_not_found", { field })
      return user
    },

    /** The user of this name, if the directory shows them to this caller. Only superusers see inactive people there.
     *  @throws DomainError `user_not_found` */
    async toListed(caller: Caller | null, username: string): Promise<User> {
      const user = await userNamed(username)
      if (!takesPart(user) && !seesEverybody(caller)) throw new DomainError("user_not_found")
      return user
    },

    /** Anything that only superusers may do. @throws DomainError `not_superuser` */
    async requireSuperuser(caller: Caller): Promise<void> {
      requireSuperuser(caller)
    },

    /** @throws DomainError `bad_credentials` without an API token, `not_superuser` */
    async toProvisioning(caller: Caller): Promise<void> {
      if (caller.apiToken === null) throw new DomainError("bad_credentials")
      requireSuperuser(caller)
    },

    /** @throws DomainError `user_not_found`, `not_superuser` */
    async toAccount(caller: Caller, username: string): Promise<User> {
      const target = await userNamed(username)
      requireSuperuser(caller)
      return target
    },

    /** The transaction to reverse.
     *  @throws DomainError `transaction_not_found`, `not_superuser` */
    async toReversal(caller: Caller, id: string): Promise<TransactionEntry> {
      const original = await rowWith(id, store.ledger.entry, "transaction_not_found")
      requireSuperuser(caller)
      return original
    },

    /** @throws DomainError `allowance_not_found`, `not_superuser` */
    async toAllowance(caller: Caller, id: string): Promise<Allowance> {
      const found = await rowWith(id, store.allowances.find, "allowance_not_found")
      requireSuperuser(caller)
      return found
    },

    /** @throws DomainError `dept_not_found`, `not_superuser` */
    async toDepartment(caller: Caller, name: string): Promise<Department> {
      const visible = isSuperuser(caller.user) ? await allDepartments(store.people) : await store.people.departments()
      const found = deptNamed(visible, name)
      requireSuperuser(caller)
      return found
    },

    /** @throws DomainError `webhook_not_found`, `not_superuser` */
    async toWebhook(caller: Caller, id: string): Promise<Webhook> {
      const found = await rowWith(id, store.webhooks.find, "webhook_not_found")
      requireSuperuser(caller)
      return found
    },

    /** @throws DomainError `delivery_not_found`, `not_superuser` */
    async toDelivery(caller: Caller, id: string): Promise<Delivery> {
      const found = await rowWith(id, store.webhooks.delivery, "delivery_not_found")
      requireSuperuser(caller)
      return found
    },

    /** A reward that can be redeemed.
     *  @throws DomainError `reward_not_found` */
    async toOffer(id: string): Promise<Reward> {
      const reward = await rewardWith(id)
      if (!reward.isActive) throw new DomainError("reward_not_found")
      return reward
    },

    /** A reward to change.
     *  @throws DomainError `reward_not_found`, `not_superuser` */
    async toReward(caller: Caller, id: string): Promise<Reward> {
      const reward = await rewardWith(id)
      requireSuperuser(caller)
      return reward
    },

    /** A redemption to answer.
     *  @throws DomainError `redemption_not_found`, `not_superuser` */
    async toRedemption(caller: Caller, id: string): Promise<Redemption> {
      const redemption = await rowWith(id, store.rewards.redemption, "redemption_not_found")
      requireSuperuser(caller)
      return redemption
    },

    /** A personal token of the caller. @throws DomainError `token_not_found` */
    toOwnToken: async ({ user }: Caller, id: string): Promise<ApiToken> => tokenIn(await apiTokens.ownOf(user), id),

    /** @throws DomainError `token_not_found`, `not_superuser` */
    async toServiceToken(caller: Caller, id: string): Promise<ApiToken> {
      const apiToken = tokenIn(await apiTokens.service(), id)
      requireSuperuser(caller)
      return apiToken
    },

    /** @throws DomainError `user_not_found`, `not_own_profile` */
    toProfile: (caller: Caller, username: string): Promise<User> =>
      ownAccount(store.users, caller.user, username, "not_own_profile"),

    /** @throws DomainError `user_not_found`, `not_own_data` */
    toData: (caller: Caller, username: string): Promise<User> =>
      ownAccount(store.users, caller.user, username, "not_own_data"),

    /** @throws DomainError `user_not_found`, `not_own_transactions` */
    toHistory: (caller: Caller, username: string): Promise<User> =>
      ownAccount(store.users, caller.user, username, "not_own_transactions"),

    /**
     * Permission to change the password of this user. A usable reset token takes precedence over the caller's own
     * rights.
     * @throws DomainError `user_not_found`, `not_own_password`
     */
    async toPassword(caller: Caller | null, username: string, resetToken: string | null): Promise<PasswordGrant> {
      const target = await userNamed(username)
      const spends = resetToken === null ? null : await usableReset(target, resetToken)
      if (spends) return { target, by: null, bySelf: false, keepSession: null, spends }
      const by = caller?.user.username ?? null
      if (caller?.user.id === target.id)
        return { target, by, bySelf: true, keepSession: caller.sessionHash, spends: null }
      if (caller && isSuperuser(caller.user)) return { target, by, bySelf: false, keepSession: null, spends: null }
      throw new DomainError("not_own_password")
    },
  }

  /**
   * The caller of a request. If there is a session cookie, other credentials are ignored (docs/interface.md,
   * "Authentication"). The scope of an API token is checked here, for every endpoint, against `required`.
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
    const token = authorization.slice(space + 1)
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
    return { user, sessionHash: null, token: null, expiresAt, apiToken }
  }

  function rewardWith(id: string): Promise<Reward> {
    return rowWith(id, store.rewards.find, "reward_not_found")
  }

  async function userNamed(username: string, field?: string): Promise<User> {
    const user = await store.users.byUsername(usernameKey(username))
    if (!user) throw new DomainError("user_not_found", { field })
    return user
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

/** The row with the id in the path. */
async function rowWith<T>(id: string, find: (id: number) => Promise<T | null>, missing: ErrorCode): Promise<T> {
  const row = isId(id) ? await find(Number(id)) : null
  if (!row) throw new DomainError(missing)
  return row
}

/** Each scope includes those before it. `admin` counts only while the account is a superuser's. */
function permits({ scopes }: ApiToken, user: User, required: RequiredScope): boolean {
  if (required === "nobody") return false
  if (required === "admin" && !isSuperuser(user)) return false
  return tokenScopes.slice(tokenScopes.indexOf(required)).some((scope) => scopes.includes(scope))
}

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
