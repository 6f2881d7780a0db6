import { maxValue } from "../ledger/ledger.ts"

/** Recognition in points and number, received and sent; points that a user granted to others, and points redeemed. */
export const columns = ["received", "receivedCount", "sent", "sentCount", "granted", "redeemed"] as const
export type Column = (typeof columns)[number]

export type Totals = ReturnType<typeof createTotals>

/**
 * Totals by a number from 0: a user id, or a day. Typed arrays, because they are compact, and quick to rank and to store.
 * Points stop at the largest exact integer. `initial` has one array for each column.
 */
export function createTotals(initial: readonly Float64Array[] = []) {
  let arrays = columns.map((_, index) => initial[index] ?? new Float64Array(0))

  return {
    of: (column: Column, number: number): number => arrays[columns.indexOf(column)]?.[number] ?? 0,

    /** The column itself, not a copy: later additions change it. */
    all: (column: Column): Float64Array => arrays[columns.indexOf(column)] ?? new Float64Array(0),

    /** `points` and `count` are negative for what was reversed. */
    add(side: "received" | "sent", number: number, points: number, count: number) {
      addPoints(side, number, points)
      const counts = arrays[columns.indexOf(`${side}Count`)]
      if (counts) counts[number] = (counts[number] ?? 0) + count
    },

    addPoints,

    copy: (): readonly Float64Array[] => arrays.map((array) => array.slice()),
  }

  function addPoints(column: "received" | "sent" | "granted" | "redeemed", number: number, points: number) {
    if (number >= (arrays[0]?.length ?? 0)) arrays = arrays.map((array) => enlarged(array, number))
    const sums = arrays[columns.indexOf(column)]
    if (!sums) return
    const sum = sums[number] ?? 0
    sums[number] = sum > maxValue - points ? maxValue : Math.max(0, sum + points)
  }
}

function enlarged(array: Float64Array, number: number): Float64Array {
  const larger = new Float64Array(Math.max(64, (number + 1) * 2))
  larger.set(array)
  return larger
}
