import { fill } from "../../../languages/writing.ts"
import { perLocale } from "../../texts/format.ts"
import { language, t } from "../../texts/texts.ts"

/** What a look back covers. */
export const units = ["month", "quarter", "year"] as const
export type Unit = (typeof units)[number]

export interface Period {
  readonly unit: Unit
  readonly year: number
  /** Of the month or quarter, from 1; of a year, 1. */
  readonly number: number
}

const perYear: Readonly<Record<Unit, number>> = { month: 12, quarter: 4, year: 1 }

/** The period of an address such as `2026`, `2026-Q4` or `2026-11`; null for any other text. */
export function periodNamed(name: string): Period | null {
  const [, year, quarter, month] = /^(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(name) ?? []
  if (year === undefined) return null
  const unit = quarter !== undefined ? "quarter" : month !== undefined ? "month" : "year"
  return { unit, year: Number(year), number: Number(quarter ?? month ?? 1) }
}

export const nameOf = ({ unit, year, number }: Period): string =>
  `${String(year).padStart(4, "0")}${unit === "quarter" ? `-Q${number}` : unit === "month" ? `-${twoDigits(number)}` : ""}`

/** The period of this unit that contains a day. */
export function periodOn(unit: Unit, day: string): Period {
  const [year = 0, month = 1] = day.split("-").map(Number)
  return { unit, year, number: Math.ceil((month * perYear[unit]) / 12) }
}

/** The day on which a period begins. */
export const firstDayOf = ({ unit, year, number }: Period): string =>
  `${String(year).padStart(4, "0")}-${twoDigits(((number - 1) * 12) / perYear[unit] + 1)}-01`

export function neighbour({ unit, year, number }: Period, by: 1 | -1): Period {
  const index = year * perYear[unit] + number - 1 + by
  return { unit, year: Math.floor(index / perYear[unit]), number: (index % perYear[unit]) + 1 }
}

const months = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "long", year: "numeric", timeZone: "UTC" }))
const shortMonths = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "short", timeZone: "UTC" }))
const narrowMonths = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "narrow", timeZone: "UTC" }))
const longMonths = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "long", timeZone: "UTC" }))

const momentOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

/** `N`, `Nov` and `November`, for `2026-11`. */
export const narrowMonth = (month: string): string => narrowMonths().format(momentOf(month))
export const shortMonth = (month: string): string => shortMonths().format(momentOf(month))
export const longMonth = (month: string): string => longMonths().format(momentOf(month))

/** `November 2026`, `4th quarter of 2026`, `2026`, as a heading. */
export function periodText(period: Period): string {
  const year = String(period.year)
  if (period.unit === "year") return year
  if (period.unit === "month") {
    const name = months().format(momentOf(nameOf(period)))
    return name.slice(0, 1).toLocaleUpperCase(language.value) + name.slice(1)
  }
  return fill(t().recap.quarters[period.number - 1] ?? "", { year })
}

const twoDigits = (number: number): string => String(number).padStart(2, "0")
