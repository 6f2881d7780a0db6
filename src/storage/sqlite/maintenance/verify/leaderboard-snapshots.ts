import type { Database } from "bun:sqlite"
import type { CountedTransaction } from "../../../../domain/model.ts"
import { dayOf, spanOf } from "../../../../domain/recognition/periods.ts"
import { countedAs, countedAsBudget } from "../../../../domain/recognition/recognitions.ts"
import { columns, createTotals } from "../../../../domain/recognition/totals.ts"
import { columnsOf, type StoredSnapshot } from "../../../stored-snapshots.ts"
import { countedColumns, countedRows } from "../../recognition/counted-transactions.ts"
import type { Finding, Subject } from "./check.ts"

/** The snapshots for leaderboards and statistics hold the totals of the transactions up to their `through_id`. */
export function* leaderboardFaults({ client }: Subject): Generator<Finding> {
  const rows = client
    .query<StoredSnapshot, []>(
      "SELECT period AS of, starts_at AS startsAt, through_id AS throughId, totals FROM leaderboard_snapshots",
    )
    .all()
  if (rows.length === 0) return
  const counted = rows.map((row) => ({ row, span: spanOf(spanName(row), row.startsAt), sums: createTotals() }))
  for (const transaction of transactionsThrough(client, rows)) {
    const one = countedAs(transaction)
    const budget = countedAsBudget(transaction)
    for (const { row, span, sums } of counted) {
      if (transaction.id > row.throughId) continue
      if (budget && row.of !== "days" && budget.date >= span.start && budget.date < span.end)
        sums.addPoints(budget.column, budget.userId, budget.points)
      if (one === null || one.date < span.start || one.date >= span.end) continue
      const { senderId, receiverId, date, points, count } = one
      if (row.of !== "days") sums.add("received", receiverId, points, count)
      sums.add("sent", row.of === "days" ? dayOf(date) : senderId, points, count)
    }
  }
  for (const { row, sums } of counted)
    if (!isStored(row, sums.copy()))
      yield { check: "leaderboard snapshots", fault: `the totals of ${row.of} are not those of the transactions` }
}

const spanName = ({ of }: StoredSnapshot) => (of === "days" ? "all" : of)

function transactionsThrough(client: Database, rows: readonly StoredSnapshot[]): Iterable<CountedTransaction> {
  const last = Math.max(...rows.map(({ throughId }) => throughId))
  return client
    .query<CountedTransaction, [number]>(`SELECT ${countedColumns} FROM ${countedRows} WHERE t.id <= ? ORDER BY t.id`)
    .iterate(last)
}

/** Stored columns may be longer, with zeros at the end. */
function isStored(row: StoredSnapshot, counted: readonly Float64Array[]): boolean {
  const stored = columnsOf(row)
  if (stored === null) return false
  return columns.every((_, index) => {
    const [one = new Float64Array(0), other = new Float64Array(0)] = [stored[index], counted[index]]
    for (let number = 0; number < Math.max(one.length, other.length); number += 1)
      if ((one[number] ?? 0) !== (other[number] ?? 0)) return false
    return true
  })
}
