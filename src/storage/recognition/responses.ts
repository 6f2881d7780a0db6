import type { Reaction, Reply, Responses } from "../../domain/recognition/model.ts"
import type { ResponseStore } from "../../domain/recognition/ports.ts"
import { notificationIdOf } from "../../domain/recognition/positions.ts"
import { writeAudit } from "../audit.ts"
import { type Database, largestOf, one, type Reads } from "../database.ts"
import { remember } from "../idempotency.ts"
import { fields, list, type RowOf, row, select, set, sql } from "../sql.ts"
import { ledgerState, occasions, reactions, replies, replyNotices, transactions, users } from "../tables.ts"

const replyFields = {
  id: replies.id,
  recognitionId: replies.transactionId,
  authorId: replies.userId,
  username: users.username,
  name: users.name,
  avatar: users.avatar,
  text: sql<string>`${replies.text}`, // replies without one are left out
  date: replies.date,
  isHidden: replies.isHidden,
}
/** A reply that was not deleted, of `withAuthor`. */
export const reply = fields(replyFields)
export const withAuthor = sql`${replies} CROSS JOIN ${users}`
export const isReply = sql`${users.id} = ${replies.userId} AND ${replies.text} IS NOT NULL`

export const replyOf = ({ username, name, avatar, ...fields }: RowOf<typeof replyFields>): Reply => ({
  ...fields,
  author: { username, name, avatar },
})

/** How many people reacted to a recognition with an emoji. A row without an emoji counts the replies instead. */
interface ResponseRow {
  readonly recognitionId: number
  readonly emoji: string | null
  readonly count: number
  /** 0 or 1 */
  readonly isOwn: number
}

export function createResponseStore(db: Database): ResponseStore {
  return {
    to: async (ids, viewerId) => responsesIn(await db.all(counted(ids, viewerId))),
    async conversation(id, viewerId, limit) {
      const [counts, newest] = await db.snapshot([
        counted([id], viewerId),
        select(reply)`FROM ${withAuthor}
          WHERE ${replies.transactionId} = ${id} AND ${isReply} ORDER BY ${replies.id} DESC LIMIT ${limit}`,
      ])
      return {
        responses: responsesIn(counts).get(id) ?? { reactions: [], replies: 0 },
        replies: newest.toReversed().map(replyOf),
      }
    },
    react: (transactionId, userId, emoji, maxKinds) =>
      db.write(async (tx) => {
        // Two new kinds at the same time wait for each other here.
        tx.send(sql`SELECT 1 FROM ${transactions} WHERE ${transactions.id} = ${transactionId} FOR UPDATE`)
        const others = await one(
          tx,
          select(kinds)`FROM ${reactions}
          WHERE ${reactions.transactionId} = ${transactionId} AND ${reactions.emoji} <> ${emoji}`,
        )
        if (others.count >= maxKinds) return false
        tx.send(
          sql`INSERT INTO ${reactions} ${row(reactions, { transactionId, userId, emoji })} ON CONFLICT DO NOTHING`,
        )
        return true
      }),
    takeBackReaction: (transactionId, userId, emoji) =>
      db.write(async (tx) =>
        tx.send(sql`DELETE FROM ${reactions} WHERE ${reactions.transactionId} = ${transactionId}
          AND ${reactions.emoji} = ${emoji} AND ${reactions.userId} = ${userId}`),
      ),
    reply: ({ recognitionId: transactionId, authorId: userId, text, date, notifiedIds }, once) =>
      db.write(async (tx) => {
        // Takes the lock of the ledger, so that a reply is visible before any later transaction or reply.
        const state = await one(tx, select(ledgerEnd)`FROM ${ledgerState} FOR UPDATE`)
        const others = Math.max(await largestOf(tx, replies.id), await largestOf(tx, occasions.id))
        const id = Math.max(notificationIdOf(state.lastId), others) + 1
        tx.send(sql`INSERT INTO ${replies} ${row(replies, { id, transactionId, userId, text, date })}`)
        tx.send(sql`INSERT INTO ${replyNotices} (user_id, reply_id)
          SELECT value, ${id}::bigint FROM ${list("notified", notifiedIds, "bigint")}`)
        const stored = await findReply(tx, id)
        if (stored === null) throw new Error(`reply ${id} is missing`)
        return remember(tx, once, stored)
      }),
    findReply: (id) => findReply(db, id),
    deleteReply: (id) =>
      db.write(async (tx) => tx.send(sql`UPDATE ${replies} SET ${set(replies, { text: null })} WHERE id = ${id}`)),
    hideReply: (id, isHidden, audit) =>
      db.write(async (tx) => {
        tx.send(sql`UPDATE ${replies} SET ${set(replies, { isHidden })} WHERE id = ${id}`)
        writeAudit(tx, audit)
      }),
  }
}

const counted = (ids: readonly number[], viewerId: number) =>
  sql<ResponseRow>`
    SELECT ${reactions.transactionId} AS "recognitionId", ${reactions.emoji} AS emoji, count(*) AS count,
      max(CASE WHEN ${reactions.userId} = ${viewerId} THEN 1 ELSE 0 END) AS "isOwn"
    FROM ${list("asked", ids, "bigint")} CROSS JOIN ${reactions} WHERE ${reactions.transactionId} = asked.value
    GROUP BY ${reactions.transactionId}, ${reactions.emoji}
    UNION ALL
    SELECT ${replies.transactionId}, NULL, count(*), 0
    FROM ${list("asked", ids, "bigint")} CROSS JOIN ${replies} WHERE ${replies.transactionId} = asked.value
      AND ${replies.isHidden} = 0 AND ${replies.text} IS NOT NULL
    GROUP BY ${replies.transactionId}`

const kinds = fields({ count: sql<number>`count(DISTINCT ${reactions.emoji})` })

const ledgerEnd = fields({ lastId: ledgerState.lastId })

async function findReply(reads: Reads, id: number): Promise<Reply | null> {
  const found = await reads.first(select(reply)`FROM ${withAuthor} WHERE ${replies.id} = ${id} AND ${isReply}`)
  return found && replyOf(found)
}

function responsesIn(rows: readonly ResponseRow[]): ReadonlyMap<number, Responses> {
  const byId = new Map<number, { reactions: Reaction[]; replies: number }>()
  for (const { recognitionId, emoji, count, isOwn } of rows) {
    const responses = byId.get(recognitionId) ?? { reactions: [], replies: 0 }
    if (emoji === null) responses.replies = count
    else responses.reactions.push({ emoji, count, isOwn: isOwn === 1 })
    byId.set(recognitionId, responses)
  }
  return byId
}
