import type {
  Attempted,
  Delivery,
  DeliveryAttempt,
  EventType,
  RecordedEvent,
  Webhook,
  WebhookChange,
} from "../domain/model.ts"
import type { DiagnosedWebhook } from "./maintenance.ts"
import { changedColumns } from "./rows.ts"

/** Columns of `webhooks`, named as the fields; `events` is JSON. */
export const webhookColumns = `id, url, events, format, description, active AS "isActive",
  stopped_because AS "stoppedBecause", secret, old_secret AS "oldSecret", old_secret_until AS "oldSecretUntil",
  last_event AS "lastEvent", failures, failing_since AS "failingSince", retry_at AS "retryAt",
  last_success_at AS "lastSuccessAt"`

/** The webhooks for `rewards doctor`. */
export const diagnosedWebhooks = `SELECT ${webhookColumns}, (
    SELECT error FROM deliveries WHERE webhook_id = webhooks.id AND state = 'waiting' ORDER BY id LIMIT 1
  ) AS "lastError" FROM webhooks ORDER BY id`

/** Columns of `deliveries`, named as the fields. */
export const deliveryColumns = `id, webhook_id AS "webhookId", event_id AS "eventId", state, attempts,
  created_at AS "createdAt", attempted_at AS "attemptedAt", duration_ms AS "durationMs", status, response, error`

/** How many webhooks there are in each state. */
export const webhookCounts = `SELECT count(*) FILTER (WHERE active = 1) AS active,
  count(*) FILTER (WHERE active = 1 AND failures > 0) AS failing,
  count(*) FILTER (WHERE stopped_because IS NOT NULL) AS stopped FROM webhooks`

export interface WebhookRow extends Omit<Webhook, "events" | "isActive"> {
  readonly events: string
  readonly isActive: number
}

export interface DeliveryRow extends Omit<Delivery, "attempt">, Omit<DeliveryAttempt, "attemptedAt" | "durationMs"> {
  readonly attemptedAt: number | null
  readonly durationMs: number | null
}

export interface DiagnosedRow extends WebhookRow {
  readonly lastError: string | null
}

export const diagnosedOf = ({ lastError, ...row }: DiagnosedRow): DiagnosedWebhook => ({ ...webhookOf(row), lastError })

export const webhookOf = ({ events, isActive, ...row }: WebhookRow): Webhook => ({
  ...row,
  events: JSON.parse(events) as EventType[], // trusted: the store wrote it
  isActive: isActive === 1,
})

export function deliveryOf({ attemptedAt, durationMs, status, response, error, ...row }: DeliveryRow): Delivery {
  if (attemptedAt === null || durationMs === null) return { ...row, attempt: null }
  return { ...row, attempt: { attemptedAt, durationMs, status, response, error } }
}

/** The columns that a change sets, with their values. */
export function changedWebhookColumns(change: WebhookChange) {
  const { url, events, format, description, isActive, secret, oldSecretUntil, lastEvent } = change
  return changedColumns({
    url,
    events: events && JSON.stringify(events),
    format,
    description,
    active: isActive === undefined ? undefined : Number(isActive),
    secret,
    old_secret_until: oldSecretUntil,
    last_event: lastEvent,
  })
}

export const forgetFailures = "failures = 0, failing_since = NULL, retry_at = 0"

/** What a change sets besides its own columns. The old secret is the one in the row, not one that was read earlier. */
export const alsoSetBy = ({ isActive, secret }: WebhookChange): string =>
  [
    forgetFailures,
    ...(isActive === undefined ? [] : ["stopped_because = NULL"]),
    ...(secret === undefined ? [] : ["old_secret = secret"]),
  ].join(", ")

/** The values of an attempt, in the order of `attemptColumns`. */
export const attemptValues = ({ state, attempt }: Pick<Attempted, "state" | "attempt">) => {
  const { attemptedAt, durationMs, status, response, error } = attempt
  return [state, attemptedAt, durationMs, status, response, error] as const
}

export const attemptColumns = ["state", "attempted_at", "duration_ms", "status", "response", "error"] as const

/** A row of `events`. */
export interface EventRow {
  readonly id: number
  readonly type: Exclude<RecordedEvent["type"], "transaction"> | "transactions"
  readonly subject: number
  readonly count: number
  readonly at: number
}

export const eventColumns = "id, type, subject, count, at"

/** The events with a higher id that these rows hold, at most `limit`. */
export function eventsIn(rows: readonly EventRow[], after: number, limit: number): RecordedEvent[] {
  const events: RecordedEvent[] = []
  for (const { id: last, type, subject, count, at } of rows) {
    const first = Math.max(last - count, after) + 1
    for (let id = first; id <= last && events.length < limit; id++)
      events.push(
        type === "transactions"
          ? { id, type: "transaction", subject: subject - (last - id), at }
          : { id, type, subject, at },
      )
  }
  return events
}
