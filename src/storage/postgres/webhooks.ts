import type { Attempted } from "../../domain/model.ts"
import type { EventStore, WebhookStore } from "../../domain/store.ts"
import { latestRetryAt } from "../../domain/webhooks.ts"
import {
  alsoSetByWebhookChange,
  attemptColumns,
  attemptValues,
  changedWebhookColumns,
  type DeliveryRow,
  deliveryColumns,
  deliveryOf,
  type EventRow,
  eventColumns,
  eventsIn,
  forgetWebhookFailures,
  newWebhookColumns,
  type WebhookRow,
  webhookColumns,
  webhookOf,
} from "../rows.ts"
import { writeAudit } from "./audit.ts"
import type { Client, Transaction } from "./database/client.ts"
import type { Parameter } from "./database/connection.ts"
import { createPruning } from "./database/pruning.ts"
import { remember } from "./ledger/idempotency-keys.ts"

const insertAttempted = `INSERT INTO deliveries (webhook_id, event_id, created_at, attempts, ${attemptColumns.join(", ")})
  SELECT id, $2, $3, 1, $4, $5, $6, $7, $8, $9 FROM webhooks WHERE id = $1 FOR UPDATE RETURNING ${deliveryColumns}`

const valuesOf = (webhookId: number, attempted: Omit<Attempted, "deliveryId">): Parameter[] => [
  webhookId,
  attempted.eventId,
  attempted.attempt.attemptedAt,
  ...attemptValues(attempted),
]

/** Webhooks that are not leased at $1 and have something to deliver. $3: `latestRetryAt`. */
const isDue = `active = 1 AND (failures = 0 OR retry_at <= $1 OR retry_at > $3)
  AND (locked_by IS NULL OR locked_until <= $1 OR locked_until > $1::bigint + 2 * $2::bigint)
  AND (last_event < (SELECT last_id FROM event_state)
    OR EXISTS (SELECT FROM deliveries WHERE webhook_id = webhooks.id AND state = 'waiting'))`

/** `WebhookStore`. Processes that claim at the same moment skip each other's rows. */
export function createWebhookStore(client: Client): WebhookStore {
  const pruneDeliveries = createPruning<[webhookId: number, through: number]>(client, {
    table: "deliveries",
    key: "id",
    condition: "webhook_id = $1 AND id <= $2 AND state <> 'waiting'",
  })

  return {
    list: async () =>
      (await client.query<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks ORDER BY id`)).map(webhookOf),
    async find(id) {
      const [row] = await client.query<WebhookRow>(`SELECT ${webhookColumns} FROM webhooks WHERE id = $1`, [id])
      return row ? webhookOf(row) : null
    },
    create: (webhook, audit, once) =>
      client.transaction(async (tx) => {
        await recordTransactions(tx, Number.MAX_SAFE_INTEGER, audit.at) // so that it gets none from before
        const columns = newWebhookColumns(webhook)
        const [created] = await tx.query<WebhookRow>(
          `INSERT INTO webhooks (${columns.map(([column]) => column).join(", ")}, last_event)
           VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}, (SELECT last_id FROM event_state))
           RETURNING ${webhookColumns}`,
          columns.map(([, value]) => value),
        )
        if (!created) throw new Error("a webhook that was inserted was not returned")
        writeAudit(tx, audit)
        return remember(tx, once, webhookOf(created))
      }),
    update: (id, change, audit, once) =>
      client.transaction(async (tx) => {
        const columns = changedWebhookColumns(change)
        const sets = [...columns.map(([column], index) => `${column} = $${index + 2}`), alsoSetByWebhookChange(change)]
        const [changed] = await tx.query<WebhookRow>(
          `UPDATE webhooks SET ${sets.join(", ")} WHERE id = $1 RETURNING ${webhookColumns}`,
          [id, ...columns.map(([, value]) => value)],
        )
        if (!changed) return null
        writeAudit(tx, audit)
        return remember(tx, once, webhookOf(changed))
      }),
    remove: (id, audit) =>
      client.transaction(async (tx) => {
        // Locks the webhook first, so that nobody adds a delivery meanwhile.
        if ((await tx.query("SELECT FROM webhooks WHERE id = $1 FOR UPDATE", [id])).length === 0) return false
        tx.send("DELETE FROM deliveries WHERE webhook_id = $1", [id])
        tx.send("DELETE FROM webhooks WHERE id = $1", [id])
        writeAudit(tx, audit)
        return true
      }),

    async delivery(id) {
      const [row] = await client.query<DeliveryRow>(`SELECT ${deliveryColumns} FROM deliveries WHERE id = $1`, [id])
      return row ? deliveryOf(row) : null
    },
    deliveries: async (webhookId, { state = null, before = null, limit }) =>
      (
        await client.query<DeliveryRow>(
          `SELECT ${deliveryColumns} FROM deliveries
           WHERE webhook_id = $1 AND ($2::text IS NULL OR state = $2) AND ($3::bigint IS NULL OR id < $3)
           ORDER BY id DESC LIMIT $4`,
          [webhookId, state, before, limit],
        )
      ).map(deliveryOf),
    enqueue: (webhookId, eventId, audit, once) =>
      client.transaction(async (tx) => {
        const [added] = await tx.query<DeliveryRow>(
          `INSERT INTO deliveries (webhook_id, event_id, state, attempts, created_at) VALUES ($1, $2, 'waiting', 0, $3)
           RETURNING ${deliveryColumns}`,
          [webhookId, eventId, audit.at],
        )
        if (!added) throw new Error("a delivery that was inserted was not returned")
        writeAudit(tx, audit)
        return remember(tx, once, deliveryOf(added))
      }),
    skip: (id, audit) =>
      client.transaction(async (tx) => {
        // Locks in the order of `settle`, so that the two cannot deadlock.
        await tx.query("SELECT FROM webhooks WHERE id = (SELECT webhook_id FROM deliveries WHERE id = $1) FOR UPDATE", [
          id,
        ])
        const [row] = await tx.query<DeliveryRow>(
          `UPDATE deliveries SET state = 'skipped' WHERE id = $1 AND state = 'waiting' RETURNING ${deliveryColumns}`,
          [id],
        )
        if (!row) return null
        tx.send(`UPDATE webhooks SET ${forgetWebhookFailures} WHERE id = $1`, [row.webhookId])
        writeAudit(tx, audit)
        return deliveryOf(row)
      }),
    async saveAttempt(webhookId, attempted) {
      const [row] = await client.change<DeliveryRow>(insertAttempted, valuesOf(webhookId, attempted))
      return row ? deliveryOf(row) : null
    },

    async claim(owner, now, leaseMs) {
      // Checked without a lock first: there is rarely anything to do.
      const idle = await client.query(`SELECT FROM webhooks WHERE ${isDue} LIMIT 1`, [now, leaseMs, latestRetryAt(now)])
      if (idle.length === 0) return null
      const [claimed] = await client.change<WebhookRow>(
        `UPDATE webhooks SET locked_by = $4, locked_until = $1::bigint + $2::bigint
         WHERE id = (SELECT id FROM webhooks WHERE ${isDue} ORDER BY retry_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING ${webhookColumns}`,
        [now, leaseMs, latestRetryAt(now), owner],
      )
      return claimed ? webhookOf(claimed) : null
    },
    waiting: async (webhookId, limit) =>
      (
        await client.query<DeliveryRow>(
          `SELECT ${deliveryColumns} FROM deliveries WHERE webhook_id = $1 AND state = 'waiting' ORDER BY id LIMIT $2`,
          [webhookId, limit],
        )
      ).map(deliveryOf),
    settle: (round, audit) =>
      client.transaction(async (tx) => {
        const { webhook, owner, attempted, lastEvent, stoppedBecause } = round
        const { failures, failingSince, retryAt, lastSuccessAt } = round
        const { count } = await tx.query(
          `UPDATE webhooks SET locked_by = NULL, locked_until = NULL, last_success_at = coalesce($3, last_success_at),
             last_event = CASE WHEN last_event = $4 THEN $5 ELSE last_event END
           WHERE id = $1 AND locked_by = $2`,
          [webhook.id, owner, lastSuccessAt, webhook.lastEvent, lastEvent],
        )
        if (count === 0) return "lost"
        const judged = await tx.query(
          `UPDATE webhooks SET failures = $3, failing_since = $4, retry_at = $5,
             active = CASE WHEN $6::text IS NULL THEN active ELSE 0 END, stopped_because = coalesce($6, stopped_because)
           WHERE id = $1 AND revision = $2`,
          [webhook.id, webhook.revision, failures, failingSince, retryAt, stoppedBecause],
        )
        const isSame = judged.count > 0
        for (const one of attempted) {
          if (one.deliveryId === null) tx.send(insertAttempted, valuesOf(webhook.id, one))
          else
            tx.send(
              `UPDATE deliveries SET attempts = attempts + 1,
                 ${attemptColumns.map((column, index) => `${column} = $${index + 2}`).join(", ")}
               WHERE id = $1 AND (state = 'waiting' OR $2 = 'delivered')`,
              [one.deliveryId, ...attemptValues(one)],
            )
        }
        const failed = attempted.at(-1)?.deliveryId
        if (failures > 0 && failed)
          tx.send(
            `UPDATE webhooks SET ${forgetWebhookFailures}
             WHERE id = $1 AND EXISTS (SELECT FROM deliveries WHERE id = $2 AND state = 'skipped')`,
            [webhook.id, failed],
          )
        if (isSame) writeAudit(tx, audit)
        return isSame ? "stored" : "changed"
      }),
    async prune(kept) {
      const oldest = await client.query<{ webhookId: number; id: number }>(
        `SELECT w.id AS "webhookId", d.id FROM webhooks w CROSS JOIN LATERAL (
           SELECT id FROM deliveries WHERE webhook_id = w.id AND state <> 'waiting' ORDER BY id DESC OFFSET $1 LIMIT 1
         ) AS d`,
        [kept],
      )
      for (const { webhookId, id } of oldest) await pruneDeliveries(webhookId, id)
    },
  }
}

const lastTransaction = `SELECT last_transaction AS done, (SELECT last_id FROM ledger_state) AS last FROM event_state`

/** Records the events of at most `limit` transactions that have none yet, and returns how many. */
async function recordTransactions({ query, send }: Transaction, limit: number, now: number): Promise<number> {
  const [state] = await query<{ done: number; last: number }>(`${lastTransaction} FOR UPDATE`)
  const count = state ? Math.min(limit, state.last - state.done) : 0
  if (count <= 0) return 0
  send(
    `WITH moved AS (
       UPDATE event_state SET last_id = last_id + $1, last_transaction = last_transaction + $1
       RETURNING last_id, last_transaction
     )
     INSERT INTO events (id, type, subject, count, at)
     SELECT last_id, 'transactions', last_transaction, $1, $2 FROM moved`,
    [count, now],
  )
  return count
}

/** `EventStore`. Triggers record the events of users and redemptions. */
export function createEventStore(client: Client): EventStore {
  return {
    async recordTransactions(limit, now) {
      const [idle] = await client.query<{ done: number; last: number }>(lastTransaction)
      if (!idle || idle.done >= idle.last) return 0
      return client.transaction((tx) => recordTransactions(tx, limit, now))
    },
    after: async (id, limit) =>
      eventsIn(
        await client.query<EventRow>(`SELECT ${eventColumns} FROM events WHERE id > $1 ORDER BY id LIMIT $2`, [
          id,
          limit,
        ]),
        id,
        limit,
      ),
    async lastId() {
      const [row] = await client.query<{ id: number }>("SELECT last_id AS id FROM event_state")
      return row?.id ?? 0
    },
    async lastBefore(time) {
      const [row] = await client.query<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM events WHERE at < $1", [
        time,
      ])
      return row?.id ?? 0
    },
    prune: createPruning(client, { table: "events", key: "id", condition: "at < $1" }),
  }
}
