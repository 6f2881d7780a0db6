import { sha256 } from "../digest.ts"
import { invalid } from "../errors.ts"
import type { IdempotencyKey } from "../model.ts"

/** How long a request may be repeated under its key. */
export const keyLifetimeMs = 24 * 3_600_000

/**
 * The header `Idempotency-Key` of a request that sends points (docs/interface.md, "Idempotency-Key"); undefined when it has
 * none. `request` holds every field that the request asks for, as JSON can write it: the same key with another request is
 * refused.
 * @throws DomainError `invalid`
 */
export function checkedIdempotencyKey(
  key: string | null | undefined,
  request: object,
  now: number,
): IdempotencyKey | undefined {
  if (key == null) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "1 to 255 printable ASCII characters")
  return { key, requestHash: sha256(JSON.stringify(request)), expiresAt: now + keyLifetimeMs }
}
