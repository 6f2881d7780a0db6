import { jwt } from "@elysiajs/jwt"
import type { TokenCodec } from "../domain/auth/tokens.ts"
import type { Clock } from "../domain/clock.ts"
import { createBoundedCache } from "../support/bounded-cache.ts"

/** How many verified tokens are cached, at about 1 KB each. */
const maxCached = 10_000

/**
 * The end of a token: its signature of 32 bytes in base64url. The last character encodes only four bits. The library
 * ignores its other two, padding and spaces, so that a changed text of the signature would still be accepted.
 */
const canonicalSignature = /\.[\w-]{42}[AEIMQUYcgkosw048]$/

/**
 * JWTs signed with HS256. The library alone would accept other algorithms, and tokens that never expire. Verified
 * claims are cached by the text of the token until it expires, because verifying takes more time than anything else
 * that this process does for a transfer. domain/auth/tokens.ts checks each time whether the token was ended early.
 */
export function createTokenCodec(secret: string, clock: Clock): TokenCodec {
  const library = jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt
  const cache = createBoundedCache<string, Record<string, unknown> & { exp: number }>(maxCached)

  return {
    sign: (claims) => library.sign({ ...claims, iat: false }),
    async read(token) {
      const now = clock()
      const cached = cache.get(token)
      if (cached && now < cached.exp * 1000) return cached
      cache.delete(token)
      if (!canonicalSignature.test(token)) return null

      const options = { algorithms: ["HS256"], requiredClaims: ["exp"], currentDate: new Date(now) }
      const claims = (await library.verify(token, options)) || null
      if (!claims || claims.exp === undefined) return null
      cache.set(token, { ...claims, exp: claims.exp })
      return claims
    },
  }
}
