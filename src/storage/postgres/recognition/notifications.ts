import { transactionIdUpTo } from "../../../domain/recognition/notifications.ts"
import type { NotificationStore } from "../../../domain/store.ts"
import { newestNotifications, type ReplyRow, recognitionCondition, replyOf } from "../../rows.ts"
import type { Client } from "../database/client.ts"
import { readEntries } from "../ledger/entries.ts"
import { replyColumns, replyTables } from "./responses.ts"

/** `NotificationStore`. Recognitions are found by their receiver, so a transfer writes nothing for its notification. */
export function createNotificationStore(client: Client): NotificationStore {
  return {
    async newest(userId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const received = `SELECT t.* FROM transactions t WHERE t.user_id = $1 AND ${recognitionCondition} AND t.id <= $2
        ORDER BY t.id DESC LIMIT $3`
      const [recognitions, rows] = await Promise.all([
        readEntries(client, received, "DESC", [userId, transactionIdUpTo(before - 1), limit]),
        client.query<ReplyRow>(
          `SELECT ${replyColumns} FROM reply_notices n JOIN (${replyTables}) ON r.id = n.reply_id
           WHERE n.user_id = $1 AND n.reply_id < $2 AND r.hidden = 0 AND r.text IS NOT NULL
           ORDER BY n.reply_id DESC LIMIT $3`,
          [userId, before, limit],
        ),
      ])
      const ids = [...new Set(rows.map(({ recognitionId }) => recognitionId))]
      const asked = "SELECT t.* FROM transactions t WHERE t.id = ANY($1::bigint[])"
      const about = ids.length === 0 ? [] : await readEntries(client, asked, "DESC", [ids, ids.length])
      return newestNotifications(recognitions, rows.map(replyOf), about, limit)
    },

    async unread(userId, max) {
      const through = await seenThrough(userId)
      const [row] = await client.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM (SELECT FROM transactions t
             WHERE t.user_id = $1 AND ${recognitionCondition} AND t.id > $2 LIMIT $4))
           + (SELECT count(*) FROM (SELECT FROM reply_notices n JOIN replies r ON r.id = n.reply_id
             WHERE n.user_id = $1 AND n.reply_id > $3 AND r.hidden = 0 AND r.text IS NOT NULL LIMIT $4)) AS count`,
        [userId, transactionIdUpTo(through), through, max],
      )
      return Math.min(row?.count ?? 0, max)
    },

    seenThrough,

    async saveSeen(userId, throughId) {
      await client.query(
        `INSERT INTO notifications_seen AS seen (user_id, through_id) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET through_id = greatest(seen.through_id, excluded.through_id)`,
        [userId, throughId],
      )
    },
  }

  async function seenThrough(userId: number): Promise<number> {
    const [row] = await client.query<{ throughId: number }>(
      `SELECT through_id AS "throughId" FROM notifications_seen WHERE user_id = $1`,
      [userId],
    )
    return row?.throughId ?? 0
  }
}
