import type { MostGiven } from "../../ledger/postings.ts"
import { list, sql } from "../../sql.ts"

/** `MostGiven`, from the index of pairs. */
export const mostGiven: MostGiven = (senderId, receiverIds, since) => sql<{ points: number }>`
  SELECT coalesce(max(points), 0)::bigint AS points FROM (
    SELECT sum(t.value - (SELECT coalesce(sum(b.value), 0) FROM transactions b WHERE b.reverses = t.id)) AS points
    FROM ${list("asked", receiverIds, "bigint")} CROSS JOIN transactions t
    WHERE t.from_id = ${senderId} AND t.user_id = asked.value AND t.kind IN ('transfer', 'grant') AND t.date >= ${since}
    GROUP BY t.user_id
  ) AS given`
