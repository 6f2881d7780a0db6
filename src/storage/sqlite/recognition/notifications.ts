import type { Notification } from "../../../domain/model.ts"
import { transactionIdUpTo } from "../../../domain/recognition/notifications.ts"
import type { NotificationStore } from "../../../domain/store.ts"
import { newestNotifications } from "../../rows.ts"
import { type Connection, createTimeSlices, type Reading } from "../database/connection.ts"
import { createLists, firstOf, type Ids } from "../history/lists.ts"
import { createPeople } from "../history/records.ts"
import { createEntryReader } from "../ledger/entries.ts"
import { createReplyReader } from "./responses.ts"

/** `NotificationStore`. The history index finds recognitions, so a transfer writes nothing for its notification. */
export function createNotificationStore(
  { client, write }: Pick<Connection, "client" | "write">,
  longestMs?: number,
): NotificationStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const entriesOf = createEntryReader(client)
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
    return newestNotifications(entriesOf(ids), replies, entriesOf(about), limit)
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
