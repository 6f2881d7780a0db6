import { notificationIdOf } from "../../../domain/recognition/notifications.ts"
import type { ResponseStore } from "../../../domain/store.ts"
import { type ReplyRow, type ResponseRow, replyOf, responsesIn } from "../../rows.ts"
import { writeAudit } from "../audit.ts"
import type { Client } from "../database/client.ts"

/** Columns of `replyTables`, named as the fields of a `ReplyRow`. */
export const replyColumns = `r.id, r.transaction_id AS "recognitionId", r.user_id AS "authorId", author.username, author.name,
  author.avatar, r.text, r.date, r.hidden AS "isHidden"`

export const replyTables = "replies r JOIN users author ON author.id = r.user_id"

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
      await client.query(
        "INSERT INTO reactions (transaction_id, emoji, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [recognitionId, emoji, userId],
      )
    },
    async takeBackReaction(recognitionId, userId, emoji) {
      await client.query("DELETE FROM reactions WHERE transaction_id = $1 AND emoji = $2 AND user_id = $3", [
        recognitionId,
        emoji,
        userId,
      ])
    },
    async reply({ recognitionId, authorId, text, date, notifiedIds }) {
      const id = await client.transaction(async ({ query, send }) => {
        // Takes the lock of the ledger, so that a reply is visible before any later transaction or reply.
        const [state] = await query<{ lastId: number }>(`SELECT last_id AS "lastId" FROM ledger_state FOR UPDATE`)
        const [replies] = await query<{ last: number }>("SELECT coalesce(max(id), 0) AS last FROM replies")
        const next = Math.max(notificationIdOf(state?.lastId ?? 0), replies?.last ?? 0) + 1
        send("INSERT INTO replies (id, transaction_id, user_id, text, date) VALUES ($1, $2, $3, $4, $5)", [
          next,
          recognitionId,
          authorId,
          text,
          date,
        ])
        send("INSERT INTO reply_notices (user_id, reply_id) SELECT unnest($1::bigint[]), $2", [notifiedIds, next])
        return next
      })
      const reply = await findReply(id)
      if (!reply) throw new Error(`reply ${id} is missing`)
      return reply
    },
    findReply,
    async replies(recognitionId, limit) {
      const rows = await client.query<ReplyRow>(
        `SELECT ${replyColumns} FROM ${replyTables}
         WHERE r.transaction_id = $1 AND r.text IS NOT NULL ORDER BY r.id DESC LIMIT $2`,
        [recognitionId, limit],
      )
      return rows.toReversed().map(replyOf)
    },
    async deleteReply(id) {
      await client.query("UPDATE replies SET text = NULL WHERE id = $1", [id])
    },
    hideReply: (id, isHidden, audit) =>
      client.transaction(async (tx) => {
        tx.send("UPDATE replies SET hidden = $2 WHERE id = $1", [id, isHidden ? 1 : 0])
        writeAudit(tx, audit)
      }),
  }

  async function findReply(id: number) {
    const [row] = await client.query<ReplyRow>(
      `SELECT ${replyColumns} FROM ${replyTables} WHERE r.id = $1 AND r.text IS NOT NULL`,
      [id],
    )
    return row ? replyOf(row) : null
  }
}
