import type { EventStore } from "../../domain/store.ts"
import { type EventRow, eventColumns, eventsIn } from "../rows.ts"
import type { Connection } from "./database/connection.ts"

/** `EventStore`. Triggers record the events of users and redemptions. */
export function createEventStore({ client, write }: Connection): EventStore {
  const waiting = client.prepare<{ count: number; last: number }, [number]>(
    `SELECT min(?, ledger_state.last_id - last_transaction) AS count, last_transaction AS last FROM event_state, ledger_state`,
  )
  const move = client.prepare("UPDATE event_state SET last_id = last_id + ?1, last_transaction = last_transaction + ?1")
  const record = client.prepare(
    `INSERT INTO events (id, type, subject, count, at)
     SELECT last_id, 'transactions', last_transaction, ?, ? FROM event_state`,
  )
  const after = client.prepare<EventRow, [number, number]>(
    `SELECT ${eventColumns} FROM events WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM event_state")
  const lastBefore = client.prepare<{ id: number | null }, [number]>("SELECT max(id) AS id FROM events WHERE at < ?")
  const anyBefore = client.prepare<unknown, [number]>("SELECT 1 FROM events WHERE at < ? LIMIT 1")
  const prune = client.prepare("DELETE FROM events WHERE at < ?")

  return {
    async recordTransactions(limit, now) {
      // Checked without the write lock first: an idle server must not block writers.
      if ((waiting.get(limit)?.count ?? 0) === 0) return 0
      return write(() => {
        const count = waiting.get(limit)?.count ?? 0
        if (count === 0) return 0
        move.run(count)
        record.run(count, now)
        return count
      })
    },
    after: async (id, limit) => eventsIn(after.all(id, limit), id, limit),
    lastId: async () => last.get()?.id ?? 0,
    lastBefore: async (time) => lastBefore.get(time)?.id ?? 0,
    async prune(before) {
      if (anyBefore.get(before)) await write(() => void prune.run(before))
    },
  }
}
