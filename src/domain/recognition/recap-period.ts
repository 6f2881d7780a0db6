import { type DayRange, dayMs, dayText, utcDayOf, utcSpanOf } from "../calendar.ts"

/** What a look back covers. */
export const recapUnits = ["month", "quarter", "year"] as const
export type RecapUnit = (typeof recapUnits)[number]

export interface RecapPeriod {
  /** `2026-11`, `2026-Q4` or `2026`. */
  readonly name: string
  readonly unit: RecapUnit
  readonly days: DayRange
}

/** The period of this name; null when there is none. */
export function recapPeriodNamed(name: string): RecapPeriod | null {
  const [, year, quarter, month] = /^(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(name) ?? []
  if (year === undefined) return null
  if (quarter !== undefined) return periodOf("quarter", Date.UTC(Number(year), (Number(quarter) - 1) * 3))
  if (month !== undefined) return periodOf("month", Date.UTC(Number(year), Number(month) - 1))
  return periodOf("year", Date.UTC(Number(year), 0))
}

/** The period that contains a day. */
export const recapPeriodOn = (unit: RecapUnit, day: number): RecapPeriod => periodOf(unit, day * dayMs)

function periodOf(unit: RecapUnit, moment: number): RecapPeriod {
  const span = utcSpanOf(unit, moment)
  const first = utcDayOf(span.start)
  return { name: nameOf(unit, first), unit, days: { first, last: utcDayOf(span.end) - 1 } }
}

function nameOf(unit: RecapUnit, first: number): string {
  const day = dayText(first)
  if (unit === "month") return day.slice(0, 7)
  const year = day.slice(0, 4)
  return unit === "year" ? year : `${year}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
}
