import type { InferSelectModel } from "drizzle-orm"
import type { RecordedEvent } from "../../domain/webhooks/model.ts"
import type { EventStore } from "../../domain/webhooks/ports.ts"
import { type Database, largestOf, one, type Tx } from "../database.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, row, select, sql } from "../sql.ts"
import { eventState, events, ledgerState } from "../tables.ts"

const event = fields(columnsOf(events))

/** The last transaction that has its event, and the last one. */
const progress = fields({
  done: eventState.lastTransaction,
  last: sql<number>`(SELECT ${ledgerState.lastId} FROM ${ledgerState})`,
})

/** Triggers record the events of users and redemptions. */
export function createEventStore(db: Database): EventStore {
  return {
    async recordTransactions(limit, now) {
      // Checked without a lock first: an idle server must not block writers.
      const { done, last } = await one(db, select(progress)`FROM ${eventState}`)
      return done < last ? db.write((tx) => recordTransactions(tx, limit, now)) : 0
    },
    async after(id, limit) {
      const rows = await db.all(
        select(event)`FROM ${events} WHERE ${events.id} > ${id} ORDER BY ${events.id} LIMIT ${limit}`,
      )
      return eventsIn(rows, id, limit)
    },
    async lastId() {
      const { id } = await one(db, sql<{ id: number }>`SELECT ${eventState.lastId} AS id FROM ${eventState}`)
      return id
    },
    lastBefore: (time) => largestOf(db, events.id, sql`${events} WHERE ${events.at} < ${time}`),
    prune: (before) => prune(db, { table: events, condition: sql`${events.at} < ${before}` }),
  }
}

/** Records the events of at most `limit` transactions that have none yet, and returns how many. */
export async function recordTransactions(tx: Tx, limit: number, now: number): Promise<number> {
  const { done, last } = await one(tx, select(progress)`FROM ${eventState} FOR UPDATE`)
  const count = Math.min(limit, last - done)
  if (count <= 0) return 0
  tx.send(sql`UPDATE ${eventState} SET last_id = last_id + ${count}, last_transaction = last_transaction + ${count}`)
  tx.send(
    sql`INSERT INTO ${events} ${row(events, {
      id: sql`(SELECT ${eventState.lastId} FROM ${eventState})`,
      type: "transactions",
      subject: done + count,
      count,
      at: now,
    })}`,
  )
  return count
}

/** The events with a higher id that these rows hold, at most `limit`. A row of transactions holds several. */
function eventsIn(rows: readonly InferSelectModel<typeof events>[], after: number, limit: number): RecordedEvent[] {
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
