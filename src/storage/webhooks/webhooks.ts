import type { InferSelectModel } from "drizzle-orm"
import type { Attempted, Delivery, WebhookChange } from "../../domain/webhooks/model.ts"
import type { WebhookStore } from "../../domain/webhooks/ports.ts"
import { latestRetryAt } from "../../domain/webhooks/webhooks.ts"
import { entryOf, writeAudit } from "../audit.ts"
import { type Database, exists, one } from "../database.ts"
import { remember } from "../idempotency.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, returning, row, select, set, sql, where } from "../sql.ts"
import { deliveries, eventState, webhooks } from "../tables.ts"
import { recordTransactions } from "./events.ts"

/** The columns of a `Webhook`. */
export const webhookColumns = columnsOf(webhooks, "lockedBy", "lockedUntil")
const webhook = fields(webhookColumns)
const delivery = fields(columnsOf(deliveries))

const free = { lockedBy: null, lockedUntil: null }
const withoutFailures = { failures: 0, failingSince: null, retryAt: 0 }

/** Processes that claim at the same moment skip each other's rows. */
export function createWebhookStore(db: Database): WebhookStore {
  return {
    list: () => db.all(select(webhook)`FROM ${webhooks} ORDER BY ${webhooks.id}`),
    find: (id) => db.first(select(webhook)`FROM ${webhooks} WHERE ${webhooks.id} = ${id}`),
    create: (newWebhook, audit, once) =>
      db.write(async (tx) => {
        await recordTransactions(tx, Number.MAX_SAFE_INTEGER, audit.at) // so that it gets none from before
        const lastEvent = sql`(SELECT ${eventState.lastId} FROM ${eventState})`
        const created = await one(
          tx,
          returning(webhook)`INSERT INTO ${webhooks} ${row(webhooks, { ...newWebhook, lastEvent })}`,
        )
        writeAudit(tx, audit)
        return remember(tx, once, created)
      }),
    update: (id, change, audit, once) =>
      db.write(async (tx) => {
        const before = await tx.first(select(webhook)`FROM ${webhooks} WHERE ${webhooks.id} = ${id} FOR UPDATE`)
        if (before === null) return null
        const changed = await one(
          tx,
          returning(webhook)`UPDATE ${webhooks} SET ${set(webhooks, changesOf(change))} WHERE ${webhooks.id} = ${id}`,
        )
        writeAudit(tx, entryOf(audit, before, changed))
        return remember(tx, once, changed)
      }),
    remove: (id, audit) =>
      db.write(async (tx) => {
        // Locks the webhook first, so that nobody adds a delivery meanwhile.
        if (!(await exists(tx, sql`${webhooks} WHERE ${webhooks.id} = ${id} FOR UPDATE`))) return false
        tx.send(sql`DELETE FROM ${deliveries} WHERE ${deliveries.webhookId} = ${id}`)
        tx.send(sql`DELETE FROM ${webhooks} WHERE ${webhooks.id} = ${id}`)
        writeAudit(tx, audit)
        return true
      }),

    async delivery(id) {
      const found = await db.first(select(delivery)`FROM ${deliveries} WHERE ${deliveries.id} = ${id}`)
      return found && deliveryOf(found)
    },
    async deliveries(webhookId, { state, before, limit }) {
      const newest = await db.all(
        select(delivery)`FROM ${deliveries} ${where(
          sql`${deliveries.webhookId} = ${webhookId}`,
          state === undefined ? undefined : sql`${deliveries.state} = ${state}`,
          before === undefined ? undefined : sql`${deliveries.id} < ${before}`,
        )} ORDER BY ${deliveries.id} DESC LIMIT ${limit}`,
      )
      return newest.map(deliveryOf)
    },
    enqueue: (webhookId, eventId, audit, once) =>
      db.write(async (tx) => {
        const added = { webhookId, eventId, state: "waiting" as const, attempts: 0, createdAt: audit.at }
        const waiting = await one(tx, returning(delivery)`INSERT INTO ${deliveries} ${row(deliveries, added)}`)
        writeAudit(tx, audit)
        return remember(tx, once, deliveryOf(waiting))
      }),
    skip: (id, audit) =>
      db.write(async (tx) => {
        // Locks in the order of `endRound`, so that the two cannot deadlock.
        tx.send(sql`SELECT 1 FROM ${webhooks}
          WHERE ${webhooks.id} = (SELECT ${deliveries.webhookId} FROM ${deliveries} WHERE ${deliveries.id} = ${id})
          FOR UPDATE`)
        const skipped = await tx.first(
          returning(delivery)`UPDATE ${deliveries} SET state = 'skipped'
            WHERE ${deliveries.id} = ${id} AND ${deliveries.state} = 'waiting'`,
        )
        if (skipped === null) return null
        tx.send(
          sql`UPDATE ${webhooks} SET ${set(webhooks, withoutFailures)} WHERE ${webhooks.id} = ${skipped.webhookId}`,
        )
        writeAudit(tx, audit)
        return deliveryOf(skipped)
      }),
    async saveAttempt(webhookId, attempted) {
      const saved = await db.write((tx) => tx.first(insertAttempted(webhookId, attempted)))
      return saved && deliveryOf(saved)
    },

    async claim(owner, now, leaseMs) {
      const due = sql`${webhooks} WHERE ${webhooks.isActive} = 1
        AND (${webhooks.failures} = 0 OR ${webhooks.retryAt} <= ${now} OR ${webhooks.retryAt} > ${latestRetryAt(now)})
        AND (${webhooks.lockedBy} IS NULL OR ${webhooks.lockedUntil} <= ${now}
          OR ${webhooks.lockedUntil} > ${now + 2 * leaseMs})
        AND (${webhooks.lastEvent} < (SELECT ${eventState.lastId} FROM ${eventState})
          OR EXISTS (SELECT 1 FROM ${deliveries}
            WHERE ${deliveries.webhookId} = ${webhooks.id} AND ${deliveries.state} = 'waiting'))`
      // Checked without a lock first: there is rarely anything to do.
      if (!(await exists(db, due))) return null
      return db.write((tx) =>
        tx.first(
          returning(webhook)`UPDATE ${webhooks} SET ${set(webhooks, { lockedBy: owner, lockedUntil: now + leaseMs })}
            WHERE ${webhooks.id} = (SELECT ${webhooks.id} FROM ${due}
              ORDER BY ${webhooks.retryAt}, ${webhooks.id} LIMIT 1 FOR UPDATE SKIP LOCKED)`,
        ),
      )
    },
    async waiting(webhookId, limit) {
      const waiting = await db.all(
        select(delivery)`FROM ${deliveries}
          WHERE ${deliveries.webhookId} = ${webhookId} AND ${deliveries.state} = 'waiting'
          ORDER BY ${deliveries.id} LIMIT ${limit}`,
      )
      return waiting.map(deliveryOf)
    },
    endRound: (round, audit) =>
      db.write(async (tx) => {
        const { webhook, owner, attempted, lastEvent, stoppedBecause } = round
        const { failures, failingSince, retryAt, lastSuccessAt } = round
        const reached = {
          ...free,
          lastSuccessAt: lastSuccessAt ?? undefined,
          lastEvent: sql`CASE WHEN last_event = ${webhook.lastEvent} THEN ${lastEvent}::bigint ELSE last_event END`,
        }
        const changed = await tx.run(
          sql`UPDATE ${webhooks} SET ${set(webhooks, reached)}
            WHERE ${webhooks.id} = ${webhook.id} AND ${webhooks.lockedBy} = ${owner}`,
        )
        if (changed === 0) return "lost"
        const stopped = stoppedBecause === null ? {} : { isActive: false, stoppedBecause }
        const judged = await tx.run(
          sql`UPDATE ${webhooks} SET ${set(webhooks, { failures, failingSince, retryAt, ...stopped })}
            WHERE ${webhooks.id} = ${webhook.id} AND ${webhooks.revision} = ${webhook.revision}`,
        )
        const isSame = judged > 0
        for (const one of attempted)
          tx.send(one.deliveryId === null ? insertAttempted(webhook.id, one) : attemptedAgain(one.deliveryId, one))
        const failed = attempted.at(-1)?.deliveryId
        if (failures > 0 && failed)
          tx.send(sql`UPDATE ${webhooks} SET ${set(webhooks, withoutFailures)}
            WHERE ${webhooks.id} = ${webhook.id} AND EXISTS (
              SELECT 1 FROM ${deliveries} WHERE ${deliveries.id} = ${failed} AND ${deliveries.state} = 'skipped')`)
        if (isSame) writeAudit(tx, audit)
        return isSame ? "stored" : "changed"
      }),
    async prune(kept) {
      const oldest = await db.all(
        sql<{ webhookId: number; through: number | null }>`SELECT ${webhooks.id} AS "webhookId", (
            SELECT ${deliveries.id} FROM ${deliveries}
            WHERE ${deliveries.webhookId} = ${webhooks.id} AND ${deliveries.state} <> 'waiting'
            ORDER BY ${deliveries.id} DESC LIMIT 1 OFFSET ${kept}
          ) AS through FROM ${webhooks}`,
      )
      for (const { webhookId, through } of oldest)
        if (through !== null)
          await prune(db, {
            table: deliveries,
            condition: sql`${deliveries.webhookId} = ${webhookId} AND ${deliveries.id} <= ${through}
              AND ${deliveries.state} <> 'waiting'`,
          })
    },
  }
}

/** A change that people make. The old secret is the one in the row, not one that was read earlier. */
const changesOf = (change: WebhookChange) => ({
  ...change,
  ...withoutFailures,
  revision: sql`revision + 1`,
  ...(change.isActive !== undefined && { stoppedBecause: null }),
  ...(change.secret !== undefined && { oldSecret: sql`secret` }),
})

/** Adds a delivery, if its webhook still exists. */
const insertAttempted = (webhookId: number, { eventId, state, attempt }: Omit<Attempted, "deliveryId">) =>
  returning(delivery)`
    INSERT INTO ${deliveries} (webhook_id, event_id, state, attempts, created_at, attempted_at, duration_ms, status,
      response, error)
    SELECT id, ${eventId}, ${state}, 1, ${attempt.attemptedAt}, ${attempt.attemptedAt}, ${attempt.durationMs},
      ${attempt.status}, ${attempt.response}, ${attempt.error}
    FROM ${webhooks} WHERE ${webhooks.id} = ${webhookId} FOR UPDATE`

/** One that was skipped meanwhile stays skipped unless it arrived. */
const attemptedAgain = (id: number, { state, attempt }: Attempted) =>
  sql`UPDATE ${deliveries} SET ${set(deliveries, { ...attempt, state, attempts: sql`attempts + 1` })}
    WHERE ${deliveries.id} = ${id} AND (${deliveries.state} = 'waiting' OR ${state}::text = 'delivered')`

function deliveryOf({
  attemptedAt,
  durationMs,
  status,
  response,
  error,
  ...row
}: InferSelectModel<typeof deliveries>): Delivery {
  if (attemptedAt === null || durationMs === null) return { ...row, attempt: null }
  return { ...row, attempt: { attemptedAt, durationMs, status, response, error } }
}
