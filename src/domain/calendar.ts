import { invalid } from "./errors.ts"

/** The calendar periods of a leaderboard, and `all` for the whole ledger. */
export const periods = ["week", "month", "quarter", "year", "all"] as const

export type Period = (typeof periods)[number]

/** Days since the epoch, both included. Callers say in which time zone. */
export interface DayRange {
  readonly first: number
  readonly last: number
}

/** A day, YYYY-MM-DD. */
export type Day = string

export type Calendar = ReturnType<typeof createCalendar>

/**
 * Days and moments in a time zone. A day also has a number: days since 1970-01-01. UTC is computed without the time
 * zone database, which is slow to load.
 */
export function createCalendar(timeZone: string) {
  const starts = new Map<number, number>()
  /**
   * A cache of one entry: the offset from UTC in the latest quarter of an hour asked for. Callers read rows whose dates
   * are close together.
   */
  let known = { quarter: Number.NaN, offset: 0 }

  /** When a day begins: at midnight, or at the first moment after midnight if clocks are put forward over it. */
  function startOf(day: number): number {
    if (timeZone === "UTC") return day * dayMs
    const seen = starts.get(day)
    if (seen !== undefined) return seen
    const start = firstDate().add({ days: day }).toZonedDateTime(timeZone).epochMilliseconds
    starts.set(day, start)
    return start
  }

  /** The number of the day that contains a moment. */
  function dayOf(moment: number): number {
    const day = Math.floor(moment / dayMs)
    if (timeZone === "UTC") return day
    // No zone is a whole day ahead of UTC or behind it.
    if (startOf(day + 1) <= moment) return day + 1
    return startOf(day) <= moment ? day : day - 1
  }

  /** The offset from UTC in milliseconds. It changes only at the beginning of a quarter of an hour. */
  function offsetAt(moment: number): number {
    if (timeZone === "UTC") return 0
    const quarter = Math.floor(moment / quarterHourMs)
    if (quarter !== known.quarter) known = { quarter, offset: zonedAt(moment).offsetNanoseconds / 1_000_000 }
    return known.offset
  }

  const zonedAt = (moment: number) => Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone)

  return {
    timeZone,
    startOf,
    dayOf,

    /** Local date and time in a form that spreadsheets recognize: `2026-11-21 09:00:00`. */
    clockTime: (moment: number): string =>
      new Date(moment + offsetAt(moment)).toISOString().slice(0, 19).replace("T", " "),

    /** The period that contains this moment. Weeks begin on Monday. */
    spanOf(period: Period, moment: number): Span {
      if (period === "all") return utcSpanOf(period, moment)
      const { start, end } = utcSpanOf(period, dayOf(moment) * dayMs)
      return { start: startOf(start / dayMs), end: startOf(end / dayMs) }
    },

    /** The day that contains a moment. */
    dateAt: (moment: number): Temporal.PlainDate =>
      timeZone === "UTC" ? firstDate().add({ days: dayOf(moment) }) : zonedAt(moment).toPlainDate(),

    /**
     * The moment at which clocks show this time. A time that clocks skip moves later by the length of the gap. Of a
     * time that occurs twice, the first one counts.
     */
    momentOf: (date: Temporal.PlainDate, time: string): number =>
      timeZone === "UTC"
        ? Date.parse(`${date}T${time}Z`)
        : date.toPlainDateTime(time).toZonedDateTime(timeZone).epochMilliseconds,
  }
}

const quarterHourMs = 900_000

const firstDate = () => new Temporal.PlainDate(1970, 1, 1)

/** Null unless the text is a day of the calendar. */
export function dateOf(text: Day): Temporal.PlainDate | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}

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
export function utcSpanOf(period: Period, moment: number): Span {
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
export const utcDayOf = (moment: number): number => Math.floor(moment / dayMs)

/** The number of the day `YYYY-MM-DD` (see `utcDayOf`).
 *  @throws DomainError `invalid`, naming the parameter */
export function dayFrom(parameter: string, day: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse reads the 30th of February as the 2nd of March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day))
    throw invalid(parameter, "a day, YYYY-MM-DD")
  return utcDayOf(start)
}

export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

interface Month {
  /** YYYY-MM */
  readonly name: string
  /** Its first day, even where a range begins later. */
  readonly firstDay: number
}

/** The months that contain a day of the range, ascending. */
export function monthsOf({ first, last }: DayRange): Month[] {
  const months: Month[] = []
  for (
    let { start, end } = utcSpanOf("month", first * dayMs);
    utcDayOf(start) <= last;
    { start, end } = utcSpanOf("month", end)
  )
    months.push({ name: dayText(utcDayOf(start)).slice(0, 7), firstDay: utcDayOf(start) })
  return months
}

/** The last day of the month that contains the day. */
export const lastOfMonth = (day: number): number => utcDayOf(utcSpanOf("month", day * dayMs).end) - 1

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

let lastDay = Number.NaN
let lastPrefix = ""

/**
 * A date in UTC, in ISO 8601 with milliseconds and without zone: `2026-11-21T12:00:00.123`. Consecutive dates mostly
 * have the same day, so the text of the day is cached. This takes half the time of `toISOString`, which takes longer
 * than the rest of a frame.
 */
export function isoDate(ms: number): string {
  const day = Math.floor(ms / dayMs)
  if (day !== lastDay) {
    lastPrefix = new Date(day * dayMs).toISOString().split("T")[0] ?? ""
    lastDay = day
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
  return `${lastPrefix}T${time}.${threeDigits[ms - day * dayMs - seconds * 1000]}`
}
