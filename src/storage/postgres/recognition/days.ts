import type { Calendar } from "../../../domain/calendar.ts"
import type { DayTotals } from "../../../domain/recognition/model.ts"
import type { StatisticsStore } from "../../../domain/recognition/ports.ts"
import { countedAs } from "../../../domain/recognition/recognitions.ts"
import { type DaySums, dayIn, totalsOf } from "../../recognition/days.ts"
import { recognitionCondition } from "../../recognition/recognitions.ts"
import { counted, withOriginal } from "../../recognition/statistics.ts"
import { select } from "../../sql.ts"
import { transactions } from "../../tables.ts"
import type { Client, Queries } from "../database/client.ts"
import { readsOn } from "../database/database.ts"

/** `StatisticsStore.daysOf`. */
export const createDays =
  (client: Client, calendar: Calendar): StatisticsStore["daysOf"] =>
  (userId, firstDay, days, signal) =>
    client.until(signal).snapshot((tx) => daysIn(tx, calendar, userId, firstDay, days))

/** What a user received and sent on a day. */
interface DayRow {
  /** Counted from 1. One more than the number of days means after the last day. */
  readonly day: number
  /** How much the balance rose. As text, because it may exceed the exact numbers. */
  readonly net: string
  readonly received: string
  readonly receivedCount: number
  readonly sent: string
  readonly sentCount: number
}

async function daysIn(
  tx: Queries,
  { dayOf, startOf }: Calendar,
  userId: number,
  firstDay: number,
  count: number,
): Promise<DayTotals[]> {
  /** When each day begins, and the day after the last. */
  const bounds = Array.from({ length: count + 1 }, (_, index) => startOf(firstDay + index))
  const since = startOf(firstDay)
  const [[row], found, reversals] = await Promise.all([
    tx.query<{ balance: number }>("SELECT value AS balance FROM balances WHERE user_id = $1", [userId]),
    tx.query<DayRow>(totalsByDay, [userId, since, bounds]),
    readsOn(tx).all(
      select(counted)`FROM ${withOriginal}
        WHERE ${transactions.reverses} IS NOT NULL
          AND (${transactions.userId} = ${userId} OR ${transactions.fromId} = ${userId})
          AND ${transactions.id} >= (SELECT first_id_since(${since}))`,
    ),
  ])
  const days = new Map<number, DaySums>()
  for (const { day, net, received, sent, ...counts } of found)
    days.set(firstDay + day - 1, { ...counts, net: BigInt(net), received: Number(received), sent: Number(sent) })
  for (const reversal of reversals) {
    const counted = countedAs(reversal)
    if (counted === null) continue
    const side = counted.receiverId === userId ? "received" : "sent"
    const sums = dayIn(days, dayOf(counted.date))
    sums[side] += counted.points
    sums[`${side}Count`] += counted.count
  }
  return totalsOf(days, firstDay, count, row?.balance ?? 0)
}

/**
 * What a user ($1) received from others and sent to others since a time ($2), by day, counted from 1 with these bounds
 * ($3): as recognition, and the net sum of all transactions. Dates never go backwards, so the first transaction since
 * that time bounds what is read from the indexes by user.
 */
const totalsByDay = `
  SELECT day, sum(net)::text AS net,
    coalesce(sum(net) FILTER (WHERE counts AND net > 0), 0)::text AS received,
    count(*) FILTER (WHERE counts AND net > 0) AS "receivedCount",
    coalesce(-sum(net) FILTER (WHERE counts AND net < 0), 0)::text AS sent,
    count(*) FILTER (WHERE counts AND net < 0) AS "sentCount"
  FROM (
    SELECT width_bucket(date, $3::bigint[]) AS day, value AS net, ${recognitionCondition} AS counts
    FROM transactions t WHERE user_id = $1 AND from_id <> $1 AND id >= (SELECT first_id_since($2))
    UNION ALL
    SELECT width_bucket(date, $3::bigint[]), -value, ${recognitionCondition}
    FROM transactions t WHERE from_id = $1 AND user_id <> $1 AND id >= (SELECT first_id_since($2))
  ) moved
  GROUP BY day`
