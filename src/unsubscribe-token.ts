/** Where the link in a mail leads. */
export const unsubscribePath = "/unsubscribe"

/**
 * Tokens in the links that stop mail to one person. They do nothing else, and never expire, because a mail may be read
 * years later.
 */
export function createUnsubscribeTokens(secret: string) {
  return {
    sign: (userId: number): string => `${userId}.${signatureOf(`${userId}`).toString("base64url")}`,

    /** The id of the user; null when the token is not one that `sign` returned. */
    read(token: string): number | null {
      const [, id = "", signature = ""] = /^(\d{1,16})\.([\w-]{43})$/.exec(token) ?? []
      const given = Buffer.from(signature, "base64url")
      return given.length === 32 && crypto.timingSafeEqual(given, signatureOf(id)) ? Number(id) : null
    },
  }

  function signatureOf(id: string): Buffer {
    // The prefix keeps these signatures apart from others that are made with the same key.
    return new Bun.CryptoHasher("sha256", secret).update(`unsubscribe:${id}`).digest()
  }
}

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>
