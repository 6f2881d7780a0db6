import { keyOf } from "../domain/webhooks.ts"

/**
 * The headers of the Standard Webhooks specification. With several secrets, a receiver that knows one of them can verify.
 */
export function signed(id: string, now: number, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = `${Math.floor(now / 1000)}`
  const signatures = secrets.map((secret) => {
    const mac = new Bun.CryptoHasher("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}
