import type { Fold } from "./ledger.ts"

/** Ids ascend from 1 without gaps, and dates never go backwards. */
export function createOrder(): Fold {
  let last = { id: 0, date: Number.NEGATIVE_INFINITY }

  return {
    check: "order",
    see(row) {
      const before = last
      last = row
      if (row.id > before.id + 1) return missing(before.id + 1, row.id - 1)
      return row.date < before.date ? "its date is before the date of the one before it" : null
    },
    end: () => [],
  }
}

const missing = (first: number, last: number): string =>
  first === last
    ? `transaction ${first} before it is missing`
    : `transactions ${first} to ${last} before it are missing`
