import type { ReceivedRecognitions } from "../../recognition/notifications.ts"
import { recognitionCondition } from "../../recognition/recognitions.ts"
import type { Client } from "../database/client.ts"
import { readEntries, readRecognitionsOf } from "../ledger/entries.ts"

/** `ReceivedRecognitions`, found by the index of receivers. */
export const createReceivedRecognitions = (client: Client): ReceivedRecognitions => ({
  newest(userId, throughId, limit) {
    const received = `SELECT t.* FROM transactions t WHERE t.user_id = $1 AND ${recognitionCondition} AND t.id <= $2
      ORDER BY t.id DESC LIMIT $3`
    return readEntries(client, received, "DESC", [userId, throughId, limit])
  },
  async count(userId, afterId, throughId, max) {
    const [row] = await client.query<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT FROM transactions t
         WHERE t.user_id = $1 AND ${recognitionCondition} AND t.id > $2 AND t.id <= $3 LIMIT $4) received`,
      [userId, afterId, throughId, max],
    )
    return row?.count ?? 0
  },
  of: (ids) => readRecognitionsOf(client, ids),
})
