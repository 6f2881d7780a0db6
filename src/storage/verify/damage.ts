/** Something in the database that is damaged, missing, or contradicts the rest. */
export interface Damage {
  /** The name of the check, such as `balances`. */
  readonly check: string
  /** One sentence without full stop. */
  readonly fault: string
}

export interface Verification {
  /** Number of transactions; null when the database is too damaged to count them. */
  readonly transactions: number | null
  readonly findings: readonly Damage[]
}

/** Called from time to time with the number of transactions read so far. */
export type OnProgress = (transactions: number) => void
