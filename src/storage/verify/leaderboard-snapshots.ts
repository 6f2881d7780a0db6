import { createCalendar } from "../../domain/calendar.ts"
import type { CountedTransaction } from "../../domain/model.ts"
import { countedAs, countedAsBudget } from "../../domain/recognition/recognitions.ts"
import { columns, createTotals } from "../../domain/recognition/totals.ts"
import { columnsOf, type StoredSnapshot } from "../stored-snapshots.ts"
import type { Damage } from "./damage.ts"

/** The snapshots for leaderboards and statistics hold the totals of the transactions up to their `through_id`. */
export function createSnapshotsCheck(rows: readonly StoredSnapshot[]) {
  const counted = rows.map((row) => {
    const calendar = createCalendar(row.timeZone)
    return { row, calendar, span: calendar.spanOf(spanName(row), row.startsAt), sums: createTotals() }
  })

  return {
    /** The last transaction that must be seen; 0 when none needs to be. */
    throughId: Math.max(0, ...rows.map(({ throughId }) => throughId)),
    see(transaction: CountedTransaction) {
      const one = countedAs(transaction)
      const budget = countedAsBudget(transaction)
      for (const { row, calendar, span, sums } of counted) {
        if (transaction.id > row.throughId) continue
        if (budget && row.of !== "days" && budget.date >= span.start && budget.date < span.end)
          sums.addPoints(budget.column, budget.userId, budget.points)
        if (one === null || one.date < span.start || one.date >= span.end) continue
        const { senderId, receiverId, date, points, count } = one
        if (row.of !== "days") sums.add("received", receiverId, points, count)
        sums.add("sent", row.of === "days" ? calendar.dayOf(date) : senderId, points, count)
      }
    },
    *end(): Generator<Damage> {
      for (const { row, sums } of counted)
        if (!isStored(row, sums.copy()))
          yield { check: "leaderboard snapshots", fault: `the totals of ${row.of} are not those of the transactions` }
    },
  }
}

const spanName = ({ of }: StoredSnapshot) => (of === "days" ? "all" : of)

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
