import { jwt } from "@elysiajs/jwt"
import type { Clock } from "./domain/store.ts"
import type { TokenCodec } from "./domain/tokens.ts"

/** Signs and reads tokens with HS256 and nothing else: the library alone would take any algorithm of this key,
 *  and a token that never expires. */
export function createTokenCodec(secret: string, clock: Clock): TokenCodec {
  const library = jwt({ name: "jwt", secret, alg: "HS256" }).decorator.jwt
  return {
    sign: (claims) => library.sign({ ...claims, iat: false }),
    async read(token) {
      const options = { algorithms: ["HS256"], requiredClaims: ["exp"], currentDate: new Date(clock()) }
      return (await library.verify(token, options)) || null
    },
  }
}
