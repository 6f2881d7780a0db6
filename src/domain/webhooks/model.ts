import type { Receiver, TransactionEntry } from "../ledger/model.ts"
import type { User } from "../people/model.ts"
import type { Recognition } from "../recognition/model.ts"
import type { Redemption } from "../rewards/model.ts"

export const eventTypes = [
  "transaction.created",
  "transaction.reversed",
  "user.created",
  "user.updated",
  "user.renamed",
  "user.deactivated",
  "occasion.celebrated",
  "redemption.requested",
  "redemption.fulfilled",
  "redemption.declined",
] as const

export type EventType = (typeof eventTypes)[number]

/** An event as it is stored. Whether a transaction was created or reversed follows from its kind. */
export interface RecordedEvent {
  readonly id: number
  readonly type: Exclude<EventType, "transaction.created" | "transaction.reversed"> | "transaction"
  /** The id of the user, the change of a username, the occasion, the redemption or the transaction. */
  readonly subject: number
  /** When it was recorded. */
  readonly at: number
}

/** An event with the present state of its subject. */
export type Event = { readonly id: number; readonly at: number } & (
  | {
      readonly type: "transaction.created" | "transaction.reversed"
      readonly transaction: TransactionEntry
      /** Of a transaction that is an entry of the feed (`isFeedEntry`): everybody who was thanked. Otherwise empty. */
      readonly receivers: readonly Receiver[]
    }
  | { readonly type: "user.created" | "user.updated" | "user.deactivated"; readonly user: User }
  | { readonly type: "user.renamed"; readonly user: User; readonly former: string }
  | { readonly type: "occasion.celebrated"; readonly occasion: Recognition }
  | {
      readonly type: "redemption.requested" | "redemption.fulfilled" | "redemption.declined"
      readonly redemption: Redemption
    }
)

/** `standard` sends every event as JSON, signed; the others send recognitions as chat messages. */
export const webhookFormats = ["standard", "slack", "teams", "discord"] as const

export type WebhookFormat = (typeof webhookFormats)[number]

export interface WebhookFields {
  readonly url: string
  /** Empty: all. */
  readonly events: readonly EventType[]
  readonly format: WebhookFormat
  readonly description: string | null
  readonly isActive: boolean
}

/** Secrets are encrypted. */
interface WebhookSecrets {
  readonly secret: string
  /** The secret before the last rotation. Until `oldSecretUntil`, messages are signed with it too. */
  readonly oldSecret: string | null
  readonly oldSecretUntil: number | null
}

export interface Webhook extends WebhookFields, WebhookSecrets {
  readonly id: number
  /** Why the server deactivated the webhook; null when it did not. */
  readonly stoppedBecause: string | null
  /** The setting that it belongs to; null for one that people made. */
  readonly setting: string | null
  /** How many times it was changed. */
  readonly revision: number
  /** All events up to this one were delivered or have a waiting delivery. */
  readonly lastEvent: number
  /** How many attempts have failed since the last success, and when the first of them failed. */
  readonly failures: number
  readonly failingSince: number | null
  /** The earliest time of the next attempt. */
  readonly retryAt: number
  readonly lastSuccessAt: number | null
}

export type NewWebhook = WebhookFields & Pick<WebhookSecrets, "secret"> & Pick<Webhook, "setting">

export interface WebhookChange extends Partial<WebhookFields> {
  /** The secret that it replaces becomes the old one. */
  readonly secret?: string
  readonly oldSecretUntil?: number
  /** Sends the events after this one again. */
  readonly lastEvent?: number
}

export const deliveryStates = ["waiting", "delivered", "failed", "skipped"] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** The last attempt of a delivery. */
export interface DeliveryAttempt {
  readonly attemptedAt: number
  readonly durationMs: number
  /** The HTTP status and the beginning of the answer; null without an answer. */
  readonly status: number | null
  readonly response: string | null
  /** What went wrong; null when nothing did. */
  readonly error: string | null
}

export interface Delivery {
  readonly id: number
  readonly webhookId: number
  /** Null for a test. */
  readonly eventId: number | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: number
  readonly attempt: DeliveryAttempt | null
}

/** One attempt: of a waiting delivery, or of an event that had no delivery yet. */
export interface Attempted {
  /** Null: a new delivery. */
  readonly deliveryId: number | null
  readonly eventId: number | null
  readonly state: DeliveryState
  readonly attempt: DeliveryAttempt
}

/** How many webhooks there are. A failing webhook also counts as active. */
export interface WebhookCounts {
  readonly active: number
  readonly failing: number
  /** Deactivated by the server. */
  readonly stopped: number
}

/** What a process did for a webhook during one lease. */
export interface WebhookRound {
  readonly webhook: Pick<Webhook, "id" | "lastEvent" | "revision">
  readonly owner: string
  readonly attempted: readonly Attempted[]
  /** The new `lastEvent`. It is ignored when somebody has set another one meanwhile. */
  readonly lastEvent: number
  readonly failures: number
  readonly failingSince: number | null
  readonly retryAt: number
  /** Null: no success in this round. */
  readonly lastSuccessAt: number | null
  /** Deactivates the webhook. */
  readonly stoppedBecause: string | null
}
