import type { Calendar } from "../../../domain/calendar.ts"
import type { PersonRecognition } from "../../../domain/model.ts"
import type { InsightStore } from "../../../domain/store.ts"
import { nextTick } from "../../../domain/ticks.ts"
import { type InsightRow, insightsFrom } from "../../insights.ts"
import type { Connection } from "../database/connection.ts"

/** Rows read in one tick: 1 to 2 ms. */
const rowsAtOnce = 1000

/** `InsightStore`. */
export function createInsightStore({ client }: Pick<Connection, "client">, calendar: Calendar): InsightStore {
  const lastId = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const rowsAfter = client.prepare<InsightRow, [number]>(
    `SELECT id, from_id AS senderId, user_id AS receiverId, value, date, kind, reverses, coalesce(tags, '') AS tags
     FROM transactions LEFT JOIN notes ON transaction_id = id WHERE id > ? ORDER BY id LIMIT ${rowsAtOnce}`,
  )
  const erasureCount = client.prepare<{ count: number }, []>("SELECT count(*) AS count FROM erasures")
  const erased = client.prepare<{ id: number }, []>("SELECT transaction_id AS id FROM erasures")
  const departments = client.prepare<{ id: number; dept: string }, [number]>(
    `SELECT id, dept FROM users WHERE id > ? ORDER BY id LIMIT ${rowsAtOnce}`,
  )
  const people = client.prepare<Omit<PersonRecognition, "sent" | "lastReceived">, [number]>(
    `SELECT id, username, name, dept, avatar, coalesce(value, 0) AS balance, coalesce(earned, 0) AS earned
     FROM users LEFT JOIN balances ON user_id = id
     WHERE id > ? AND deactivated_at IS NULL ORDER BY id LIMIT ${rowsAtOnce}`,
  )

  return insightsFrom(
    {
      lastId: async () => lastId.get()?.id ?? 0,
      async rowsAfter(id) {
        await nextTick()
        return rowsAfter.all(id)
      },
      erasureCount: async () => erasureCount.get()?.count ?? 0,
      erasedIds: async () => erased.all().map(({ id }) => id),
      departments: () => inParts((after) => departments.all(after)),
      people: () => inParts((after) => people.all(after)),
    },
    calendar,
  )
}

async function* inParts<T extends { readonly id: number }>(read: (after: number) => readonly T[]) {
  for (let rows = read(0); rows.length > 0; rows = read(rows.at(-1)?.id ?? 0)) {
    yield rows
    await nextTick()
  }
}
