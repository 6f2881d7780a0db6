import { isEqualInConstantTime } from "../../security/secrets.ts"

/** Older requests are refused, because an attacker may replay them. */
const maxAgeSeconds = 300

interface Signed {
  readonly secret: string
  readonly timestamp: string | null
  readonly signature: string | null
  readonly body: Uint8Array
}

/** Whether Slack signed this body (version v0) within the last five minutes. */
export function isSignedBySlack({ secret, timestamp, signature, body }: Signed, now: number): boolean {
  if (timestamp === null || signature === null || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) return false
  const expected = `v0=${new Bun.CryptoHasher("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`
  return isEqualInConstantTime(signature, expected)
}
