import { perLocale } from "../texts/format.ts"

/** A year with a 29th of February. */
const leapYear = 2000

const dayOfYear = perLocale((tag) => new Intl.DateTimeFormat(tag, { day: "numeric", month: "long", timeZone: "UTC" }))
const longMonth = perLocale((tag) => new Intl.DateTimeFormat(tag, { month: "long", timeZone: "UTC" }))

/** `05-14` as `May 14`. */
export const formatYearDay = (birthday: string): string =>
  dayOfYear().format(new Date(`${leapYear}-${birthday}T00:00Z`))

/** The months, by their two digits. */
export const monthNames = (): readonly (readonly [digits: string, name: string])[] =>
  Array.from({ length: 12 }, (_, month) => [twoDigits(month + 1), longMonth().format(Date.UTC(leapYear, month))])

/** The days of a month as two digits; of every month while none is chosen. */
export const daysOfMonth = (month: string): readonly string[] => {
  const count = month === "" ? 31 : new Date(Date.UTC(leapYear, Number(month), 0)).getUTCDate()
  return Array.from({ length: count }, (_, day) => twoDigits(day + 1))
}

const twoDigits = (number: number): string => String(number).padStart(2, "0")
