import type { Calendar } from "../../../domain/calendar.ts"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { CountedTransaction } from "../../../domain/ledger/model.ts"
import type { DayTotals } from "../../../domain/recognition/model.ts"
import type { StatisticsStore } from "../../../domain/recognition/ports.ts"
import { countedAs } from "../../../domain/recognition/recognitions.ts"
import { recognitionCondition } from "../../recognition/recognitions.ts"
import { counted, withOriginal } from "../../recognition/statistics.ts"
import { createCompiler } from "../../sql.ts"
import type { Client, Queries } from "../database/client.ts"
import { postgresDialect } from "../database/database.ts"

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

interface Totals {
  received: bigint
  receivedCount: number
  sent: bigint
  sentCount: number
  net: bigint
}

const noTotals = (): Totals => ({ received: 0n, receivedCount: 0, sent: 0n, sentCount: 0, net: 0n })

async function daysIn(
  { query }: Queries,
  { dayOf, startOf }: Calendar,
  userId: number,
  firstDay: number,
  count: number,
): Promise<DayTotals[]> {
  /** When each day begins, and the day after the last. */
  const bounds = Array.from({ length: count + 1 }, (_, index) => startOf(firstDay + index))
  const since = startOf(firstDay)
  const [[row], found, reversals] = await Promise.all([
    query<{ balance: number }>("SELECT value AS balance FROM balances WHERE user_id = $1", [userId]),
    query<DayRow>(totalsByDay, [userId, since, bounds]),
    query<CountedTransaction>(
      `SELECT ${countedColumns} FROM ${countedRows}
       WHERE transactions.reverses IS NOT NULL AND (transactions.user_id = $1 OR transactions.from_id = $1)
         AND transactions.id >= (SELECT first_id_since($2))`,
      [userId, since],
    ),
  ])
  const days = new Map<number, Totals>()
  const dayAt = (day: number) => {
    const totals = days.get(day) ?? noTotals()
    days.set(day, totals)
    return totals
  }
  for (const { day, net, received, receivedCount, sent, sentCount } of found)
    Object.assign(dayAt(firstDay + day - 1), {
      net: BigInt(net),
      received: BigInt(received),
      receivedCount,
      sent: BigInt(sent),
      sentCount,
    })
  for (const reversal of reversals) {
    const counted = countedAs(reversal)
    if (counted === null) continue
    const side = counted.receiverId === userId ? "received" : "sent"
    const totals = dayAt(dayOf(counted.date))
    totals[side] += BigInt(counted.points)
    totals[`${side}Count`] += counted.count
  }

  const end = firstDay + count
  let after = BigInt(row?.balance ?? 0)
  for (const [day, { net }] of days) if (day >= end) after -= net
  return Array.from({ length: count }, (_, index) => end - 1 - index)
    .map((day) => {
      const { net, received, sent, ...counts } = days.get(day) ?? noTotals()
      const balance = Number(after)
      after -= net
      return { day, ...counts, received: exact(received), sent: exact(sent), balance }
    })
    .reverse()
}

/** Caps a total at the largest number that is exact. */
const exact = (points: bigint): number => Math.min(Number(points), maxValue)

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

// For statements that do not pass the door.
const compile = createCompiler(postgresDialect)
export const countedColumns = compile(counted).compiled.text
export const countedRows = compile(withOriginal).compiled.text
