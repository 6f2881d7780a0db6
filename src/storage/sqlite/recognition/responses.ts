import type { Database } from "bun:sqlite"
import { notificationIdOf } from "../../../domain/recognition/notifications.ts"
import type { ResponseStore } from "../../../domain/store.ts"
import { type ReplyRow, type ResponseRow, replyOf, responsesIn } from "../../rows.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"

/** `ResponseStore`. */
export function createResponseStore(connection: Connection): ResponseStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const replies = createReplyReader(client)
  const responses = client.prepare<ResponseRow, [{ ids: string; viewer: number }]>(
    `SELECT transaction_id AS recognitionId, emoji, count(*) AS count, max(user_id = $viewer) AS isOwn
     FROM json_each($ids) JOIN reactions ON transaction_id = json_each.value GROUP BY transaction_id, emoji
     UNION ALL
     SELECT transaction_id, NULL, count(*), 0
     FROM json_each($ids) JOIN replies ON transaction_id = json_each.value
     WHERE hidden = 0 AND text IS NOT NULL GROUP BY transaction_id`,
  )
  const react = client.prepare("INSERT OR IGNORE INTO reactions (transaction_id, emoji, user_id) VALUES (?, ?, ?)")
  const takeBack = client.prepare("DELETE FROM reactions WHERE transaction_id = ? AND emoji = ? AND user_id = ?")
  const ends = client.prepare<{ lastId: number; lastReply: number }, []>(
    "SELECT last_id AS lastId, (SELECT coalesce(max(id), 0) FROM replies) AS lastReply FROM ledger_state",
  )
  const insert = client.prepare("INSERT INTO replies (id, transaction_id, user_id, text, date) VALUES (?, ?, ?, ?, ?)")
  const notify = client.prepare("INSERT INTO reply_notices (user_id, reply_id) VALUES (?, ?)")
  const newest = client.prepare<{ id: number }, [number, number]>(
    "SELECT id FROM replies WHERE transaction_id = ? AND text IS NOT NULL ORDER BY id DESC LIMIT ?",
  )
  const erase = client.prepare("UPDATE replies SET text = NULL WHERE id = ?")
  const hide = client.prepare("UPDATE replies SET hidden = ? WHERE id = ?")

  return {
    to: async (ids, viewer) => responsesIn(responses.all({ ids: JSON.stringify(ids), viewer })),
    react: (recognitionId, userId, emoji) => write(() => void react.run(recognitionId, emoji, userId)),
    takeBackReaction: (recognitionId, userId, emoji) => write(() => void takeBack.run(recognitionId, emoji, userId)),
    async reply({ recognitionId, authorId, text, date, notifiedIds }) {
      const id = await write(() => {
        const { lastId = 0, lastReply = 0 } = ends.get() ?? {}
        const next = Math.max(notificationIdOf(lastId), lastReply) + 1
        insert.run(next, recognitionId, authorId, text, date)
        for (const userId of notifiedIds) notify.run(userId, next)
        return next
      })
      const [reply] = replies([id])
      if (!reply) throw new Error(`reply ${id} is missing`)
      return reply
    },
    findReply: async (id) => replies([id])[0] ?? null,
    replies: async (recognitionId, limit) => replies(newest.all(recognitionId, limit).map(({ id }) => id)).reverse(),
    deleteReply: (id) => write(() => void erase.run(id)),
    hideReply: (id, isHidden, audit) =>
      write(() => {
        hide.run(isHidden ? 1 : 0, id)
        writeAudit(audit)
      }),
  }
}

/** Reads replies that were not deleted, in the order of the ids. */
export function createReplyReader(client: Database) {
  const replies = client.prepare<ReplyRow, [string]>(
    `SELECT r.id, transaction_id AS recognitionId, user_id AS authorId, username, name, avatar, text, date, hidden AS isHidden
     FROM json_each(?) AS asked CROSS JOIN replies AS r ON r.id = asked.value CROSS JOIN users ON users.id = user_id
     WHERE text IS NOT NULL`,
  )
  return (ids: readonly number[]) => replies.all(JSON.stringify(ids)).map(replyOf)
}
