import type { SecretlessConfig } from "../../config/settings.ts"
import type { Clock } from "../../domain/clock.ts"
import { pushKind } from "../../domain/jobs/jobs.ts"
import type { Language } from "../../domain/languages.ts"
import type { ProgrammeOf } from "../../domain/ledger/ledger.ts"
import type { Programme } from "../../domain/programme/model.ts"
import { type createPushContents, type PushContent, usefulMs } from "../../domain/push/dispatch.ts"
import type { PushDevice } from "../../domain/push/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import { backoffMs } from "../../jobs/backoff.ts"
import { fill } from "../../languages/writing.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { createOutbound, RefusedDestination } from "../../net/outbound.ts"
import type { Resolve } from "../../net/resolver.ts"
import { createSealedSecrets } from "../../security/secrets.ts"
import type { Log } from "../../support/log.ts"
import { mailWords } from "../mail/words.ts"
import { encrypted } from "./encryption.ts"
import { newVapidKeys, type VapidKeys, vapidHeader } from "./vapid.ts"

/** How long a push service may take to answer, its name included. */
export const answerMs = 3000
/** How long a device is kept whose push service does not answer at all. */
const silentMs = usefulMs

/** How many characters of a reason are sent: what a phone shows. */
const maxReason = 200

interface Dependencies {
  readonly config: Pick<SecretlessConfig, "email" | "push" | "service" | "webhooks">
  readonly store: Pick<Store, "push">
  readonly programme: ProgrammeOf
  readonly contentOf: ReturnType<typeof createPushContents>
  readonly clock: Clock
  readonly log: Log
  /** The setting `security.secret_key`. */
  readonly secret: string
  readonly address: { readonly url: string }
  readonly resolve?: Resolve | undefined
}

/** What `sw.js` shows; it opens `url`. A message with the same `tag` replaces the one before. */
interface Notice {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

/**
 * The error of a message that was not taken. The log has the reason and the cure, and `rewards doctor` shows both. Only a message
 * that is too large (413) is never taken. Any other cause may pass: the operator corrects the address of the sender, or a proxy
 * between this server and the service no longer redirects.
 */
function failureOf(reason: string, status = 0): Error {
  const cure = cures[status]
  const message = cure === undefined ? reason : `${reason}: ${cure}`
  const explanation = cure === undefined ? {} : { cure }
  const failure =
    status === 413 ? new PermanentFailure(message, explanation) : new TemporaryFailure(message, explanation)
  return Object.assign(failure, { code: reason })
}

const sender = "set server.base_url or email.smtp_sender, and check the clock, so that it accepts the sender"
const between = "let this server reach it directly; a proxy or portal between them answers in its place"
const cures: Readonly<Record<number, string>> = {
  ...Object.fromEntries([400, 401, 403].map((status) => [status, sender])),
  ...Object.fromEntries([301, 302, 303, 307, 308, 407, 511].map((status) => [status, between])),
}

/**
 * Until when nothing is sent to a device whose push service is silent: the shortest time that a single message would have waited by
 * now. So however many messages wait, they are tried no more often than one.
 */
function quietUntil({ silences, silentSince }: PushDevice): number {
  let until = silentSince ?? 0
  for (let silence = 1; silence <= silences; silence += 1) until += backoffMs(silence, 0)
  return until
}

/** Without the path, which only the service may know. */
const serviceOf = ({ endpoint }: PushContent["device"]): string => `the push service ${new URL(endpoint).host}`

/** Sends messages to browsers through their push services. */
export function createPushSending({
  config,
  store,
  programme,
  contentOf,
  clock,
  log,
  secret,
  address,
  resolve,
}: Dependencies) {
  const { push } = store
  const { ports, ca } = config.webhooks
  const outbound = createOutbound({
    allowPrivate: config.push.allow_private,
    allowPrivateSetting: "push.allow_private",
    ports,
    ...(ca !== null && { ca: () => readAuthorities("webhooks.ca", ca) }),
    ...(resolve && { resolve }),
    timeoutMs: answerMs,
  })
  const secrets = createSealedSecrets(secret, "push keys")

  return {
    /** With which browsers subscribe. */
    publicKey: async (): Promise<string> => (await keys()).publicKey,

    /** Why this server would not connect to a URL, without any part of it; null when it would, or cannot look it up now. */
    async refusalOf(url: string): Promise<string | null> {
      try {
        if (!url.startsWith("https://")) return "it is not an https URL"
        await outbound.check(url)
        return null
      } catch (error) {
        return error instanceof RefusedDestination ? error.rule : null
      }
    },

    handlers: { [pushKind]: send } satisfies Record<string, Handler>,

    close: outbound.close,
  }

  /** The result says what became of the message. @throws TemporaryFailure, PermanentFailure */
  async function send(payload: unknown): Promise<string> {
    const content = await contentOf(jobOf(payload))
    if (content === null) return "nothing to send"
    const { device } = content
    if (clock() < quietUntil(device)) throw failureOf(`${serviceOf(device)} is silent`)
    const answer = await post(content)
    if (typeof answer === "string") return afterSilence(device, answer)
    if (device.silences > 0) await push.saveSilence(device.id, { silences: 0, silentSince: null })
    const { status, wait } = answer
    if (status === 404 || status === 410) {
      await push.remove(device.userId, device.id)
      return "the device is gone"
    }
    if (status < 200 || status >= 300) throw failureOf(`${serviceOf(device)} answered ${status}${wait}`, status)
    await push.saveUse(device.id, clock())
    return "sent"
  }

  /** Gives the device up when its push service has been silent for long. @throws the failure otherwise */
  async function afterSilence({ id, userId, ...device }: PushDevice, reason: string): Promise<string> {
    const now = clock()
    const silentSince = device.silentSince ?? now
    if (now - silentSince < silentMs) {
      await push.saveSilence(id, { silences: device.silences + 1, silentSince })
      throw failureOf(reason)
    }
    await push.remove(userId, id)
    log.warn("a device was removed, because its push service has not answered for a day", { error: reason })
    return "the device is given up"
  }

  /** The answer, or why there is none. @throws TemporaryFailure when this server would not connect */
  async function post(content: PushContent): Promise<{ readonly status: number; readonly wait: string } | string> {
    const { endpoint } = content.device
    const message = new TextEncoder().encode(
      JSON.stringify(noticeOf(content, config.service.language, await programme())),
    )
    // Before the exchange: what fails here is no silence of the push service.
    const sent = {
      authorization: vapidHeader(endpoint, await keys(), subject(), clock()),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: `${usefulMs / 1000}`,
      urgency: "normal",
    }
    const body = encrypted(message, content.device)
    try {
      const { status, headers } = await outbound.send({ method: "POST", url: endpoint, headers: sent, body })
      const wait = headers["retry-after"] === undefined ? "" : `, retry after ${headers["retry-after"]}`
      return { status, wait }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof RefusedDestination) throw failureOf(reason)
      return reason
    }
  }

  /** Push services want an address of the operator, and some refuse one that cannot exist. */
  function subject(): string {
    return address.url.startsWith("https:") ? address.url : `mailto:${config.email.smtp_sender}`
  }

  /** Made on first use. Keys that another `security.secret_key` encrypted are replaced, and the browsers subscribe again. */
  async function keys(): Promise<VapidKeys> {
    const stored = await push.keys()
    const opened = stored && secrets.open(stored.privateKey)
    if (stored && opened !== null) return { publicKey: stored.publicKey, privateKey: opened }
    if (stored)
      log.warn("the push keys cannot be decrypted, since security.secret_key has changed; people are asked again")
    const made = newVapidKeys()
    const kept = await push.keepKeys(
      { publicKey: made.publicKey, privateKey: secrets.seal(made.privateKey) },
      stored?.publicKey ?? null,
    )
    return kept.publicKey === made.publicKey ? made : keys()
  }
}

function noticeOf(
  { language, from, isAddition, said, entryId, transactionId }: PushContent,
  ofService: Language,
  programme: Programme,
): Notice {
  const { texts, points } = mailWords(language ?? ofService, programme)
  const [whole, short] = isAddition
    ? [texts.added.subject, texts.push.added]
    : [texts.thanks.subject, texts.push.thanked]
  return {
    title: said === null ? fill(short, { from }) : fill(whole, { from, points: points(said.value) }),
    body: said === null ? "" : beginningOf(said.reason),
    url: `/recognition/${entryId}`,
    tag: `transaction ${transactionId}`,
  }
}

function beginningOf(reason: string): string {
  const letters = [...new Intl.Segmenter().segment(reason.slice(0, 4 * maxReason))].map(({ segment }) => segment)
  return letters.length > maxReason ? `${letters.slice(0, maxReason).join("")}…` : letters.join("")
}

function jobOf(payload: unknown) {
  const { transactionId, deviceId, userId } = (payload ?? {}) as Readonly<Record<string, unknown>>
  if (typeof transactionId !== "number" || typeof deviceId !== "number" || typeof userId !== "number")
    throw new PermanentFailure("the payload is not that of a message to a device")
  return { transactionId, deviceId, userId }
}
