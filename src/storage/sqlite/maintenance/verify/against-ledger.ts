import type { CountedTransaction } from "../../../../domain/model.ts"
import type { StoredSnapshot } from "../../../stored-snapshots.ts"
import {
  createSnapshotsCheck,
  keyFault,
  keysWithoutTransactions,
  redemptionFault,
  redemptionsAgainstLedger,
} from "../../../verify/against-ledger.ts"
import type { Damage } from "../../../verify/damage.ts"
import { countedColumns, countedRows } from "../../recognition/statistics.ts"
import type { Subject } from "./check.ts"

/** Compares the stored snapshots with the transactions that they cover. */
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

/** Every redemption agrees with its transactions. */
export function* redemptionFaults({ client }: Subject): Generator<Damage> {
  for (const row of client.query<Parameters<typeof redemptionFault>[0], []>(redemptionsAgainstLedger).iterate())
    yield redemptionFault(row)
}

/** Every key names transactions that exist. */
export function* keyFaults({ client }: Subject): Generator<Damage> {
  for (const row of client.query<Parameters<typeof keyFault>[0], []>(keysWithoutTransactions).iterate())
    yield keyFault(row)
}
