import { maxValue } from "../ledger/ledger.ts"

/** Totals of somebody, or of a day. */
export const columns = ["received", "receivedCount", "sent", "sentCount"] as const
export type Column = (typeof columns)[number]

export type Totals = ReturnType<typeof createTotals>

/** Totals by number, from 0 on: points and counts. They end at the largest exact integer, and stay there. */
export function createTotals(given: readonly Float64Array[] = []) {
  let kept = columns.map((_, index) => given[index] ?? new Float64Array(0))

  return {
    of: (column: Column, number: number): number => kept[columns.indexOf(column)]?.[number] ?? 0,

    /** A column as it stands; whoever writes next writes into it. */
    all: (column: Column): Float64Array => kept[columns.indexOf(column)] ?? new Float64Array(0),

    add(side: "received" | "sent", number: number, points: number) {
      if (number >= (kept[0]?.length ?? 0)) kept = kept.map((column) => enlarged(column, number))
      const [sums, counts] = side === "received" ? [kept[0], kept[1]] : [kept[2], kept[3]]
      if (!sums || !counts) return
      const sum = sums[number] ?? 0
      sums[number] = sum > maxValue - points ? maxValue : sum + points
      counts[number] = (counts[number] ?? 0) + 1
    },

    copy: (): readonly Float64Array[] => kept.map((column) => column.slice()),
  }
}

function enlarged(column: Float64Array, number: number): Float64Array {
  const larger = new Float64Array(Math.max(64, (number + 1) * 2))
  larger.set(column)
  return larger
}
