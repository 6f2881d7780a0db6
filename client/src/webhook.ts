/** An event that the service sends to a webhook. */
export interface WebhookEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** How far the clocks of both sides may differ. */
const toleranceSeconds = 300

/**
 * The event of a delivery, once its signature is verified (Standard Webhooks). `body` is the text as it arrived: a parsed and
 * printed one is another. The same `webhook-id` may come twice; handle it once.
 * @throws Error when it does not come from the service, or is older than five minutes
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  /** `whsec_…` */
  secret: string,
  now: number = Date.now(),
): Promise<WebhookEvent> {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]) ?? ""
  const [id, timestamp] = [read("webhook-id"), read("webhook-timestamp")]
  const age = Math.abs(now / 1000 - Number(timestamp))
  if (id === "" || !/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new Error("the webhook is too old or has no id")
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), algorithm, false, ["verify"])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of read("webhook-signature").split(" ")) {
    const [version, value = ""] = signature.split(",", 2)
    // `verify` compares in constant time.
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesOf(value), signed)))
      return JSON.parse(body) as WebhookEvent
  }
  throw new Error("the signature of the webhook is wrong")
}

/** Empty for what is no Base64, which then fits no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
