import { list, sql } from "../sql.ts"
import { transactions } from "../tables.ts"
import { firstIdSince } from "./history.ts"

/**
 * The most points that one of these people got from the sender by transfers and grants since a moment, less what was taken
 * back. Dates never go backwards, so the reading ends at the first transaction before that moment.
 */
export const mostGiven = (senderId: number, receiverIds: readonly number[], since: number) =>
  sql<{ readonly points: number }>`
    SELECT coalesce(max(points), 0)::bigint AS points FROM (
      SELECT sum(${transactions.value} - (SELECT coalesce(sum(back.value), 0) FROM ${transactions} AS back
        WHERE back.reverses = ${transactions.id})) AS points
      FROM ${transactions}
      WHERE ${transactions.fromId} = ${senderId} AND ${transactions.id} >= ${firstIdSince(since)}
        AND ${transactions.userId} IN (SELECT value FROM ${list("asked", receiverIds, "bigint")})
        AND ${transactions.kind} IN ('transfer', 'grant')
      GROUP BY ${transactions.userId}
    ) AS given`
