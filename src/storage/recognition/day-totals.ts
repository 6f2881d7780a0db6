import type { Calendar } from "../../domain/calendar.ts"
import type { StatisticsStore } from "../../domain/recognition/ports.ts"
import { countedAs } from "../../domain/recognition/recognitions.ts"
import type { Database } from "../database.ts"
import { firstIdsSince } from "../ledger/history.ts"
import { records, select, sql } from "../sql.ts"
import { balances, transactions } from "../tables.ts"
import { type DaySums, dayIn, totalsOf } from "./days.ts"
import { isRecognition } from "./recognitions.ts"
import { counted, withOriginal } from "./statistics.ts"

/** Sums of a day on one side. As text, because they may exceed the exact numbers. */
interface SideOfDay {
  readonly day: number
  readonly moved: string
  readonly points: string
  readonly count: number
}

/**
 * `StatisticsStore.daysOf`. Dates never go backwards, so each day is a range of ids, in which the indexes by user are read.
 */
export const createDays =
  (db: Database, { dayOf, startOf }: Calendar): StatisticsStore["daysOf"] =>
  async (userId, firstDay, count, signal) => {
    const reads = db.until(signal)
    const starts = Array.from({ length: count + 1 }, (_, index) => startOf(firstDay + index))
    const firsts = await firstIdsSince(reads, starts)
    const since = firsts[0] ?? 1
    // What comes after the last day counts for the balance at its end.
    const days = firsts.map((first, index) => ({
      day: firstDay + index,
      first,
      end: firsts[index + 1] ?? Number.MAX_SAFE_INTEGER,
    }))
    const sumsOf = (own: "received" | "sent") => {
      const [mine, theirs] =
        own === "received" ? [transactions.userId, transactions.fromId] : [transactions.fromId, transactions.userId]
      return sql<SideOfDay>`SELECT days.day, CAST(sum(${transactions.value}) AS text) AS moved,
          CAST(coalesce(sum(CASE WHEN ${isRecognition} THEN ${transactions.value} END), 0) AS text) AS points,
          coalesce(sum(CASE WHEN ${isRecognition} THEN 1 END), 0)::bigint AS count
        FROM ${records("days", days, { day: "bigint", first: "bigint", end: "bigint" })} CROSS JOIN ${transactions}
        WHERE ${mine} = ${userId} AND ${theirs} <> ${userId}
          AND ${transactions.id} >= days.first AND ${transactions.id} < days."end"
        GROUP BY days.day`
    }
    const [received, sent, reversals, [held]] = await reads.snapshot([
      sumsOf("received"),
      sumsOf("sent"),
      select(counted)`FROM ${withOriginal}
        WHERE ${transactions.reverses} IS NOT NULL AND ${transactions.id} >= ${since}
          AND (${transactions.userId} = ${userId} OR ${transactions.fromId} = ${userId})`,
      sql<{
        balance: number
      }>`SELECT ${balances.value} AS balance FROM ${balances} WHERE ${balances.userId} = ${userId}`,
    ])
    const sums = new Map<number, DaySums>()
    for (const { day, moved, points, count } of received) {
      const of = dayIn(sums, day)
      of.net += BigInt(moved)
      of.received += Number(points)
      of.receivedCount += count
    }
    for (const { day, moved, points, count } of sent) {
      const of = dayIn(sums, day)
      of.net -= BigInt(moved)
      of.sent += Number(points)
      of.sentCount += count
    }
    for (const reversal of reversals) {
      const counted = countedAs(reversal)
      if (counted === null) continue
      const side = counted.receiverId === userId ? "received" : "sent"
      const of = dayIn(sums, dayOf(counted.date))
      of[side] += counted.points
      of[`${side}Count`] += counted.count
    }
    return totalsOf(sums, firstDay, count, held?.balance ?? 0)
  }
