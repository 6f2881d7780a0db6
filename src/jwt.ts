import { jwt } from "@elysiajs/jwt"
import { createBoundedCache } from "./bounded-cache.ts"
import type { TokenCodec } from "./domain/auth/tokens.ts"
import type { Clock } from "./domain/model.ts"

/** Tokens remembered at most, the latest ones; about 1 KB each. Any other is verified anew. */
const maxRemembered = 10_000

/**
 * Signs and reads tokens with HS256 and nothing else: the library alone would take any algorithm of this key,
 * and a token that never expires. What a token says is remembered by its text until it expires (verifying costs more
 * than all else that a transfer asks of this process); whether that still holds for its user is asked each time.
 */
export function createTokenCodec(secret: string, clock: Clock): TokenCodec {
  const library = jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt
  const remembered = createBoundedCache<string, Record<string, unknown> & { exp: number }>(maxRemembered)

  return {
    sign: (claims) => library.sign({ ...claims, iat: false }),
    async read(token) {
      const now = clock()
      const known = remembered.get(token)
      if (known && now < known.exp * 1000) return known
      remembered.delete(token)

      const options = { algorithms: ["HS256"], requiredClaims: ["exp"], currentDate: new Date(now) }
      const claims = (await library.verify(token, options)) || null
      if (!claims || claims.exp === undefined) return null
      remembered.set(token, { ...claims, exp: claims.exp })
      return claims
    },
  }
}
