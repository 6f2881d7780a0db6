import type { Database } from "bun:sqlite"
import type { Notification } from "../../../domain/model.ts"
import { notificationIdOf, transactionIdUpTo } from "../../../domain/recognition/notifications.ts"
import type { NotificationStore, ResponseStore } from "../../../domain/store.ts"
import { newestNotifications, type ReplyRow, type ResponseRow, replyOf, responsesIn } from "../../rows.ts"
import { createAuditWriter } from "../audit.ts"
import { type Connection, createTimeSlices, type Reading } from "../database/connection.ts"
import { createLists, firstOf, type Ids } from "../history/lists.ts"
import { createPeople } from "../history/records.ts"
import { createRecognitionReader } from "../ledger/entries.ts"
import { createRemember } from "../ledger/idempotency-keys.ts"

/** `ResponseStore`. */
export function createResponseStore(connection: Connection): ResponseStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const remember = createRemember(client)
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
    reply: ({ recognitionId, authorId, text, date, notifiedIds }, once) =>
      write(() => {
        const { lastId = 0, lastReply = 0 } = ends.get() ?? {}
        const id = Math.max(notificationIdOf(lastId), lastReply) + 1
        insert.run(id, recognitionId, authorId, text, date)
        for (const userId of notifiedIds) notify.run(userId, id)
        const [reply] = replies([id])
        if (!reply) throw new Error(`reply ${id} is missing`)
        return remember(once, reply)
      }),
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

/** `NotificationStore`. The history index finds recognitions, so a transfer writes nothing for its notification. */
export function createNotificationStore(
  { client, write }: Pick<Connection, "client" | "write">,
  longestMs?: number,
): NotificationStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const recognitions = createRecognitionReader(client)
  const repliesOf = createReplyReader(client)
  const inTimeSlices = createTimeSlices(client, longestMs)
  const transfers = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value WHERE kind = 'transfer'`,
  )
  const notices = client.prepare<{ id: number }, [number, number, number, number]>(
    `SELECT reply_id AS id FROM reply_notices AS n CROSS JOIN replies ON replies.id = reply_id
     WHERE n.user_id = ? AND reply_id > ? AND reply_id < ? AND hidden = 0 AND text IS NOT NULL
     ORDER BY reply_id DESC LIMIT ?`,
  )
  const seen = client.prepare<{ throughId: number }, [number]>(
    "SELECT through_id AS throughId FROM notifications_seen WHERE user_id = ?",
  )
  const save = client.prepare(
    `INSERT INTO notifications_seen (user_id, through_id) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET through_id = max(through_id, excluded.through_id)`,
  )

  return {
    newest: (userId, { before = Number.MAX_SAFE_INTEGER, limit }) => inTimeSlices(newest(userId, before, limit)),
    unread: (userId, max) => inTimeSlices(unread(userId, max)),
    seenThrough: async (userId) => seenThrough(userId),
    saveSeen: (userId, throughId) => write(() => void save.run(userId, throughId)),
  }

  function* newest(userId: number, before: number, limit: number): Reading<Notification[]> {
    const ids = yield* firstOf(received(userId, 0, before), limit)
    const replies = repliesOf(notices.all(userId, 0, before, limit).map(({ id }) => id))
    const about = [...new Set(replies.map(({ recognitionId }) => recognitionId))]
    return newestNotifications(userId, recognitions.of(ids), replies, recognitions.of(about), limit)
  }

  function* unread(userId: number, max: number): Reading<number> {
    const through = seenThrough(userId)
    const replies = notices.all(userId, through, Number.MAX_SAFE_INTEGER, max).length
    const recognitions = yield* firstOf(received(userId, through, Number.MAX_SAFE_INTEGER), max)
    return Math.min(replies + recognitions.length, max)
  }

  function seenThrough(userId: number): number {
    return seen.get(userId)?.throughId ?? 0
  }

  /** Transfers to the user, descending, whose notifications come after `after` and before `before`. */
  function* received(userId: number, after: number, before: number): Ids {
    const lowest = transactionIdUpTo(after)
    const list = lists.asOf(people.listsOf(userId).received, transactionIdUpTo(before - 1))
    if (list.last <= lowest) return
    for (const some of lists.idsIn([list], "down")) {
      const within = some.filter((id) => id > lowest)
      yield transfers.all(JSON.stringify(within)).map(({ id }) => id)
      if (within.length < some.length) return
    }
  }
}

/** Reads replies that were not deleted, in the order of the ids. */
function createReplyReader(client: Database) {
  const replies = client.prepare<ReplyRow, [string]>(
    `SELECT r.id, transaction_id AS recognitionId, user_id AS authorId, username, name, avatar, text, date, hidden AS isHidden
     FROM json_each(?) AS asked CROSS JOIN replies AS r ON r.id = asked.value CROSS JOIN users ON users.id = user_id
     WHERE text IS NOT NULL`,
  )
  return (ids: readonly number[]) => replies.all(JSON.stringify(ids)).map(replyOf)
}
