import { sha256 } from "../digest.ts"
import { DomainError } from "../errors.ts"
import type { SpentToken, User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { isSuperuser, requireSuperuser } from "./roles.ts"
import type { Sessions } from "./sessions.ts"
import { hashOfToken, type Tokens } from "./tokens.ts"

/** Credentials as presented. */
export interface Credentials {
  /** Value of the cookie `session_id`. */
  readonly sessionId: string | null
  /** The header `Authorization`, whole. */
  readonly authorization: string | null
  /** Demands a token that a password was given for; superusers and sessions are exempt. */
  readonly fresh: boolean
}

export interface Caller {
  readonly user: User
  /** Hash of the session that authenticated; null for a token. */
  readonly sessionHash: string | null
  /** The access token that did; null for a session. */
  readonly token: string | null
  /** When that session or token expires by itself, in milliseconds. */
  readonly expiresAt: number
}

/** Leave to change one password, and what the change ends (contract, POST /user/{username}/password/). */
export interface PasswordGrant {
  readonly target: User
  /** Who it is given to; null to whoever holds a reset token. */
  readonly by: string | null
  /** Only those who change their own password keep anything. */
  readonly bySelf: boolean
  readonly keepSession: string | null
  readonly spends: SpentToken | null
}

/** To whoever may run the command line on this machine; as with a superuser's change, nothing of the user goes on. */
export const grantToOperator = (target: User, operator: string): PasswordGrant => ({
  target,
  by: operator,
  bySelf: false,
  keepSession: null,
  spends: null,
})

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly wallKey: string | null
}

export type Access = ReturnType<typeof createAccess>

/**
 * Who is calling, and what the caller may touch. The methods named `to...` run before anything of the request's
 * body is looked at and give what the act needs; their checks stand in the order of the contract: 404, then 403.
 */
export function createAccess({ store, tokens, sessions, wallKey }: Dependencies) {
  return {
    caller,
    isWall: wallKeyCheck(wallKey),

    /** On public endpoints bad credentials mean anonymous. */
    async callerIfAny(credentials: Credentials): Promise<Caller | null> {
      try {
        return await caller(credentials)
      } catch (error) {
        if (error instanceof DomainError) return null
        throw error
      }
    },

    /** @throws DomainError `user_not_found` */
    toUser: named,

    /** @throws DomainError `not_superuser` */
    async toUsers(caller: Caller): Promise<void> {
      requireSuperuser(caller)
    },

    /** @throws DomainError `user_not_found`, `not_superuser` */
    async toAccount(caller: Caller, username: string): Promise<User> {
      const target = await named(username)
      requireSuperuser(caller)
      return target
    },

    /** @throws DomainError `user_not_found`, `not_own_profile` */
    async toProfile({ user }: Caller, username: string): Promise<User> {
      const target = await named(username)
      if (!isSuperuser(user) && user.id !== target.id) throw new DomainError("not_own_profile")
      return target
    },

    /** @throws DomainError `user_not_found`, `not_own_transactions` */
    async toHistory({ user }: Caller, username: string): Promise<User> {
      const target = await named(username)
      if (!isSuperuser(user) && user.id !== target.id) throw new DomainError("not_own_transactions")
      return target
    },

    /** @throws DomainError `user_not_found`, `not_own_password` */
    async toPassword(caller: Caller | null, username: string, resetToken: string | null): Promise<PasswordGrant> {
      const target = await named(username)
      const spends = resetToken === null ? null : await resetOf(target, resetToken)
      if (spends) return { target, by: null, bySelf: false, keepSession: null, spends }
      const by = caller?.user.username ?? null
      if (caller?.user.id === target.id)
        return { target, by, bySelf: true, keepSession: caller.sessionHash, spends: null }
      if (caller && isSuperuser(caller.user)) return { target, by, bySelf: false, keepSession: null, spends: null }
      throw new DomainError("not_own_password")
    },
  }

  /** A session cookie, when present, decides alone (contract, Authentication 2).
   *  @throws DomainError `bad_session`, `session_user_missing`, `bad_credentials` */
  async function caller({ sessionId, authorization, fresh }: Credentials): Promise<Caller> {
    if (sessionId !== null) {
      const { user, idHash, expiresAt } = await sessions.resolve(sessionId)
      return { user, sessionHash: idHash, token: null, expiresAt }
    }
    const space = authorization?.indexOf(" ") ?? -1
    if (authorization === null || space < 0) throw new DomainError("bad_credentials")
    const token = authorization.slice(space + 1)
    const { user, fresh: isFresh, expiresAt } = await tokens.verify(token, "access_token")
    if (fresh && !isFresh && !isSuperuser(user)) throw new DomainError("bad_credentials")
    return { user, sessionHash: null, token, expiresAt }
  }

  async function named(username: string): Promise<User> {
    const user = await store.users.byUsername(usernameKey(username))
    if (!user) throw new DomainError("user_not_found")
    return user
  }

  /** Null when the token does not allow to change the password of `target`, or has done its one change. */
  async function resetOf(target: User, resetToken: string): Promise<SpentToken | null> {
    const tokenHash = hashOfToken(resetToken)
    try {
      const { user, expiresAt, version } = await tokens.verify(resetToken, "pwd_reset")
      const usable = user.id === target.id && !(await store.users.isSpent(tokenHash))
      return usable ? { tokenHash, expiresAt, version } : null
    } catch (error) {
      if (error instanceof DomainError) return null
      throw error
    }
  }
}

/** Checks the key of a wall, a screen that shows the feed without a login. Compares in constant time. Null: no key is valid. */
function wallKeyCheck(wallKey: string | null): (presented: string | null) => boolean {
  const expected = wallKey === null ? null : Buffer.from(sha256(wallKey))
  return (presented) =>
    expected !== null && presented !== null && crypto.timingSafeEqual(expected, Buffer.from(sha256(presented)))
}

/** Whether `viewer` may read the balance of `target` (contract, GET /user/{username}/). */
export const seesBalanceOf = (viewer: Caller | null, target: User): boolean =>
  viewer !== null && (isSuperuser(viewer.user) || viewer.user.id === target.id)

/** Whether `viewer` may read everybody's (contract, GET /user/). */
export const seesEveryBalance = (viewer: Caller | null): boolean => viewer !== null && isSuperuser(viewer.user)
