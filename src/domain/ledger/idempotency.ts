import { sha256 } from "../digest.ts"
import { invalid } from "../errors.ts"
import type { IdempotencyKey } from "../model.ts"

/** How long a request may be repeated under its key. */
export const keyLifetimeMs = 24 * 3_600_000

/**
 * A request of points under its sender's own name for it (the header `Idempotency-Key`): sent again with the same, it is
 * done once. `request` is all that is asked for, in a form that JSON tells apart.
 * @throws DomainError `invalid`
 */
export function idempotencyKeyOf(key: string, request: object, now: number): IdempotencyKey {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "1 to 255 printable ASCII characters")
  return { key, requestHash: sha256(JSON.stringify(request)), expiresAt: now + keyLifetimeMs }
}
