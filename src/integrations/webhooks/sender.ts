import type { SecretlessConfig } from "../../config/settings.ts"
import type { Clock } from "../../domain/clock.ts"
import type { ProgrammeOf } from "../../domain/ledger/ledger.ts"
import type { DeliveryAttempt, Event, Webhook } from "../../domain/webhooks/model.ts"
import { keyOf } from "../../domain/webhooks/webhooks.ts"
import { eventView } from "../../formats/views/event.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { createOutbound, type Outbound, RefusedDestination } from "../../net/outbound.ts"
import type { Resolve } from "../../net/resolver.ts"
import { createSealedSecrets, type SealedSecrets } from "../../security/secrets.ts"
import { createMessages, type Messages } from "./chat-messages.ts"

interface Dependencies {
  readonly config: Pick<SecretlessConfig, "service" | "webhooks">
  readonly clock: Clock
  /** The setting `security.secret_key`. */
  readonly secret: string
  readonly address: { readonly url: string }
  readonly programme: ProgrammeOf
  readonly resolve?: Resolve | undefined
}

/** What webhooks send, and the HTTP client that sends it. */
export function createWebhookSending({ config, clock, secret, address, programme, resolve }: Dependencies) {
  const { allow_private, ports, ca } = config.webhooks
  const outbound = createOutbound({
    allowPrivate: allow_private,
    ports,
    ...(ca !== null && { ca: () => readAuthorities("webhooks.ca", ca) }),
    ...(resolve && { resolve }),
  })
  const secrets = createSealedSecrets(secret, "webhooks")
  const messages = createMessages({ service: config.service, address, programme })
  return {
    outbound,
    seal: secrets.seal,
    sender: createSender({ outbound, secrets, messages, clock }),
    /**
     * Why this server would not connect to a URL, without any part of it; null when it would, or when its name cannot be
     * looked up now.
     */
    async refusalOf(url: string): Promise<string | null> {
      try {
        await outbound.check(url)
        return null
      } catch (error) {
        return error instanceof RefusedDestination ? error.rule : null
      }
    },
  }
}

interface SenderDependencies {
  readonly outbound: Pick<Outbound, "send">
  readonly secrets: SealedSecrets
  readonly messages: Messages
  readonly clock: Clock
}

/** How an attempt ended. */
interface Sent {
  readonly attempt: DeliveryAttempt
  /** How long the receiver asks to wait, in milliseconds; 0 when it does not. */
  readonly retryAfterMs: number
  /** Whether the receiver will never accept this message, although it may accept the next. */
  readonly isFinal: boolean
}

export type Sender = ReturnType<typeof createSender>

/** Sends one event to one webhook, once. */
function createSender({ outbound, secrets, messages, clock }: SenderDependencies) {
  return {
    /** The body for a webhook; null when its format has no message for the event, or it does not subscribe to the event. */
    async compose({ format, events }: Pick<Webhook, "events" | "format">, event: Event): Promise<string | null> {
      if (events.length > 0 && !events.includes(event.type)) return null
      if (format === "standard") return JSON.stringify(eventView(event))
      const message = await messages.compose(format, event)
      return message === null ? null : JSON.stringify(message)
    },

    /** The body of a test delivery. */
    composeTest({ format, id }: Webhook): string {
      const timestamp = new Date(clock()).toISOString()
      if (format === "standard") return JSON.stringify({ type: "webhook.test", timestamp, data: { webhook: id } })
      return JSON.stringify(messages.test(format))
    },

    /** Never rejects. */
    async send(webhook: Webhook, messageId: string, body: string, signal?: AbortSignal): Promise<Sent> {
      const attemptedAt = clock()
      const begun = performance.now()
      const ended = (
        rest: Omit<DeliveryAttempt, "attemptedAt" | "durationMs">,
        { retryAfterMs = 0, isFinal = false } = {},
      ): Sent => ({
        attempt: { attemptedAt, durationMs: Math.round(performance.now() - begun), ...rest },
        retryAfterMs,
        isFinal,
      })
      const failed = (error: string) => ended({ status: null, response: null, error })
      try {
        const headers = headersFor(webhook, messageId, attemptedAt, body)
        if (headers === null)
          return failed("its secret cannot be decrypted: security.secret_key has changed; make a new secret")
        const answer = await outbound.send({ method: "POST", url: webhook.url, headers, body, signal })
        const { status, headers: received, body: response } = answer
        const isFinal = webhook.format !== "standard" && isAboutMessage(status)
        const error = status >= 200 && status < 300 ? null : problemOf(status, isFinal)
        const retryAfterMs = retryAfterOf(received["retry-after"], attemptedAt)
        return ended({ status, response: printable(response), error }, { retryAfterMs, isFinal })
      } catch (error) {
        return failed(reasonOf(error))
      }
    },
  }

  function headersFor(webhook: Webhook, messageId: string, now: number, body: string): Record<string, string> | null {
    const json = { "content-type": "application/json" }
    if (webhook.format !== "standard") return json // the URL itself is the secret
    const secret = secrets.open(webhook.secret)
    if (secret === null) return null
    const isOverlapping = webhook.oldSecretUntil !== null && now < webhook.oldSecretUntil
    const old = isOverlapping && webhook.oldSecret !== null ? secrets.open(webhook.oldSecret) : null
    return { ...json, ...signed(messageId, now, body, old === null ? [secret] : [secret, old]) }
  }
}

function problemOf(status: number, isFinal: boolean): string {
  if (isFinal) return `answered ${status}: it will never accept this message, so it is not sent again`
  return status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`
}

/** Whether a status refuses what was sent, and not the address, the access or the moment. */
const isAboutMessage = (status: number): boolean => status >= 400 && status < 500 && !otherRefusals.has(status)

/** Somebody can correct what these are about, or it passes. Then the receiver accepts the message that waits. */
const otherRefusals: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 408, 410, 421, 423, 425, 429, 451])

/** PostgreSQL cannot store the character NUL. */
const printable = (text: string): string => text.replaceAll("\0", "\ufffd")

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof RefusedDestination) return `refused: ${error.message}`
  const code = "code" in error && typeof error.code === "string" ? error.code : null
  return (code === null || error.message.includes(code) ? error.message : `${error.message} (${code})`).slice(0, 500)
}

/**
 * Milliseconds to wait, from the header `Retry-After`, which holds a number of seconds or a date; 0 without it. Discord counts
 * parts of a second, too.
 */
function retryAfterOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const ms = /^\d{1,9}(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0
}

/**
 * The headers of the Standard Webhooks specification. With several secrets, a receiver that knows one of them can verify.
 */
function signed(id: string, now: number, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = `${Math.floor(now / 1000)}`
  const signatures = secrets.map((secret) => {
    const mac = new Bun.CryptoHasher("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}
