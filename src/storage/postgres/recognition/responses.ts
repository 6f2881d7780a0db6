import { notificationIdOf, transactionIdUpTo } from "../../../domain/recognition/notifications.ts"
import type { NotificationStore, ResponseStore } from "../../../domain/store.ts"
import {
  newestNotifications,
  type ReplyRow,
  type ResponseRow,
  recognitionCondition,
  replyOf,
  responsesIn,
} from "../../rows.ts"
import { writeAudit } from "../audit.ts"
import type { Client, Queries } from "../database/client.ts"
import { readRecognitions } from "../ledger/entries.ts"
import { remember } from "../ledger/idempotency-keys.ts"

/** Columns of `replyTables`, named as the fields of a `ReplyRow`. */
const replyColumns = `r.id, r.transaction_id AS "recognitionId", r.user_id AS "authorId", author.username, author.name,
  author.avatar, r.text, r.date, r.hidden AS "isHidden"`

const replyTables = "replies r JOIN users author ON author.id = r.user_id"

/** `ResponseStore`. */
export function createResponseStore(client: Client): ResponseStore {
  return {
    to: async (ids, viewerId) =>
      responsesIn(
        await client.query<ResponseRow>(
          `SELECT transaction_id AS "recognitionId", emoji, count(*) AS count, max((user_id = $2)::int) AS "isOwn"
           FROM reactions WHERE transaction_id = ANY($1::bigint[]) GROUP BY transaction_id, emoji
           UNION ALL
           SELECT transaction_id, NULL, count(*), 0
           FROM replies WHERE transaction_id = ANY($1::bigint[]) AND hidden = 0 AND text IS NOT NULL GROUP BY transaction_id`,
          [ids, viewerId],
        ),
      ),
    async react(recognitionId, userId, emoji) {
      await client.change(
        "INSERT INTO reactions (transaction_id, emoji, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [recognitionId, emoji, userId],
      )
    },
    async takeBackReaction(recognitionId, userId, emoji) {
      await client.change("DELETE FROM reactions WHERE transaction_id = $1 AND emoji = $2 AND user_id = $3", [
        recognitionId,
        emoji,
        userId,
      ])
    },
    reply: ({ recognitionId, authorId, text, date, notifiedIds }, once) =>
      client.transaction(async (tx) => {
        const { query, send } = tx
        // Takes the lock of the ledger, so that a reply is visible before any later transaction or reply.
        const [state] = await query<{ lastId: number }>(`SELECT last_id AS "lastId" FROM ledger_state FOR UPDATE`)
        const [replies] = await query<{ last: number }>("SELECT coalesce(max(id), 0) AS last FROM replies")
        const id = Math.max(notificationIdOf(state?.lastId ?? 0), replies?.last ?? 0) + 1
        send("INSERT INTO replies (id, transaction_id, user_id, text, date) VALUES ($1, $2, $3, $4, $5)", [
          id,
          recognitionId,
          authorId,
          text,
          date,
        ])
        send("INSERT INTO reply_notices (user_id, reply_id) SELECT unnest($1::bigint[]), $2", [notifiedIds, id])
        const reply = await findReply(id, tx)
        if (!reply) throw new Error(`reply ${id} is missing`)
        return remember(tx, once, reply)
      }),
    findReply: (id) => findReply(id),
    async replies(recognitionId, limit) {
      const rows = await client.query<ReplyRow>(
        `SELECT ${replyColumns} FROM ${replyTables}
         WHERE r.transaction_id = $1 AND r.text IS NOT NULL ORDER BY r.id DESC LIMIT $2`,
        [recognitionId, limit],
      )
      return rows.toReversed().map(replyOf)
    },
    async deleteReply(id) {
      await client.change("UPDATE replies SET text = NULL WHERE id = $1", [id])
    },
    hideReply: (id, isHidden, audit) =>
      client.transaction(async (tx) => {
        tx.send("UPDATE replies SET hidden = $2 WHERE id = $1", [id, isHidden ? 1 : 0])
        writeAudit(tx, audit)
      }),
  }

  async function findReply(id: number, { query }: Queries = client) {
    const [row] = await query<ReplyRow>(
      `SELECT ${replyColumns} FROM ${replyTables} WHERE r.id = $1 AND r.text IS NOT NULL`,
      [id],
    )
    return row ? replyOf(row) : null
  }
}

/** `NotificationStore`. Recognitions are found by their receiver, so a transfer writes nothing for its notification. */
export function createNotificationStore(client: Client): NotificationStore {
  return {
    async newest(userId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const received = `SELECT t.* FROM transactions t WHERE t.user_id = $1 AND ${recognitionCondition} AND t.id <= $2
        ORDER BY t.id DESC LIMIT $3`
      const [recognitions, rows] = await Promise.all([
        readRecognitions(client, received, "DESC", [userId, transactionIdUpTo(before - 1), limit]),
        client.query<ReplyRow>(
          `SELECT ${replyColumns} FROM reply_notices n JOIN (${replyTables}) ON r.id = n.reply_id
           WHERE n.user_id = $1 AND n.reply_id < $2 AND r.hidden = 0 AND r.text IS NOT NULL
           ORDER BY n.reply_id DESC LIMIT $3`,
          [userId, before, limit],
        ),
      ])
      const ids = [...new Set(rows.map(({ recognitionId }) => recognitionId))]
      const asked = "SELECT t.* FROM transactions t WHERE t.id = ANY($1::bigint[])"
      const about = ids.length === 0 ? [] : await readRecognitions(client, asked, "DESC", [ids, ids.length])
      return newestNotifications(userId, recognitions, rows.map(replyOf), about, limit)
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
      await client.change(
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
