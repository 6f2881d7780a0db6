import type { MostGiven } from "../../ledger/postings.ts"
import { list, type SQL, sql } from "../../sql.ts"

/**
 * `MostGiven`, from the lists of the history: no index has pairs of people. To one person it follows what the sender sent and
 * what the person received, both at once, as far back as the shorter of them goes. To several it follows what the sender sent.
 */
export const mostGiven: MostGiven = (senderId, receiverIds, since) => {
  const [receiverId, ...others] = receiverIds
  return receiverId === undefined || others.length > 0
    ? toSeveral(senderId, receiverIds, since)
    : toOne(senderId, receiverId, since)
}

// The list that ends first has everything; the other has a part of it.
const toOne = (senderId: number, receiverId: number, since: number) => sql<{ points: number }>`
  WITH RECURSIVE walk (sent, received) AS (
    SELECT (SELECT last_sent FROM balances WHERE user_id = ${senderId}),
      (SELECT last_received FROM balances WHERE user_id = ${receiverId})
    UNION ALL
    SELECT s.from_prev, r.user_prev FROM walk
    JOIN transactions s ON s.id = walk.sent AND s.date >= ${since}
    JOIN transactions r ON r.id = walk.received AND r.date >= ${since}
  )
  SELECT max(
    (SELECT coalesce(sum(${left}), 0) FROM walk CROSS JOIN transactions t
      WHERE t.id = walk.sent AND t.user_id = ${receiverId} AND ${counts(since)}),
    (SELECT coalesce(sum(${left}), 0) FROM walk CROSS JOIN transactions t
      WHERE t.id = walk.received AND t.from_id = ${senderId} AND ${counts(since)})
  ) + (SELECT coalesce(sum(${left}), 0) FROM transactions t
    WHERE ${inThisBatch} AND t.from_id = ${senderId} AND t.user_id = ${receiverId} AND ${counts(since)}) AS points`

const toSeveral = (senderId: number, receiverIds: readonly number[], since: number) => sql<{ points: number }>`
  WITH RECURSIVE walk (sent) AS (
    SELECT last_sent FROM balances WHERE user_id = ${senderId}
    UNION ALL
    SELECT t.from_prev FROM walk JOIN transactions t ON t.id = walk.sent AND t.date >= ${since}
  ), given (user_id, points) AS (
    SELECT t.user_id, ${left} FROM walk CROSS JOIN transactions t WHERE t.id = walk.sent AND ${counts(since)}
    UNION ALL
    SELECT t.user_id, ${left} FROM transactions t
    WHERE ${inThisBatch} AND t.from_id = ${senderId} AND ${counts(since)}
  )
  SELECT coalesce(max(points), 0) AS points FROM (
    SELECT sum(points) AS points FROM given
    WHERE user_id IN (SELECT value FROM ${list("asked", receiverIds, "bigint")}) GROUP BY user_id
  )`

/** Points of a transaction that were not taken back. */
const left = sql`t.value - (SELECT coalesce(sum(b.value), 0) FROM transactions b WHERE b.reverses = t.id)`

const counts = (since: number): SQL => sql`t.kind IN ('transfer', 'grant') AND t.date >= ${since}`

/** The lists of `balances` are written at the end of a batch. */
const inThisBatch = sql`t.id > (SELECT last_id FROM ledger_state)`
