import type { EventStore } from "../../domain/store.ts"
import { type EventRow, eventColumns, eventsIn } from "../rows.ts"
import type { Client } from "./database/client.ts"

/** `EventStore`. Triggers record the events of users and redemptions. */
export function createEventStore(client: Client): EventStore {
  const lastTransaction = `SELECT last_transaction AS done, (SELECT last_id FROM ledger_state) AS last FROM event_state`

  return {
    async recordTransactions(limit, now) {
      const [idle] = await client.query<{ done: number; last: number }>(lastTransaction)
      if (!idle || idle.done >= idle.last) return 0
      return client.transaction(async ({ query, send }) => {
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
      })
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
    async prune(before) {
      await client.query("DELETE FROM events WHERE at < $1", [before])
    },
  }
}
