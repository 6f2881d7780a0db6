import { isEqualInConstantTime } from "./secrets.ts"

/** The path of the link in a mail. */
export const unsubscribePath = "/unsubscribe"

/**
 * Tokens in the links that stop mail to one person. They do nothing else, and never expire, because a mail may be read
 * years later.
 */
export function createUnsubscribeTokens(secret: string) {
  return {
    sign,

    /** The id of the user; null when the token is not one that `sign` returned. */
    read(token: string): number | null {
      const id = Number(/^\d{1,16}/.exec(token)?.[0])
      return isEqualInConstantTime(token, sign(id)) ? id : null
    },
  }

  function sign(userId: number): string {
    // The prefix keeps these signatures apart from others that are made with the same key.
    return `${userId}.${new Bun.CryptoHasher("sha256", secret).update(`unsubscribe:${userId}`).digest("base64url")}`
  }
}

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>
