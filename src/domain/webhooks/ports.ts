import type { AuditEntry, EntryOf } from "../audit/ports.ts"
import type { Once } from "../idempotency/ports.ts"
import type {
  Attempted,
  Delivery,
  DeliveryState,
  NewWebhook,
  RecordedEvent,
  Webhook,
  WebhookChange,
  WebhookRound,
} from "./model.ts"

/**
 * Events for webhooks and `GET /api/v1/events`. Those of users and redemptions are recorded in the commit of the
 * change.
 */
export interface EventStore {
  /** Records the events of at most `limit` transactions that have none yet, in one commit. Returns their number. */
  recordTransactions(limit: number, now: number): Promise<number>
  /** Events with a higher id, ascending, at most `limit`. Once an id was returned, no lower one appears later. */
  after(id: number, limit: number): Promise<RecordedEvent[]>
  /** 0 when there was none yet. */
  lastId(): Promise<number>
  /** The id of the last event recorded before this time; 0 when there is none. */
  lastBefore(time: number): Promise<number>
  /** Deletes events recorded before this time. */
  prune(before: number): Promise<void>
}

/** Webhooks and their deliveries. A method that takes an `audit` entry writes it in the same commit. */
export interface WebhookStore {
  /** Ascending by id. */
  list(): Promise<Webhook[]>
  find(id: number): Promise<Webhook | null>
  /** The webhook gets the events of what happens from now on. */
  create(webhook: NewWebhook, audit: AuditEntry, once?: Once<Webhook>): Promise<Webhook>
  /**
   * Sets the fields that are given and resets the failures, so that the next attempt is due now. Null when there is
   * none.
   */
  update(id: number, change: WebhookChange, audit: EntryOf<Webhook>, once?: Once<Webhook>): Promise<Webhook | null>
  /** Deletes the webhook and its deliveries. False when there is none with this id. */
  remove(id: number, audit: AuditEntry): Promise<boolean>

  delivery(id: number): Promise<Delivery | null>
  /** Newest first. */
  deliveries(
    webhookId: number,
    query: {
      readonly state?: DeliveryState | undefined
      readonly before?: number | undefined
      readonly limit: number
    },
  ): Promise<Delivery[]>
  /** Adds a delivery that has not been attempted. */
  enqueue(webhookId: number, eventId: number, audit: AuditEntry, once?: Once<Delivery>): Promise<Delivery>
  /**
   * Skips a waiting delivery and resets the failures of its webhook, so that the next delivery is due now. Null when
   * the delivery is not waiting.
   */
  skip(id: number, audit: AuditEntry): Promise<Delivery | null>
  /** Adds a delivery that was attempted outside a round, such as a test. Null when the webhook no longer exists. */
  saveAttempt(webhookId: number, attempted: Omit<Attempted, "deliveryId">): Promise<Delivery | null>

  /**
   * Leases one webhook to `owner`: active, with something to deliver, and with its next attempt due by `now`. Of
   * several, the one that has waited longest. Null when there is none. A lease that ends later than two leases from now,
   * and an attempt that is due later than a pause can last (`latestRetryAt`), were dated by a wrong clock: they are due.
   */
  claim(owner: string, now: number, leaseMs: number): Promise<Webhook | null>
  /** Deliveries in state `waiting`, ascending by id, at most `limit`. */
  waiting(webhookId: number, limit: number): Promise<Delivery[]>
  /**
   * Stores the attempts of a round and ends the lease. `lost`, with nothing changed, when `owner` no longer holds it.
   * `changed` when somebody changed the webhook during the round: then its failures do not count. A delivery that was
   * skipped meanwhile stays skipped unless it arrived.
   */
  endRound(round: WebhookRound, audit?: AuditEntry): Promise<"stored" | "changed" | "lost">
  /** Keeps the newest `kept` finished deliveries of each webhook. */
  prune(kept: number): Promise<void>
}
