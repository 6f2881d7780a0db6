import { auditEntry } from "../audit/audit-log.ts"
import type { AuditValues, Origin } from "../audit/ports.ts"
import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { clockSkewMs } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { alsoMaking, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import { createLease } from "../jobs/lease.ts"
import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { Store } from "../store.ts"
import { checkMarks, isLine, isLongerThan, sha256, wordOf } from "../text.ts"
import { checkedTypes } from "./events.ts"
import {
  type Delivery,
  type DeliveryAttempt,
  deliveryStates,
  type Webhook,
  type WebhookFields,
  type WebhookFormat,
  webhookFormats,
} from "./model.ts"

/** How many webhooks there may be. The server delivers to all at the same time, so that none waits for another. */
export const maxWebhooks = 20
/** In characters. */
export const maxWebhookUrl = 2048
export const maxWebhookDescription = 100
/** How long messages are signed with the old secret too, after a rotation. */
const overlapMs = dayMs
/** How many finished deliveries of each webhook are kept. */
export const keptDeliveries = 1000

/** The longest pause before the next attempt that a receiver can ask for. */
export const longestPauseMs = dayMs

/** An attempt that is due later than this was put off by a wrong clock. */
export const latestRetryAt = (now: number): number => now + longestPauseMs + clockSkewMs

const secretPrefix = "whsec_"

/** The fields of a request; `undefined` leaves one as it is. */
interface WebhookRequest {
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly format?: string | undefined
  readonly description?: string | null | undefined
  readonly active?: boolean | undefined
}

/** The query parameters of GET /api/v1/webhooks/{id}/deliveries, parsed. */
interface DeliveryQuery extends PageQuery {
  readonly state?: string | undefined
}

/** A webhook that the settings ask for. */
interface SettingWebhook {
  /** The setting, such as `slack.webhook_url`. */
  readonly setting: string
  readonly url: string | null
  readonly format: WebhookFormat
}

const server: Origin = { who: null, way: "server", address: null }

/** A webhook with its secret, which is shown only now. */
interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

interface Dependencies {
  readonly store: Pick<Store, "events" | "schedule" | "webhooks">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
  /** Encrypts a secret for the database. */
  readonly seal: (secret: string) => string
  /** Why this server refuses to connect to a URL; null when it does not, or when the name cannot be looked up now. */
  readonly refusalOf: (url: string) => Promise<string | null>
  readonly sender: {
    readonly composeTest: (webhook: Webhook) => string
    readonly send: (webhook: Webhook, messageId: string, body: string) => Promise<{ readonly attempt: DeliveryAttempt }>
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

/** Webhooks, for superusers and operators (docs/interface/webhooks.md). */
export function createWebhooks({
  store: { events, schedule, webhooks },
  clock,
  makeOnce,
  seal,
  refusalOf,
  sender,
}: Dependencies) {
  return {
    list: (): Promise<Webhook[]> => webhooks.list(),

    /** Adds a webhook. Its secret is shown only now. @throws DomainError `invalid`, and those of `MakeOnce` */
    add: (by: Origin, request: WebhookRequest, keyed?: KeyedRequest | null): Promise<CreatedWebhook> =>
      create(by, request, null, keyed),

    /**
     * Brings the webhook of a setting in line with the setting: adds it, changes its address, or removes it (null). One
     * process does this at a time. Every start calls this, so it writes nothing when nothing has changed.
     */
    async applySetting({ setting, url, format }: SettingWebhook): Promise<void> {
      const find = async () => (await webhooks.list()).find((one) => one.setting === setting)
      if (((await find())?.url ?? null) === url) return
      // Due again after a refusal too: the next start may have another setting.
      await createLease(schedule, { name: setting, everyMs: 0, leaseMs: 60_000 }, clock).hold(async () => {
        const before = await find()
        if (url === null && before) await this.remove(server, before)
        if (url !== null && before && before.url !== url) await this.change(server, before, { url })
        if (url !== null && !before) await create(server, { url, format, description: setting }, setting)
      })
    },

    /** Changes the fields that are given. @throws DomainError `invalid`, `webhook_not_found` */
    async change(by: Origin, before: Webhook, request: WebhookRequest): Promise<Webhook> {
      const fields = await checked(before, request)
      const at = clock()
      const entry = (before: Webhook, after: Webhook) =>
        auditEntry(by, at, "webhook_changed", {
          detail: summaryOf(after),
          before: valuesOf(before),
          after: valuesOf(after),
        })
      // Only the given fields: the others may have changed meanwhile, or the server may have deactivated the webhook.
      const { url, events: types, format, description, active } = request
      const change = {
        ...(url !== undefined && { url: fields.url }),
        ...(types !== undefined && { events: fields.events }),
        ...(format !== undefined && { format: fields.format }),
        ...(description !== undefined && { description: fields.description }),
        ...(active !== undefined && { isActive: fields.isActive }),
      }
      return found(await webhooks.update(before.id, change, entry))
    },

    /** @throws DomainError `webhook_not_found` */
    async remove(by: Origin, webhook: Webhook): Promise<void> {
      const entry = auditEntry(by, clock(), "webhook_removed", {
        detail: summaryOf(webhook),
        before: valuesOf(webhook),
      })
      if (!(await webhooks.remove(webhook.id, entry))) throw new DomainError("webhook_not_found")
    },

    /**
     * Makes a new secret, which is shown only now. Messages are signed with the old one too, for a day.
     * @throws DomainError `webhook_not_found`, and those of `MakeOnce`
     */
    async rotate(by: Origin, before: Webhook, keyed?: KeyedRequest | null): Promise<CreatedWebhook> {
      return makeOnce(keyed, async (once) => {
        const secret = newSecret()
        const now = clock()
        const change = { secret: seal(secret), oldSecretUntil: now + overlapMs }
        const entry = auditEntry(by, now, "webhook_changed", { detail: `new secret: ${summaryOf(before)}` })
        const made = (webhook: Webhook) => ({ webhook, secret })
        return made(found(await webhooks.update(before.id, change, entry, alsoMaking(once, made))))
      })
    },

    /** Newest first. @throws DomainError `invalid` */
    async deliveries(webhook: Webhook, { state, ...query }: DeliveryQuery): Promise<PageBefore<Delivery>> {
      const range = pageRange(query, "a delivery")
      const known = state === undefined ? undefined : wordOf("state", deliveryStates, state)
      return pageAmong(await webhooks.deliveries(webhook.id, { state: known, ...range }), range)
    },

    /** Sends a test now, once, also to a webhook that is not active. @throws DomainError `webhook_not_found` */
    async test(webhook: Webhook): Promise<Delivery> {
      const { attempt } = await sender.send(webhook, `test_${crypto.randomUUID()}`, sender.composeTest(webhook))
      const state = attempt.error === null ? "delivered" : "failed"
      const delivery = await webhooks.saveAttempt(webhook.id, { eventId: null, state, attempt })
      if (!delivery) throw new DomainError("webhook_not_found")
      return delivery
    },

    /** Sends the event of a delivery once more. @throws DomainError `not_replayable` for a test, and those of `MakeOnce` */
    async replay(by: Origin, { webhookId, eventId }: Delivery, keyed?: KeyedRequest | null): Promise<Delivery> {
      if (eventId === null) throw new DomainError("not_replayable")
      const detail = `event ${eventId} to webhook ${webhookId}`
      const entry = auditEntry(by, clock(), "webhook_replayed", { detail })
      return makeOnce(keyed, (once) => webhooks.enqueue(webhookId, eventId, entry, once))
    },

    /**
     * Skips a waiting delivery, such as one that its receiver always refuses, so that those after it are delivered. The
     * event can be replayed. @throws DomainError `not_waiting`
     */
    async skip(by: Origin, { id, webhookId, eventId }: Delivery): Promise<Delivery> {
      const detail = `event ${eventId} to webhook ${webhookId}`
      const skipped = await webhooks.skip(id, auditEntry(by, clock(), "webhook_skipped", { detail }))
      if (skipped === null) throw new DomainError("not_waiting")
      return skipped
    },

    /** The oldest waiting delivery, for which the others wait. @throws DomainError `not_waiting` */
    async oldestWaiting({ id }: Webhook): Promise<Delivery> {
      const [oldest] = await webhooks.waiting(id, 1)
      if (!oldest) throw new DomainError("not_waiting")
      return oldest
    },

    /**
     * Sends every event since a time again, in order, before any new one.
     * @throws DomainError `invalid`, `webhook_not_found`, and those of `MakeOnce`
     */
    async replaySince(
      by: Origin,
      { id, lastEvent: last }: Webhook,
      since: string,
      keyed?: KeyedRequest | null,
    ): Promise<Webhook> {
      const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(since)
        ? Date.parse(since)
        : Number.NaN
      if (Number.isNaN(time)) throw invalid("since", "a time such as 2026-11-22T09:00:00Z")
      const lastEvent = Math.min(last, await events.lastBefore(time)) // events that were not sent yet stay due
      const entry = auditEntry(by, clock(), "webhook_replayed", { detail: `events since ${since} to webhook ${id}` })
      return makeOnce(keyed, async (once) => found(await webhooks.update(id, { lastEvent }, entry, once)))
    },

    /** Deletes the oldest finished deliveries of each webhook beyond `keptDeliveries`. */
    sweep: (): Promise<void> => webhooks.prune(keptDeliveries),
  }

  function create(
    by: Origin,
    request: WebhookRequest,
    setting: string | null,
    keyed?: KeyedRequest | null,
  ): Promise<CreatedWebhook> {
    return makeOnce(keyed, async (once) => {
      const { url } = request
      if (!url) throw invalid("url", "the address of the receiver")
      const fields = await checked({ ...defaults, url: "" }, { ...request, url })
      if ((await webhooks.list()).length >= maxWebhooks)
        throw invalid("url", `there are ${maxWebhooks} webhooks already`)
      const secret = newSecret()
      const entry = auditEntry(by, clock(), "webhook_added", {
        detail: summaryOf(fields),
        after: valuesOf(fields),
      })
      const made = (webhook: Webhook) => ({ webhook, secret })
      return made(await webhooks.create({ ...fields, setting, secret: seal(secret) }, entry, alsoMaking(once, made)))
    })
  }

  async function checked(before: WebhookFields, request: WebhookRequest): Promise<WebhookFields> {
    const { url = before.url, description = before.description, active } = request
    const format = wordOf("format", webhookFormats, request.format ?? before.format)
    if (description !== null && (isLongerThan(description, maxWebhookDescription) || !isLine(description)))
      throw invalid("description", `at most ${maxWebhookDescription} characters, without invisible ones`)
    checkMarks("description", description ?? "")
    const types = request.events === undefined ? before.events : checkedTypes("events", request.events)
    if (isLongerThan(url, maxWebhookUrl) || !isLine(url)) throw invalid("url", `at most ${maxWebhookUrl} characters`)
    const refusal = url === before.url ? null : await refusalOf(url)
    if (refusal !== null) throw invalid("url", refusal)
    return { url, events: types, format, description, isActive: active ?? before.isActive }
  }
}

const defaults: Omit<WebhookFields, "url"> = { events: [], format: "standard", description: null, isActive: true }

const newSecret = (): string =>
  secretPrefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")

/** The signing key that a secret contains, by the specification Standard Webhooks. */
export const keyOf = (secret: string): Uint8Array => Buffer.from(secret.slice(secretPrefix.length), "base64")

/** For the audit log. A path and query, which may hold a secret of the receiver, are told apart by a part of their hash. */
const valuesOf = ({ url, events, format, description, isActive }: WebhookFields): AuditValues => ({
  url: `${URL.parse(url)?.origin ?? "no URL"} (${sha256(url).slice(0, 8)})`,
  events,
  format,
  description,
  active: isActive,
})

/** For the audit log. Leaves out path and query of the URL, which may hold a secret of the receiver. */
const summaryOf = ({ url, format, isActive }: WebhookFields): string =>
  `${URL.parse(url)?.origin ?? "no URL"}, ${format}${isActive ? "" : ", inactive"}`

function found(webhook: Webhook | null): Webhook {
  if (!webhook) throw new DomainError("webhook_not_found")
  return webhook
}
