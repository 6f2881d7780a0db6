/** What `UserStore.changePassword` is told; times are milliseconds since the epoch, UTC. */
export interface PasswordChange {
  readonly userId: number
  /** A bcrypt hash. */
  readonly password: string
  /** True ends access tokens and every session; false only refresh and reset tokens, and sessions other than `keepSession`. */
  readonly endsEverything: boolean
  /** Hash of the id of the session that goes on. */
  readonly keepSession: string | null
  /** The reset token that allowed it: spent by this change, once. */
  readonly spends: SpentToken | null
}

export interface SpentToken {
  readonly tokenHash: string
  readonly expiresAt: number
  /** The `refreshVersion` that the token names; null when it names none. */
  readonly version: number | null
}
