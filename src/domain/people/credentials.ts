/** The one credential that stays valid when all others of a user are ended. Both null: none stays valid. */
export interface KeptCredential {
  /** Hash of the session's id. */
  readonly session: string | null
  /** Hash of the access token. */
  readonly token: string | null
  /** `accessVersion` when the token was checked. A token that has ended since is not kept. Absent: not checked. */
  readonly accessVersion?: number | undefined
}

export interface PasswordChange {
  readonly userId: number
  /** A bcrypt hash. */
  readonly password: string
  /** True ends every token and session. False ends refresh tokens, reset tokens, and sessions other than `keepSession`. */
  readonly endsEverything: boolean
  /** Hash of the id of the user's own session, if the change was made with it. It stays open. */
  readonly keepSession: string | null
  /** The user's `accessVersion` when a token of their own allowed the change. */
  readonly accessVersion?: number | undefined
  /** The reset token that authorized the change. The change uses it up. Null: there was none. */
  readonly spends: SpentToken | null
}

/** A single-use token, when it is used. */
export interface SpentToken {
  readonly tokenHash: string
  readonly expiresAt: number
  /** The `refreshVersion` that the token names; null when it names none. */
  readonly version: number | null
}

/** A successful log-in of a user from a source: an IPv4 address or an IPv6 /64 (see auth/sources.ts). */
export interface LoginSource {
  readonly userId: number
  readonly source: string
  readonly usedAt: number
}
