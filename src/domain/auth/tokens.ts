import { type Clock, isFromFuture } from "../clock.ts"
import { DomainError } from "../errors.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { isId, sha256 } from "../text.ts"
import { mayLogIn } from "./login-rights.ts"

/** The lifetime of a token when the caller gives none. */
export const defaultLifetimeMinutes = 15

/** Lifetime of the link in an invitation: long, because people do not expect the mail. Setting a password ends it. */
export const invitationLifetimeMinutes = 7 * 24 * 60

/** How long a person may take to present a second factor, or to make a passkey. */
const challengeLifetimeMinutes = 5

/** How long after a log-in its session or token may do what needs a recent log-in (`Access.requireRecentLogin`). */
export const recentMs = 15 * 60_000

type SettingScope = "access_token" | "refresh_token" | "pwd_reset"
/** `second_factor`: a log-in that waits for its second factor. `passkey`: the creation of a passkey. */
type ChallengeScope = "second_factor" | "passkey"
export type Scope = SettingScope | ChallengeScope

/** The claims of a token. A token with only `sub`, `exp` and `scope` is valid too. */
export interface Claims {
  /** The username. */
  readonly sub: string
  /** Seconds since the epoch. */
  readonly exp: number
  readonly scope: Scope
  /** Only on access tokens. True when the token was issued for a password, false when for a refresh token. */
  readonly fresh?: boolean
  /** The user's `accessVersion` or `refreshVersion` when the token was signed. Raising the version ends the token. */
  readonly version?: number
  /**
   * The user's id. The token is valid for this user alone, also under a new username; the one of an erased account may be given
   * to somebody else.
   */
  readonly user_id?: number
  /** Only in the token of an invitation: the user's name, by which the page behind the link greets. */
  readonly name?: string
  /** Random, so that two tokens of the same second differ. */
  readonly jti?: string
}

/** Signs and verifies JWTs. It knows the key, the algorithm and the time, but none of the rules. */
export interface TokenCodec {
  sign(claims: Claims): Promise<string>
  /** The claims; null for a bad signature, another algorithm than HS256, or a token that has expired or has no `exp`. */
  read(token: string): Promise<Record<string, unknown> | null>
}

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

interface VerifiedToken {
  readonly user: User
  /** The user's username when the token was signed. */
  readonly subject: string
  readonly fresh: boolean
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Null when the token has no such claim. */
  readonly version: number | null
}

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly codec: TokenCodec
  readonly clock: Clock
  readonly lifetimeMinutes: Readonly<Record<SettingScope, number>>
}

export type Tokens = ReturnType<typeof createTokens>

/** Access, refresh and reset tokens (docs/interface/authentication.md). */
export function createTokens({ store, codec, clock, lifetimeMinutes }: Dependencies) {
  return {
    sign,

    /** Tokens for a login (`fresh` is true) or for a refresh. */
    async signPair(user: User, { fresh }: { fresh: boolean }): Promise<TokenPair> {
      const accessToken = await sign(user, "access_token", { lifetime: lifetimeMinutes.access_token, fresh })
      const refreshToken = await sign(user, "refresh_token", { lifetime: lifetimeMinutes.refresh_token })
      return { accessToken, refreshToken }
    },

    /** The token of a reset mail. */
    signReset: (user: User): Promise<string> => sign(user, "pwd_reset", { lifetime: lifetimeMinutes.pwd_reset }),

    /** The token of an invitation: a reset token with a longer lifetime and the user's name. */
    signInvitation: (user: User): Promise<string> =>
      sign(user, "pwd_reset", { lifetime: invitationLifetimeMinutes, name: user.name }),

    /** The token of a challenge. A change of the password or of a second factor ends it. */
    signChallenge: (user: User, scope: ChallengeScope): Promise<string> =>
      sign(user, scope, { lifetime: challengeLifetimeMinutes }),

    verify,

    /** Whether this access token was issued for a log-in at most 15 minutes ago, and not for a refresh token. */
    async isRecent(token: string): Promise<boolean> {
      const { fresh, expiresAt } = await verify(token, "access_token")
      const [now, issuedAt] = [clock(), expiresAt - lifetimeMinutes.access_token * 60_000]
      return fresh && now - issuedAt < recentMs && !isFromFuture(issuedAt, now)
    },
  }

  /**
   * The user of a token. The token must be valid, have this scope, and not be ended.
   * @throws DomainError `bad_credentials`
   */
  async function verify(token: string, scope: Scope): Promise<VerifiedToken> {
    const claims = await codec.read(token)
    if (!claims || typeof claims.sub !== "string" || typeof claims.exp !== "number" || claims.scope !== scope)
      throw new DomainError("bad_credentials")
    const user = await ownerOf(claims.sub, claims.user_id)
    if (!mayLogIn(user)) throw new DomainError("bad_credentials")
    const isEnded = claims.version !== undefined && claims.version !== versionOf(user, scope)
    if (isEnded && !(scope === "access_token" && user.keptToken === hashOfToken(token)))
      throw new DomainError("bad_credentials")
    const version = typeof claims.version === "number" ? claims.version : null
    return { user, subject: claims.sub, fresh: claims.fresh === true, expiresAt: claims.exp * 1000, version }
  }

  /** The user with this id; without one, the user who has this username, or had it last. */
  async function ownerOf(username: string, userId: unknown): Promise<User | null> {
    const named = await store.users.byUsername(username)
    if (userId === undefined) return named ?? store.users.formerly(username, clock())
    if (named?.id === userId) return named
    const [user = null] = typeof userId === "number" && isId(String(userId)) ? await store.users.byIds([userId]) : []
    return user
  }

  /** `lifetime` in minutes. */
  function sign(
    user: User,
    scope: Scope,
    options: { lifetime?: number; fresh?: boolean; name?: string } = {},
  ): Promise<string> {
    const { lifetime = defaultLifetimeMinutes, fresh, name } = options
    return codec.sign({
      sub: user.username,
      exp: Math.floor(clock() / 1000) + lifetime * 60,
      scope,
      ...(fresh !== undefined && { fresh }),
      user_id: user.id,
      ...(name !== undefined && { name }),
      version: versionOf(user, scope),
      jti: crypto.randomUUID(),
    })
  }
}

/** Leaves out the signature, because Base64 can write it in several ways, and each would look like another token. */
export const hashOfToken = (token: string): string => sha256(token.slice(0, token.lastIndexOf(".")))

const versionOf = (user: User, scope: Scope): number =>
  scope === "access_token" ? user.accessVersion : user.refreshVersion
