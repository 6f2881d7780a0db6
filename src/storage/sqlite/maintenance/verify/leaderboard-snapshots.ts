import type { CountedTransaction } from "../../../../domain/model.ts"
import type { StoredSnapshot } from "../../../stored-snapshots.ts"
import type { Damage } from "../../../verify/damage.ts"
import { createSnapshotsCheck } from "../../../verify/leaderboard-snapshots.ts"
import { countedColumns, countedRows } from "../../recognition/counted-transactions.ts"
import type { Subject } from "./check.ts"

/** Reads the transactions that the stored snapshots cover. */
export function* leaderboardFaults({ client }: Subject): Generator<Damage> {
  const rows = client
    .query<StoredSnapshot, []>(
      `SELECT period AS of, time_zone AS timeZone, starts_at AS startsAt, through_id AS throughId, totals
       FROM leaderboard_snapshots`,
    )
    .all()
  if (rows.length === 0) return
  const check = createSnapshotsCheck(rows)
  const transactions = client.query<CountedTransaction, [number]>(
    `SELECT ${countedColumns} FROM ${countedRows} WHERE t.id <= ? ORDER BY t.id`,
  )
  for (const transaction of transactions.iterate(check.throughId)) check.see(transaction)
  yield* check.end()
}
