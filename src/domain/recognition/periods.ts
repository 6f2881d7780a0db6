import type { Period } from "../model.ts"

/** Milliseconds since the epoch; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const dayMs = 86_400_000
/** Monday, 1969-12-29. */
const firstMonday = -3 * dayMs
const weekMs = 7 * dayMs
const months = { month: 1, quarter: 3, year: 12 } as const

/** The period of the UTC calendar that contains this moment. Weeks begin on Monday. */
export function spanOf(period: Period, moment: number): Span {
  if (period === "all") return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  if (period === "week") {
    const start = firstMonday + Math.floor((moment - firstMonday) / weekMs) * weekMs
    return { start, end: start + weekMs }
  }
  const date = new Date(moment)
  const length = months[period]
  const first = Math.floor(date.getUTCMonth() / length) * length
  const startOf = (month: number) => Date.UTC(date.getUTCFullYear(), month)
  return { start: startOf(first), end: startOf(first + length) }
}

/** Days since the epoch. */
export const dayOf = (moment: number): number => Math.floor(moment / dayMs)
