import { sha256 } from "../digest.ts"
import { DomainError } from "../errors.ts"
import type { Clock, User } from "../model.ts"
import type { Store } from "../store.ts"
import { invitationLifetimeMinutes } from "./passwords.ts"

/** Minutes a token lives when the caller names no lifetime (contract, Limits). The others are settings. */
export const defaultLifetimeMinutes = 15

export type Scope = "access_token" | "refresh_token" | "pwd_reset"

/** Claims as signed. A token that carries only `sub`, `exp`, `scope` (and `fresh`) is valid too. */
export interface Claims {
  /** The username. */
  readonly sub: string
  /** Seconds since the epoch. */
  readonly exp: number
  readonly scope: Scope
  /** On access tokens: true when a password was given for it, not a refresh token. */
  readonly fresh?: boolean
  /** The user's version for this scope when it was signed: one that was raised since ends the token. */
  readonly version?: number
  /** Makes two tokens of the same second different. */
  readonly jti?: string
}

/** Signs and reads tokens; knows the key, the algorithm (HS256, pinned) and the time, and nothing of the rules. */
export interface TokenCodec {
  sign(claims: Claims): Promise<string>
  /** Null for a bad signature, another algorithm, an expired token, or one without `exp`. */
  read(token: string): Promise<Record<string, unknown> | null>
}

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface VerifiedToken {
  readonly user: User
  readonly fresh: boolean
  readonly expiresAt: number
  /** Null when the token names none. */
  readonly version: number | null
}

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly codec: TokenCodec
  readonly clock: Clock
  readonly lifetimeMinutes: Readonly<Record<Scope, number>>
}

export type Tokens = ReturnType<typeof createTokens>

export function createTokens({ store, codec, clock, lifetimeMinutes }: Dependencies) {
  return {
    /** Signs a token for `user`, for the lifetime of its scope unless another is given (contract, Authentication 3). */
    sign,

    /** The answer to a login (`fresh`) or to a refresh (contract, POST /token and POST /refresh_token). */
    async signPair(user: User, { fresh }: { fresh: boolean }): Promise<TokenPair> {
      const accessToken = await sign(user, "access_token", { lifetime: lifetimeMinutes.access_token, fresh })
      const refreshToken = await sign(user, "refresh_token", { lifetime: lifetimeMinutes.refresh_token })
      return { accessToken, refreshToken }
    },

    /** What the worker puts into a reset mail. */
    signReset: (user: User): Promise<string> => sign(user, "pwd_reset", { lifetime: lifetimeMinutes.pwd_reset }),

    /** What the worker puts into an invitation: the same, for longer. */
    signInvitation: (user: User): Promise<string> => sign(user, "pwd_reset", { lifetime: invitationLifetimeMinutes }),

    /** A token serves only where its scope says (contract, Authentication 2.3).
     *  @throws DomainError `bad_credentials` */
    async verify(token: string, scope: Scope): Promise<VerifiedToken> {
      const claims = await codec.read(token)
      if (!claims || typeof claims.sub !== "string" || typeof claims.exp !== "number" || claims.scope !== scope)
        throw new DomainError("bad_credentials")
      const user = await store.users.byUsername(claims.sub)
      if (!user) throw new DomainError("bad_credentials")
      const isEnded = claims.version !== undefined && claims.version !== versionOf(user, scope)
      if (isEnded && !(scope === "access_token" && user.keptToken === hashOfToken(token)))
        throw new DomainError("bad_credentials")
      const version = typeof claims.version === "number" ? claims.version : null
      return { user, fresh: claims.fresh === true, expiresAt: claims.exp * 1000, version }
    },
  }

  function sign(user: User, scope: Scope, options: { lifetime?: number; fresh?: boolean } = {}): Promise<string> {
    const { lifetime = defaultLifetimeMinutes, fresh } = options
    return codec.sign({
      sub: user.username,
      exp: Math.floor(clock() / 1000) + lifetime * 60,
      scope,
      ...(fresh !== undefined && { fresh }),
      version: versionOf(user, scope),
      jti: crypto.randomUUID(),
    })
  }
}

/** Of what is signed, without the signature: that can be written in several ways, and each would be another token. */
export const hashOfToken = (token: string): string => sha256(token.slice(0, token.lastIndexOf(".")))

const versionOf = (user: User, scope: Scope): number =>
  scope === "access_token" ? user.accessVersion : user.refreshVersion
