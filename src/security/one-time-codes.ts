import type { OneTimeCodes } from "../domain/auth/second-factors.ts"
import { createSealedSecrets } from "./secrets.ts"

/** Clocks may differ, so the codes before and after the current one are accepted too. */
const window = 1
const period = 30
const secretBytes = 20

interface CodeOptions {
  /** The setting `security.secret_key`. Without it, nobody can compute codes from the database or a backup. */
  readonly secret: string
  /** Shown by the app beside the username. */
  readonly serviceName: string
}

/** Six digits every 30 seconds (RFC 6238), as every authenticator app shows them. */
export function createOneTimeCodes({ secret, serviceName }: CodeOptions): OneTimeCodes {
  const sealed = createSealedSecrets(secret, "one-time codes")

  return {
    async newSecret({ username }) {
      const { Secret, TOTP } = await import("otpauth")
      const made = new Secret({ size: secretBytes })
      const totp = new TOTP({ issuer: serviceName, label: username, secret: made, period })
      return { key: sealed.seal(made.base32), secret: made.base32, uri: totp.toString() }
    },

    async stepOf(code, key, now) {
      const token = code.replaceAll(/\s/g, "")
      if (!/^\d{6}$/.test(token)) return null
      const base32 = sealed.open(key)
      if (base32 === null) return null
      const { Secret, TOTP } = await import("otpauth")
      const totp = new TOTP({ secret: Secret.fromBase32(base32), period })
      const delta = totp.validate({ token, timestamp: now, window })
      return delta === null ? null : Math.floor(now / (period * 1000)) + delta
    },
  }
}
