/** Identifies a request of a sender, so that sending it again does nothing (docs/interface/transactions.md, "Idempotency-Key"). */
export interface IdempotencyKey {
  readonly key: string
  /** The user who chose the key; absent: the sender. */
  readonly ownerId?: number
  /** Hash of the whole request: another request under the same key is refused. */
  readonly requestHash: string
  readonly expiresAt: number
}

/**
 * A request under an idempotency key that makes something other than transactions. A store method that gets it stores
 * the key with what was made, in the commit of the change. When the key is in use, it throws DomainError `key_reused`
 * and changes nothing.
 */
export interface Once<Made> extends IdempotencyKey {
  readonly ownerId: number
  /** When the request was made. */
  readonly at: number
  /** What is to be stored, encrypted. */
  readonly seal: (made: Made) => string
}

/**
 * Requests under idempotency keys. The methods that make something store them: those that get `once` (see `Once`), and
 * those of the ledger (see `PostOptions`).
 */
export interface IdempotencyStore {
  /**
   * The request under this key; null when the key is unused or has expired by `now`. `made` is what `Once` sealed; null for
   * a request that posted transactions.
   */
  find(
    ownerId: number,
    key: string,
    now: number,
  ): Promise<{ readonly requestHash: string; readonly made: string | null } | null>
  /** Deletes keys that have expired by `now`. */
  prune(now: number): Promise<void>
}
