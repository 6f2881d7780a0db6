import type { Calendar } from "../../domain/calendar.ts"
import type { TransactionKind } from "../../domain/ledger/model.ts"
import type { StatisticsStore } from "../../domain/recognition/ports.ts"
import { forEverybody } from "../../support/requester.ts"
import type { Database } from "../database.ts"
import { columnsOf, fields, row, select, sql } from "../sql.ts"
import { leaderboardSnapshots as snapshots, transactions } from "../tables.ts"
import { packed, unpacked } from "./stored-snapshots.ts"

/** A `CountedTransaction`, of `withOriginal`. */
export const counted = fields({
  id: transactions.id,
  receiverId: transactions.userId,
  senderId: transactions.fromId,
  value: transactions.value,
  date: transactions.date,
  kind: transactions.kind,
  group: transactions.groupId,
  addsTo: transactions.addsTo,
  originalKind: sql<TransactionKind | null>`original.kind`,
  originalDate: sql<number | null>`original.date`,
  originalLeft: sql<number | null>`original.value - (SELECT sum(reversal.value)::bigint FROM ${transactions} AS reversal
    WHERE reversal.reverses = original.id AND reversal.id <= ${transactions.id})`,
})
export const withOriginal = sql`${transactions} LEFT JOIN ${transactions} AS original ON original.id = ${transactions.reverses}`

/** A `StoredSnapshot`. */
export const snapshot = fields({ of: snapshots.period, ...columnsOf(snapshots, "period") })

/** `CountedTransaction`s with a higher id, ascending. */
export const transactionsAfter = (id: number, limit: number) =>
  select(counted)`FROM ${withOriginal} WHERE ${transactions.id} > ${id} ORDER BY ${transactions.id} LIMIT ${limit}`

/** `StatisticsStore` without the days of a person, which each database reads in its own way. */
export const createStatisticsStore = (db: Database, { timeZone }: Calendar): Omit<StatisticsStore, "daysOf"> => ({
  transactionsAfter: (id, limit) => forEverybody(() => db.all(transactionsAfter(id, limit))),
  loadSnapshots: async () =>
    unpacked(
      await forEverybody(() => db.all(select(snapshot)`FROM ${snapshots} WHERE ${snapshots.timeZone} = ${timeZone}`)),
    ),
  async saveSnapshots(saved) {
    const rows = await Promise.all(saved.map((snapshot) => packed(snapshot, timeZone)))
    await db.write(async (tx) => {
      for (const { of: period, ...rest } of rows)
        tx.send(sql`INSERT INTO ${snapshots} ${row(snapshots, { period, ...rest })}
          ON CONFLICT (period) DO UPDATE SET time_zone = excluded.time_zone, starts_at = excluded.starts_at,
            through_id = excluded.through_id, totals = excluded.totals
          WHERE excluded.through_id > ${snapshots.throughId} OR excluded.time_zone <> ${snapshots.timeZone}`)
    })
  },
})
