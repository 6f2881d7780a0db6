import type { Calendar } from "../../../domain/calendar.ts"
import type { PersonRecognition } from "../../../domain/model.ts"
import type { InsightStore } from "../../../domain/store.ts"
import { type InsightRow, insightsFrom } from "../../insights.ts"
import type { Client } from "../database/client.ts"

/** Rows of one answer. Decoding it blocks the event loop for 5 ms. */
const rowsAtOnce = 2000

/** `InsightStore`. */
export const createInsightStore = ({ query }: Client, calendar: Calendar): InsightStore =>
  insightsFrom(
    {
      async lastId() {
        const [row] = await query<{ id: number }>("SELECT last_id AS id FROM ledger_state")
        return row?.id ?? 0
      },
      rowsAfter: (id) =>
        query<InsightRow>(
          `SELECT t.id, t.from_id AS "senderId", t.user_id AS "receiverId", t.value, t.date, t.kind, t.reverses,
             coalesce(n.tags, '') AS tags
           FROM transactions t
             LEFT JOIN notes n ON n.transaction_id = t.id AND n.transaction_id > $1 AND n.transaction_id <= $2
           WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id`,
          [id, id + rowsAtOnce], // ids have no gaps; the bounds on notes keep a merge join from reading all of them for each part
        ),
      async erasureCount() {
        const [row] = await query<{ count: number }>("SELECT count(*) AS count FROM erasures")
        return row?.count ?? 0
      },
      erasedIds: async () =>
        (await query<{ id: number }>("SELECT transaction_id AS id FROM erasures")).map(({ id }) => id),
      departments: () =>
        inParts((after) =>
          query<{ id: number; dept: string }>(
            `SELECT id, dept FROM users WHERE id > $1 ORDER BY id LIMIT ${rowsAtOnce}`,
            [after],
          ),
        ),
      people: () =>
        inParts((after) =>
          query<Omit<PersonRecognition, "sent" | "lastReceived">>(
            `SELECT u.id, u.username, u.name, u.dept, u.avatar, coalesce(b.value, 0) AS balance,
               coalesce(b.earned, 0) AS earned
             FROM users u LEFT JOIN balances b ON b.user_id = u.id
             WHERE u.id > $1 AND u.deactivated_at IS NULL ORDER BY u.id LIMIT ${rowsAtOnce}`,
            [after],
          ),
        ),
    },
    calendar,
  )

async function* inParts<T extends { readonly id: number }>(read: (after: number) => Promise<readonly T[]>) {
  for (let rows = await read(0); rows.length > 0; rows = await read(rows.at(-1)?.id ?? 0)) yield rows
}
