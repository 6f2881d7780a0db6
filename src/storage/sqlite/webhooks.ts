import type { Database } from "bun:sqlite"
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
import { createAuditWriter } from "./audit.ts"
import { type Connection, mapped, type Value } from "./database/connection.ts"
import { createPruning } from "./database/pruning.ts"
import { createRemember } from "./ledger/idempotency-keys.ts"

export function createWebhookStore(connection: Connection): WebhookStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const remember = createRemember(client)
  const recordTransactions = createTransactionRecorder(client)
  const pruneDeliveries = createPruning<[webhookId: number, through: number]>(connection, {
    table: "deliveries",
    key: "id",
    condition: "webhook_id = ?1 AND id <= ?2 AND state <> 'waiting'",
  })
  const all = client.prepare<WebhookRow, []>(`SELECT ${webhookColumns} FROM webhooks ORDER BY id`)
  const one = client.prepare<WebhookRow, [number]>(`SELECT ${webhookColumns} FROM webhooks WHERE id = ?`)
  const delivery = client.prepare<DeliveryRow, [number]>(`SELECT ${deliveryColumns} FROM deliveries WHERE id = ?`)
  const deliveries = client.prepare<DeliveryRow, [Record<string, Value>]>(
    `SELECT ${deliveryColumns} FROM deliveries
     WHERE webhook_id = $webhookId AND ($state IS NULL OR state = $state) AND ($before IS NULL OR id < $before)
     ORDER BY id DESC LIMIT $limit`,
  )
  const waiting = client.prepare<DeliveryRow, [number, number]>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE webhook_id = ? AND state = 'waiting' ORDER BY id LIMIT ?`,
  )
  const add = client.prepare<DeliveryRow, [number, number, number]>(
    `INSERT INTO deliveries (webhook_id, event_id, state, attempts, created_at) VALUES (?, ?, 'waiting', 0, ?)
     RETURNING ${deliveryColumns}`,
  )
  const addAttempted = client.prepare<DeliveryRow, Value[]>(
    `INSERT INTO deliveries (webhook_id, event_id, created_at, attempts, ${attemptColumns.join(", ")})
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?) RETURNING ${deliveryColumns}`,
  )
  const attemptAgain = client.prepare<unknown, Value[]>(
    `UPDATE deliveries SET attempts = attempts + 1, ${attemptColumns.map((column) => `${column} = ?`).join(", ")}
     WHERE id = ? AND (state = 'waiting' OR ? = 'delivered')`,
  )
  const skip = client.prepare<DeliveryRow, [number]>(
    `UPDATE deliveries SET state = 'skipped' WHERE id = ? AND state = 'waiting' RETURNING ${deliveryColumns}`,
  )
  const forget = client.prepare(`UPDATE webhooks SET ${forgetWebhookFailures} WHERE id = ?`)
  const forgetSkipped = client.prepare<unknown, [number, number]>(
    `UPDATE webhooks SET ${forgetWebhookFailures}
     WHERE id = ? AND EXISTS (SELECT 1 FROM deliveries WHERE id = ? AND state = 'skipped')`,
  )
  const free = client.prepare<WebhookRow, [number, number, number]>(
    `SELECT ${webhookColumns} FROM webhooks
     WHERE active = 1 AND (failures = 0 OR retry_at <= ?1 OR retry_at > ?3) AND (locked_by IS NULL OR locked_until <= ?1 OR locked_until > ?1 + 2 * ?2)
       AND (last_event < (SELECT last_id FROM event_state)
         OR EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND state = 'waiting'))
     ORDER BY retry_at, id LIMIT 1`,
  )
  const lock = client.prepare("UPDATE webhooks SET locked_by = ?, locked_until = ? WHERE id = ?")
  const settle = client.prepare<unknown, [Record<string, Value>]>(
    `UPDATE webhooks SET locked_by = NULL, locked_until = NULL, last_success_at = coalesce($lastSuccessAt, last_success_at),
       last_event = iif(last_event = $from, $to, last_event)
     WHERE id = $id AND locked_by = $owner`,
  )
  const judge = client.prepare<unknown, [Record<string, Value>]>(
    `UPDATE webhooks SET failures = $failures, failing_since = $failingSince, retry_at = $retryAt,
       active = iif($stoppedBecause IS NULL, active, 0), stopped_because = coalesce($stoppedBecause, stopped_because)
     WHERE id = $id AND revision = $revision`,
  )

  const insertAttempted = (webhookId: number, attempted: Omit<Attempted, "deliveryId">) =>
    addAttempted.get(webhookId, attempted.eventId, attempted.attempt.attemptedAt, ...attemptValues(attempted))

  return {
    list: async () => all.all().map(webhookOf),
    find: async (id) => mapped(one.get(id), webhookOf),
    create: (webhook, audit, once) =>
      write(() => {
        recordTransactions(Number.MAX_SAFE_INTEGER, audit.at) // so that it gets none from before
        const columns = newWebhookColumns(webhook)
        const created = client
          .prepare<WebhookRow, Value[]>(
            `INSERT INTO webhooks (${columns.map(([column]) => column).join(", ")}, last_event)
             SELECT ${columns.map(() => "?").join(", ")}, last_id FROM event_state RETURNING ${webhookColumns}`,
          )
          .get(...columns.map(([, value]) => value))
        if (!created) throw new Error("a webhook that was inserted was not returned")
        writeAudit(audit)
        return remember(once, webhookOf(created))
      }),
    update: (id, change, audit, once) =>
      write(() => {
        const columns = changedWebhookColumns(change)
        const changed = client
          .prepare<WebhookRow, Value[]>(
            `UPDATE webhooks SET ${[...columns.map(([column]) => `${column} = ?`), alsoSetByWebhookChange(change)].join(", ")}
             WHERE id = ? RETURNING ${webhookColumns}`,
          )
          .get(...columns.map(([, value]) => value), id)
        if (!changed) return null
        writeAudit(audit)
        return remember(once, webhookOf(changed))
      }),
    remove: (id, audit) =>
      write(() => {
        client.run("DELETE FROM deliveries WHERE webhook_id = ?", [id])
        const isRemoved = client.run("DELETE FROM webhooks WHERE id = ?", [id]).changes > 0
        if (isRemoved) writeAudit(audit)
        return isRemoved
      }),

    delivery: async (id) => mapped(delivery.get(id), deliveryOf),
    deliveries: async (webhookId, { state = null, before = null, limit }) =>
      deliveries.all({ webhookId, state, before, limit }).map(deliveryOf),
    enqueue: (webhookId, eventId, audit, once) =>
      write(() => {
        const added = add.get(webhookId, eventId, audit.at)
        if (!added) throw new Error("a delivery that was inserted was not returned")
        writeAudit(audit)
        return remember(once, deliveryOf(added))
      }),
    skip: (id, audit) =>
      write(() => {
        const skipped = mapped(skip.get(id), deliveryOf)
        if (skipped === null) return null
        forget.run(skipped.webhookId)
        writeAudit(audit)
        return skipped
      }),
    saveAttempt: (webhookId, attempted) =>
      write(() => (one.get(webhookId) ? mapped(insertAttempted(webhookId, attempted), deliveryOf) : null)),

    async claim(owner, now, leaseMs) {
      // Checked without the write lock first: an idle server must not block writers.
      if (!free.get(now, leaseMs, latestRetryAt(now))) return null
      return write(() => {
        const found = free.get(now, leaseMs, latestRetryAt(now))
        if (found) lock.run(owner, now + leaseMs, found.id)
        return mapped(found, webhookOf)
      })
    },
    waiting: async (webhookId, limit) => waiting.all(webhookId, limit).map(deliveryOf),
    settle: (round, audit) =>
      write(() => {
        const { webhook, owner, attempted, lastEvent: to, stoppedBecause } = round
        const { failures, failingSince, retryAt, lastSuccessAt } = round
        const { id, revision, lastEvent: from } = webhook
        if (settle.run({ lastSuccessAt, from, to, id, owner }).changes === 0) return "lost"
        const isSame = judge.run({ failures, failingSince, retryAt, stoppedBecause, id, revision }).changes > 0
        for (const one of attempted) {
          if (one.deliveryId === null) insertAttempted(webhook.id, one)
          else attemptAgain.run(...attemptValues(one), one.deliveryId, one.state)
        }
        const failed = attempted.at(-1)?.deliveryId
        if (failures > 0 && failed) forgetSkipped.run(webhook.id, failed)
        if (isSame) writeAudit(audit)
        return isSame ? "stored" : "changed"
      }),
    async prune(kept) {
      for (const { id } of all.all()) {
        const oldest = client
          .query<{ id: number }, [number, number]>(
            "SELECT id FROM deliveries WHERE webhook_id = ? AND state <> 'waiting' ORDER BY id DESC LIMIT 1 OFFSET ?",
          )
          .get(id, kept)
        if (oldest) await pruneDeliveries(id, oldest.id)
      }
    },
  }
}

/** Records the events of at most `limit` transactions that have none yet, and returns how many. */
function createTransactionRecorder(client: Database) {
  const waiting = client.prepare<{ count: number }, [number]>(
    "SELECT min(?, ledger_state.last_id - last_transaction) AS count FROM event_state, ledger_state",
  )
  const move = client.prepare("UPDATE event_state SET last_id = last_id + ?1, last_transaction = last_transaction + ?1")
  const record = client.prepare(
    `INSERT INTO events (id, type, subject, count, at)
     SELECT last_id, 'transactions', last_transaction, ?, ? FROM event_state`,
  )

  return (limit: number, now: number): number => {
    const count = waiting.get(limit)?.count ?? 0
    if (count <= 0) return 0
    move.run(count)
    record.run(count, now)
    return count
  }
}

/** `EventStore`. Triggers record the events of users and redemptions. */
export function createEventStore({ client, write }: Connection): EventStore {
  const isAnyWaiting = client.prepare<unknown, []>(
    "SELECT 1 FROM event_state, ledger_state WHERE ledger_state.last_id > last_transaction",
  )
  const recordTransactions = createTransactionRecorder(client)
  const after = client.prepare<EventRow, [number, number]>(
    `SELECT ${eventColumns} FROM events WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM event_state")
  const lastBefore = client.prepare<{ id: number | null }, [number]>("SELECT max(id) AS id FROM events WHERE at < ?")

  return {
    async recordTransactions(limit, now) {
      // Checked without the write lock first: an idle server must not block writers.
      return isAnyWaiting.get() ? write(() => recordTransactions(limit, now)) : 0
    },
    after: async (id, limit) => eventsIn(after.all(id, limit), id, limit),
    lastId: async () => last.get()?.id ?? 0,
    lastBefore: async (time) => lastBefore.get(time)?.id ?? 0,
    prune: createPruning({ client, write }, { table: "events", key: "id", condition: "at < ?1" }),
  }
}
