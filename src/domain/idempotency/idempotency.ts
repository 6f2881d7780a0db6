import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid, isOutage } from "../errors.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import type { IdempotencyKey, Once } from "./ports.ts"

/** How long an idempotency key is valid. */
export const keyLifetimeMs = dayMs

/**
 * The header `Idempotency-Key` of a request (docs/interface/transactions.md, "Idempotency-Key"); undefined when it has none. `request`
 * holds every field of the request, in a form for JSON: its hash shows whether a second request under the key is the
 * same.
 * @throws DomainError `invalid`
 */
export function checkedIdempotencyKey(
  key: string | null | undefined,
  request: unknown,
  now: number,
): IdempotencyKey | undefined {
  if (key == null) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "1 to 255 printable ASCII characters")
  return { key, requestHash: sha256(JSON.stringify(request)), expiresAt: now + keyLifetimeMs }
}

/** A request with an idempotency key, not yet checked. */
export interface KeyedRequest {
  /** The user who chose the key. */
  readonly ownerId: number
  readonly key: string
  /** Every part of the request, in a form for JSON. */
  readonly request: unknown
}

interface Dependencies {
  readonly store: Pick<Store, "idempotency">
  readonly clock: Clock
  /** What a request made may be a secret that is shown once, such as a token. */
  readonly secrets: { readonly seal: (plain: string) => string; readonly open: (sealed: string) => string | null }
}

export type MakeOnce = ReturnType<typeof createMakeOnce>

/**
 * For a request that makes something other than transactions, which have their keys from the ledger. The commit that makes
 * it stores the key with what was made, so that nothing is made twice, whenever the server or the connection breaks.
 */
export function createMakeOnce({ store, clock, secrets }: Dependencies) {
  /**
   * Calls `make`, which passes `once` to the store method of the change, unless an earlier request under the key did:
   * then returns what that one made. Without a request, only calls `make`.
   * @throws DomainError `invalid` (the key), `key_reused`, `answer_lost`, and what `make` throws
   */
  return async function makeOnce<Made>(
    request: KeyedRequest | null | undefined,
    make: (once?: Once<Made>) => Promise<Made>,
  ): Promise<Made> {
    const at = clock()
    const key = checkedIdempotencyKey(request?.key, request?.request, at)
    if (!request || !key) return make()
    const once = { ...key, ownerId: request.ownerId, at, seal: (made: Made) => secrets.seal(JSON.stringify(made)) }

    const earlier = await find()
    if (earlier) return earlier.made
    try {
      return await make(once)
    } catch (error) {
      // The same request may run twice at the same time. What refused this one may be what the other has made.
      const other = error instanceof DomainError && !isOutage(error) ? await find() : null
      if (other) return other.made
      throw error
    }

    async function find(): Promise<{ readonly made: Made } | null> {
      const found = await store.idempotency.find(once.ownerId, once.key, at)
      if (!found) return null
      if (found.requestHash !== once.requestHash || found.made === null) throw new DomainError("key_reused")
      const made = secrets.open(found.made)
      if (made === null) throw new DomainError("answer_lost")
      return { made: JSON.parse(made) as Made }
    }
  }
}

/** For a commit that stores more than the store method returns, such as the secret of a token. */
export const alsoMaking = <Made, Stored>(
  once: Once<Made> | undefined,
  madeOf: (stored: Stored) => Made,
): Once<Stored> | undefined => once && { ...once, seal: (stored) => once.seal(madeOf(stored)) }
