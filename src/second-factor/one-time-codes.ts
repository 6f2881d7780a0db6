import type { OneTimeCodes } from "../domain/auth/second-factors.ts"

/** Clocks may differ: the code before and the one after the current one are right too. */
const window = 1
const period = 30
const secretBytes = 20
const nonceBytes = 12

interface Options {
  /** The setting `security.secret_key`. Whoever reads the database or a backup without it cannot make codes. */
  readonly secret: string
  /** Shown by the app beside the username. */
  readonly serviceName: string
}

/** Six digits every 30 seconds (RFC 6238), as every authenticator app shows them. */
export function createOneTimeCodes({ secret, serviceName }: Options): OneTimeCodes {
  const keys = lazily(() => encryptionKey(secret))

  return {
    async newSecret({ username }) {
      const { Secret, TOTP } = await import("otpauth")
      const made = new Secret({ size: secretBytes })
      const totp = new TOTP({ issuer: serviceName, label: username, secret: made, period })
      return { key: await encrypted(made.bytes), secret: made.base32, uri: totp.toString() }
    },

    async stepOf(code, key, now) {
      const token = code.replaceAll(/\s/g, "")
      if (!/^\d{6}$/.test(token)) return null
      const bytes = await decrypted(key)
      if (bytes === null) return null
      const { Secret, TOTP } = await import("otpauth")
      const totp = new TOTP({ secret: new Secret({ buffer: bytes }), period })
      const delta = totp.validate({ token, timestamp: now, window })
      return delta === null ? null : Math.floor(now / (period * 1000)) + delta
    },
  }

  async function encrypted(bytes: Uint8Array): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keys(), Buffer.from(bytes))
    return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url")
  }

  /** Null when it was encrypted with another key, or changed. */
  async function decrypted(text: string): Promise<ArrayBuffer | null> {
    const bytes = Buffer.from(text, "base64url")
    const [iv, sealed] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)]
    return crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keys(), sealed).catch(() => null)
  }
}

/** The name keeps this key apart from what else is made of the same secret. */
async function encryptionKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", Buffer.from(secret), "HKDF", false, ["deriveKey"])
  const salt = new Uint8Array()
  const info = Buffer.from("secrets of one-time codes")
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info }
  return crypto.subtle.deriveKey(algorithm, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
