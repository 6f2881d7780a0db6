import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { CountedTransaction, DayTotals } from "../../../domain/model.ts"
import { dayMs, dayOf } from "../../../domain/recognition/periods.ts"
import { countedAs } from "../../../domain/recognition/recognitions.ts"
import type { StatisticsStore } from "../../../domain/store.ts"
import { packed, type StoredSnapshot, unpacked } from "../../stored-snapshots.ts"
import type { Client, Queries } from "../database/client.ts"
import { isRecognition } from "../history/records.ts"
import { countedColumns, countedRows } from "./counted-transactions.ts"

/** `StatisticsStore`. */
export function createStatisticsStore(client: Client): StatisticsStore {
  return {
    transactionsAfter: (id, limit) =>
      client.query<CountedTransaction>(
        `SELECT ${countedColumns} FROM ${countedRows} WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
        [id, limit],
      ),

    daysOf: (userId, since, days) => client.snapshot((tx) => daysIn(tx, userId, since, days)),

    async loadSnapshots() {
      return unpacked(
        await client.query<StoredSnapshot>(
          `SELECT period AS of, starts_at AS "startsAt", through_id AS "throughId", totals FROM leaderboard_snapshots`,
        ),
      )
    },

    async saveSnapshots(snapshots) {
      const rows = await Promise.all(snapshots.map(packed))
      await client.query(
        `INSERT INTO leaderboard_snapshots AS kept (period, starts_at, through_id, totals)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])
         ON CONFLICT (period) DO UPDATE SET starts_at = excluded.starts_at, through_id = excluded.through_id,
           totals = excluded.totals WHERE excluded.through_id > kept.through_id`,
        [
          rows.map(({ of }) => of),
          rows.map(({ startsAt }) => startsAt),
          rows.map(({ throughId }) => throughId),
          rows.map(({ totals }) => totals),
        ],
      )
    },
  }
}

/** What a user received and sent on a day. */
interface DayRow {
  readonly day: number
  /** What the balance rose by: may exceed an exact number in between. */
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

async function daysIn({ query }: Queries, userId: number, since: number, count: number): Promise<DayTotals[]> {
  const [[row], found, reversals] = await Promise.all([
    query<{ balance: number }>("SELECT value AS balance FROM balances WHERE user_id = $1", [userId]),
    query<DayRow>(totalsByDay, [userId, since]),
    query<CountedTransaction>(
      `SELECT ${countedColumns} FROM ${countedRows}
       WHERE t.reverses IS NOT NULL AND (t.user_id = $1 OR t.from_id = $1) AND t.id >= (SELECT first_id_since($2))`,
      [userId, since],
    ),
  ])
  const days = new Map<number, Totals>()
  const dayAt = (date: number) => {
    const totals = days.get(dayOf(date)) ?? noTotals()
    days.set(dayOf(date), totals)
    return totals
  }
  for (const { day, net, received, receivedCount, sent, sentCount } of found)
    Object.assign(dayAt(day), {
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
    const totals = dayAt(counted.date)
    totals[side] += BigInt(counted.points)
    totals[`${side}Count`] += counted.count
  }

  const end = since + count * dayMs
  let after = BigInt(row?.balance ?? 0)
  for (const [day, { net }] of days) if (day * dayMs >= end) after -= net
  return Array.from({ length: count }, (_, index) => end - (index + 1) * dayMs)
    .map((day) => {
      const { net, received, sent, ...counts } = days.get(dayOf(day)) ?? noTotals()
      const balance = Number(after)
      after -= net
      return { day, ...counts, received: exact(received), sent: exact(sent), balance }
    })
    .reverse()
}

/** Totals stop at the largest exact number. */
const exact = (points: bigint): number => Math.min(Number(points), maxValue)

/**
 * What a user ($1) received from others and sent to others since a time ($2), by day: as recognition, and net of everything.
 * Dates never go backwards, so the first transaction of that time bounds what is read from the indexes by user.
 */
const totalsByDay = `
  SELECT day * ${dayMs} AS day, sum(net)::text AS net,
    coalesce(sum(net) FILTER (WHERE counts AND net > 0), 0)::text AS received,
    count(*) FILTER (WHERE counts AND net > 0) AS "receivedCount",
    coalesce(-sum(net) FILTER (WHERE counts AND net < 0), 0)::text AS sent,
    count(*) FILTER (WHERE counts AND net < 0) AS "sentCount"
  FROM (
    SELECT date / ${dayMs} AS day, value AS net, ${isRecognition} AS counts
    FROM transactions t WHERE user_id = $1 AND from_id <> $1 AND id >= (SELECT first_id_since($2))
    UNION ALL
    SELECT date / ${dayMs}, -value, ${isRecognition}
    FROM transactions t WHERE from_id = $1 AND user_id <> $1 AND id >= (SELECT first_id_since($2))
  ) moved
  GROUP BY day`
