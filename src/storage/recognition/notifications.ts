import type { TransactionEntry } from "../../domain/ledger/model.ts"
import type { Notification, Recognition, Reply } from "../../domain/recognition/model.ts"
import type { NotificationStore } from "../../domain/recognition/ports.ts"
import { isOccasionId, positionOf, transactionIdUpTo } from "../../domain/recognition/positions.ts"
import { type Database, single } from "../database.ts"
import { row, type SQL, select, sql } from "../sql.ts"
import { ledgerState, notificationsSeen, occasions, replies, replyNotices } from "../tables.ts"
import { celebrationsOf, entriesIn, occasionsWith } from "./occasions.ts"
import { isReply, reply, replyOf, withAuthor } from "./responses.ts"

/** Recognitions that a user received, which each database finds in its own way: a transfer writes nothing for its notification. */
export interface ReceivedRecognitions {
  /** The transfers, newest first, at most `limit`, up to `throughId`. */
  newest(userId: number, throughId: number, limit: number): Promise<TransactionEntry[]>
  /** How many there are of transactions after `afterId` and up to `throughId`, counted up to `max`. */
  count(userId: number, afterId: number, throughId: number, max: number): Promise<number>
  /** The recognitions with these ids. */
  of(ids: readonly number[]): Promise<Recognition[]>
}

/** Recognitions are read up to the transaction that was the last one when everything else was read. */
export function createNotificationStore(db: Database, received: ReceivedRecognitions): NotificationStore {
  return {
    async page(userId, { before = Number.MAX_SAFE_INTEGER, limit, maxUnread }) {
      const [ends, others, celebrated, rows] = await db.snapshot([
        endsFor(userId),
        unseenBy(userId, maxUnread),
        celebrationsOf(userId, before, limit),
        select(reply)`${noticesOf(userId)} AND ${replyNotices.replyId} < ${before}
          ORDER BY ${replyNotices.replyId} DESC LIMIT ${limit}`,
      ])
      const { lastId, seenThrough } = single(ends)
      const [transfers, occasions, recognitions] = await Promise.all([
        received.newest(userId, Math.min(lastId, transactionIdUpTo(before - 1)), limit),
        entriesIn(db, celebrated),
        received.count(userId, transactionIdUpTo(seenThrough), lastId, maxUnread),
      ])
      const ids = [...new Set([...transfers.map(entryOf), ...rows.map(({ recognitionId }) => recognitionId)])]
      const about = ids.length === 0 ? [] : await entriesOf(ids)
      return {
        items: newestOf(transfers, occasions, rows.map(replyOf), about).slice(0, limit),
        seenThrough,
        unread: Math.min(recognitions + single(others).count, maxUnread),
      }
    },

    async unread(userId, max) {
      const [ends, others] = await db.snapshot([endsFor(userId), unseenBy(userId, max)])
      const { lastId, seenThrough } = single(ends)
      const recognitions = await received.count(userId, transactionIdUpTo(seenThrough), lastId, max)
      return Math.min(recognitions + single(others).count, max)
    },

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
}

/** The newest notification that a user has seen; 0 for none. */
const seenBy = (userId: number): SQL<number> => sql`coalesce((SELECT ${notificationsSeen.throughId}
  FROM ${notificationsSeen} WHERE ${notificationsSeen.userId} = ${userId}), 0)`

/** The last transaction, and the newest notification that a user has seen. */
const endsFor = (userId: number) =>
  sql<{ lastId: number; seenThrough: number }>`SELECT ${ledgerState.lastId} AS "lastId",
    ${seenBy(userId)} AS "seenThrough" FROM ${ledgerState}`

/** How many occasions and replies a user has not seen. Counts up to `max` replies. */
const unseenBy = (userId: number, max: number) =>
  sql<{ count: number }>`SELECT (SELECT count(*) FROM ${occasions}
      WHERE ${occasions.userId} = ${userId} AND ${occasions.id} > ${seenBy(userId)})
    + (SELECT count(*) FROM (
      SELECT 1 AS unread ${noticesOf(userId)} AND ${replyNotices.replyId} > ${seenBy(userId)} LIMIT ${max}
    ) AS notices) AS count`

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
