import { invalid } from "../errors.ts"
import type { DayRange, Period } from "../model.ts"

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

/** The day `YYYY-MM-DD`, as `dayOf` counts.
 *  @throws DomainError `invalid`, naming the parameter */
export function dayFrom(parameter: string, day: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse takes the 30th of February for the 2nd of March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day))
    throw invalid(parameter, "a day, YYYY-MM-DD")
  return dayOf(start)
}

export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

export interface Month {
  /** YYYY-MM */
  readonly name: string
  /** Its first day, even where a range begins later. */
  readonly firstDay: number
}

/** The months that a range of days touches, ascending. */
export function monthsOf({ first, last }: DayRange): Month[] {
  const months: Month[] = []
  for (let { start, end } = spanOf("month", first * dayMs); dayOf(start) <= last; { start, end } = spanOf("month", end))
    months.push({ name: dayText(dayOf(start)).slice(0, 7), firstDay: dayOf(start) })
  return months
}
