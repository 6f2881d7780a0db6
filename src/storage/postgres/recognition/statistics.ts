import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { DayTotals, Transaction } from "../../../domain/model.ts"
import { dayMs } from "../../../domain/recognition/periods.ts"
import type { StatisticsStore } from "../../../domain/store.ts"
import { packed, type StoredSnapshot, unpacked } from "../../stored-snapshots.ts"
import type { Client } from "../database/client.ts"
import { transactionColumns } from "../history/records.ts"

/** A day on which a user took part in a transaction. */
interface DayRow extends Omit<DayTotals, "balance"> {
  /** What the balance rose by. */
  readonly net: string
}

/** `StatisticsStore`. */
export function createStatisticsStore(client: Client): StatisticsStore {
  return {
    transactionsAfter: (id, limit) =>
      client.query<Transaction>(
        `SELECT ${transactionColumns} FROM transactions t WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
        [id, limit],
      ),

    daysOf: (userId, since, days) =>
      client.snapshot(async (tx) => {
        const [[row], found] = await Promise.all([
          tx.query<{ balance: number }>("SELECT value AS balance FROM balances WHERE user_id = $1", [userId]),
          tx.query<DayRow>(totalsByDay, [userId, since]),
        ])
        const byDay = new Map(found.map((day) => [day.day, day]))
        const last = since + days * dayMs
        let balance = (row?.balance ?? 0) - sum(found.filter(({ day }) => day >= last))
        return Array.from({ length: days }, (_, index) => last - (index + 1) * dayMs)
          .map((day) => {
            const { net, ...totals } = byDay.get(day) ?? { day, ...noTotals }
            const totalsAtEnd = { ...totals, balance }
            balance -= Number(net)
            return totalsAtEnd
          })
          .reverse()
      }),

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

const noTotals = { net: "0", received: 0, receivedCount: 0, sent: 0, sentCount: 0 }

const sum = (days: readonly DayRow[]): number => Number(days.reduce((net, day) => net + BigInt(day.net), 0n))

/**
 * What a user ($1) received from others and sent to others since a time ($2), by day. Dates never go backwards, so the first
 * transaction of that time bounds the ids that are read from the indexes by user.
 */
const totalsByDay = `
  SELECT day * ${dayMs} AS day,
    least(sum(received), ${maxValue})::bigint AS received, sum(received_count)::bigint AS "receivedCount",
    least(sum(sent), ${maxValue})::bigint AS sent, sum(sent_count)::bigint AS "sentCount",
    (sum(received) - sum(sent))::text AS net
  FROM (
    SELECT date / ${dayMs} AS day, value AS received, 1 AS received_count, 0 AS sent, 0 AS sent_count
    FROM transactions WHERE user_id = $1 AND from_id <> $1 AND id >= (SELECT first_id_since($2))
    UNION ALL
    SELECT date / ${dayMs}, 0, 0, value, 1
    FROM transactions WHERE from_id = $1 AND user_id <> $1 AND id >= (SELECT first_id_since($2))
  ) days
  GROUP BY day`
