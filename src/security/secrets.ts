export type SealedSecrets = ReturnType<typeof createSealedSecrets>

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts secrets in the database (of webhooks and of one-time codes), so that a backup alone does not reveal them:
 * AES-256-GCM with a key derived from `security.secret_key`. `purpose` gives each kind of secret a key of its own.
 */
export function createSealedSecrets(secret: string, purpose: string) {
  // Loaded on first use: most servers have no such secret.
  const crypto = () => process.getBuiltinModule("node:crypto")
  let derived: Uint8Array | undefined
  const key = () => {
    derived ??= new Uint8Array(crypto().hkdfSync("sha256", secret, "", `rewards:${purpose}`, 32))
    return derived
  }

  return {
    seal(plain: string): string {
      const nonce = crypto().randomBytes(nonceBytes)
      const cipher = crypto().createCipheriv("aes-256-gcm", key(), nonce)
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
      return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64")
    },
    /** Null when it was sealed with another `security.secret_key`, or damaged. */
    open(sealed: string): string | null {
      const bytes = Buffer.from(sealed, "base64")
      if (bytes.length < nonceBytes + tagBytes) return null
      const decipher = crypto().createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
      } catch {
        return null
      }
    },
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && crypto.timingSafeEqual(first, second)
}

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
