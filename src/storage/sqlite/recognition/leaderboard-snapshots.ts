import type { Calendar } from "../../../domain/calendar.ts"
import type { CountedTransaction } from "../../../domain/model.ts"
import type { StatisticsStore } from "../../../domain/store.ts"
import { packed, type StoredSnapshot, unpacked } from "../../stored-snapshots.ts"
import type { Connection } from "../database/connection.ts"
import { countedColumns, countedRows } from "./counted-transactions.ts"
import { createDays } from "./daily-totals.ts"

/** `StatisticsStore`. */
export function createStatisticsStore(connection: Connection, calendar: Calendar): StatisticsStore {
  const { client, write } = connection
  const entries = client.prepare<CountedTransaction, [number, number]>(
    `SELECT ${countedColumns} FROM ${countedRows} WHERE t.id > ? ORDER BY t.id LIMIT ?`,
  )
  const stored = client.prepare<StoredSnapshot, [string]>(
    `SELECT period AS of, time_zone AS timeZone, starts_at AS startsAt, through_id AS throughId, totals
     FROM leaderboard_snapshots WHERE time_zone = ?`,
  )
  const save = client.prepare(
    `INSERT INTO leaderboard_snapshots (period, time_zone, starts_at, through_id, totals) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (period) DO UPDATE SET time_zone = excluded.time_zone, starts_at = excluded.starts_at,
       through_id = excluded.through_id, totals = excluded.totals
     WHERE excluded.through_id > through_id OR excluded.time_zone <> time_zone`,
  )

  return {
    async transactionsAfter(id, limit) {
      await new Promise(setImmediate)
      return entries.all(id, limit)
    },
    daysOf: createDays(connection, calendar),
    loadSnapshots: async () => unpacked(stored.all(calendar.timeZone)),
    async saveSnapshots(snapshots) {
      const rows = await Promise.all(snapshots.map((snapshot) => packed(snapshot, calendar.timeZone)))
      await write(() => {
        for (const { of, timeZone, startsAt, throughId, totals } of rows)
          save.run(of, timeZone, startsAt, throughId, totals)
      })
    },
  }
}
