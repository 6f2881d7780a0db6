import type { TransactionEntry } from "../../domain/ledger/model.ts"
import type { Notification, Recognition, Reply } from "../../domain/recognition/model.ts"
import type { NotificationStore } from "../../domain/recognition/ports.ts"
import { isOccasionId, positionOf, transactionIdUpTo } from "../../domain/recognition/positions.ts"
import { type Database, one } from "../database.ts"
import { fields, row, type SQL, select, sql } from "../sql.ts"
import { notificationsSeen, occasions, replies, replyNotices } from "../tables.ts"
import { occasionsOf, occasionsWith } from "./occasions.ts"
import { isReply, reply, replyOf, withAuthor } from "./responses.ts"

/** Recognitions that a user received, which each database finds in its own way: a transfer writes nothing for its notification. */
export interface ReceivedRecognitions {
  /** The transfers, newest first, at most `limit`, up to `throughId`. */
  newest(userId: number, throughId: number, limit: number): Promise<TransactionEntry[]>
  /** How many there are of transactions after `afterId`, counted up to `max`. */
  count(userId: number, afterId: number, max: number): Promise<number>
  /** The recognitions with these ids. */
  of(ids: readonly number[]): Promise<Recognition[]>
}

export function createNotificationStore(db: Database, received: ReceivedRecognitions): NotificationStore {
  return {
    async newest(userId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const [transfers, celebrated, rows] = await Promise.all([
        received.newest(userId, transactionIdUpTo(before - 1), limit),
        occasionsOf(db, userId, before, limit),
        db.all(select(reply)`${noticesOf(userId)} AND ${replyNotices.replyId} < ${before}
          ORDER BY ${replyNotices.replyId} DESC LIMIT ${limit}`),
      ])
      const ids = [...new Set([...transfers.map(entryOf), ...rows.map(({ recognitionId }) => recognitionId)])]
      const about = ids.length === 0 ? [] : await entriesOf(ids)
      return newestOf(transfers, celebrated, rows.map(replyOf), about).slice(0, limit)
    },

    async unread(userId, max) {
      const through = await seenThrough(userId)
      const [recognitions, celebrated, { count }] = await Promise.all([
        received.count(userId, transactionIdUpTo(through), max),
        one(
          db,
          sql<{ count: number }>`SELECT count(*) AS count FROM ${occasions}
            WHERE ${occasions.userId} = ${userId} AND ${occasions.id} > ${through}`,
        ),
        one(
          db,
          sql<{ count: number }>`SELECT count(*) AS count FROM (
            SELECT 1 AS unread ${noticesOf(userId)} AND ${replyNotices.replyId} > ${through} LIMIT ${max}) AS notices`,
        ),
      ])
      return Math.min(recognitions + celebrated.count + count, max)
    },

    seenThrough,

    saveSeen: (userId, throughId) =>
      db.write(async (tx) =>
        tx.send(sql`INSERT INTO ${notificationsSeen} ${row(notificationsSeen, { userId, throughId })}
          ON CONFLICT (user_id) DO UPDATE SET through_id = excluded.through_id
          WHERE excluded.through_id > ${notificationsSeen.throughId}`),
      ),
  }

  async function entriesOf(ids: readonly number[]): Promise<Recognition[]> {
    const transactionIds = ids.filter((id) => !isOccasionId(id))
    const recognitions = transactionIds.length === 0 ? [] : await received.of(transactionIds)
    return [...recognitions, ...(await occasionsWith(db, ids))]
  }

  async function seenThrough(userId: number): Promise<number> {
    const row = await db.first(select(seen)`FROM ${notificationsSeen} WHERE ${notificationsSeen.userId} = ${userId}`)
    return row?.throughId ?? 0
  }
}

const seen = fields({ throughId: notificationsSeen.throughId })

/** The replies of which a user is notified, without hidden ones. */
const noticesOf = (userId: number): SQL => sql`FROM ${replyNotices} CROSS JOIN ${withAuthor}
  WHERE ${replyNotices.userId} = ${userId} AND ${replies.id} = ${replyNotices.replyId}
    AND ${replies.isHidden} = 0 AND ${isReply}`

/** The entry of the feed to which a transfer belongs. */
const entryOf = ({ id, group, addsTo }: TransactionEntry): number => addsTo ?? group ?? id

/** Notifications, newest first. `about` holds the entries of transfers and replies. */
function newestOf(
  transfers: readonly TransactionEntry[],
  celebrated: readonly Recognition[],
  replies: readonly Reply[],
  about: readonly Recognition[],
): Notification[] {
  const byId = new Map([...about, ...celebrated].map((recognition) => [recognition.id, recognition]))
  const all = [
    ...transfers.map((transfer) => ({
      id: positionOf(transfer.id),
      recognitionId: entryOf(transfer),
      addition: transfer.addsTo === null ? null : transfer,
      reply: null,
    })),
    ...celebrated.map(({ id }) => ({ id: positionOf(id), recognitionId: id, addition: null, reply: null })),
    ...replies.map((reply) => ({ id: reply.id, recognitionId: reply.recognitionId, addition: null, reply })),
  ]
  return all
    .flatMap(({ recognitionId, ...notification }) => {
      const recognition = byId.get(recognitionId)
      return recognition ? [{ ...notification, recognition }] : []
    })
    .sort((one, other) => other.id - one.id)
}
