import type { Database } from "../database.ts"
import { newestIds, readEntries, readRecognitions } from "../ledger/entries.ts"
import { list, sql } from "../sql.ts"
import { transactions } from "../tables.ts"
import type { ReceivedRecognitions } from "./notifications.ts"
import { isRecognition } from "./recognitions.ts"

/** `ReceivedRecognitions`, found by the index of receivers. */
export const createReceivedRecognitions = (db: Database): ReceivedRecognitions => ({
  async newest(userId, throughId, limit) {
    const conditions = [isRecognition, sql`${transactions.id} <= ${throughId}`]
    return readEntries(db, await newestIds(db, [[sql`${transactions.userId} = ${userId}`]], conditions, limit))
  },
  async count(userId, afterId, throughId, max) {
    const row = await db.first(sql<{ count: number }>`SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM ${transactions}
      WHERE ${transactions.userId} = ${userId} AND ${isRecognition} AND ${transactions.id} > ${afterId}
        AND ${transactions.id} <= ${throughId} LIMIT ${max}
    ) AS received`)
    return row?.count ?? 0
  },
  async of(ids) {
    const found = await db.all(sql<{ id: number }>`SELECT ${transactions.id} FROM ${list("asked", ids, "bigint")}
      CROSS JOIN ${transactions} WHERE ${transactions.id} = asked.value ORDER BY ${transactions.id} DESC`)
    return readRecognitions(
      db,
      found.map(({ id }) => id),
    )
  },
})
