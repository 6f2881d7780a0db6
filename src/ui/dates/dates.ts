import { language, locale } from "../texts/texts.ts"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Milliseconds of a date as the server writes it: UTC without a zone, which browsers would take for local time. */
export const parseDate = (date: string): number => Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(date) ? date : `${date}Z`)

/** `3 minutes ago`, and from a week on the day. */
export function formatRelative(ms: number, now: number): string {
  const age = now - ms
  const relative = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" })
  if (age < minute) return relative.format(0, "second")
  if (age < hour) return relative.format(-Math.floor(age / minute), "minute")
  if (age < day) return relative.format(-Math.floor(age / hour), "hour")
  if (age < 7 * day) return relative.format(-Math.floor(age / day), "day")
  return formatDay(ms, now)
}

/** `21 November`, with the year when it is another than now's. */
export function formatDay(ms: number, now: number): string {
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear()
  const year = isThisYear ? {} : ({ year: "numeric" } as const)
  return new Intl.DateTimeFormat(locale.value, { day: "numeric", month: "long", ...year }).format(ms)
}

/** The day as a heading: `Today`, `Yesterday`, `Thursday`, and from a week on the date. */
export function formatDayName(ms: number, now: number): string {
  const age = Math.round((midnightOf(now) - midnightOf(ms)) / day)
  if (age >= 7 || age < 0) return formatDay(ms, now)
  const name =
    age < 2
      ? new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" }).format(-age, "day")
      : new Intl.DateTimeFormat(locale.value, { weekday: "long" }).format(ms)
  return name.slice(0, 1).toLocaleUpperCase(language.value) + name.slice(1)
}

const midnightOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** `21 Nov`, with the year when it is another than now's. */
export function formatShortDay(ms: number, now: number): string {
  const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear()
  const year = isThisYear ? {} : ({ year: "numeric" } as const)
  return new Intl.DateTimeFormat(locale.value, { day: "numeric", month: "short", ...year }).format(ms)
}

/** `Saturday, 21 November 2026`, in the reader's zone. */
export const formatLongDay = (ms: number): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "full" }).format(ms)

/** `Today, 21 November`, where the date has to be there too: on paper. */
export function formatDayHeading(ms: number, now: number): string {
  const [name, date] = [formatDayName(ms, now), formatDay(ms, now)]
  return name === date ? date : `${name}, ${date}`
}

/** `21 Nov` of a day as the server writes it, `2026-11-21`: it is UTC's, and no zone moves it. */
export const formatShortUtcDay = (date: string): string =>
  new Intl.DateTimeFormat(locale.value, { day: "numeric", month: "short", timeZone: "UTC" }).format(Date.parse(date))

/** The same as `21 November 2026`. */
export const formatUtcDay = (date: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(date))

/** To the second, in the reader's zone and clock. */
export const formatExact = (ms: number): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "full", timeStyle: "medium" }).format(ms)

/** `10:42`, in the reader's clock. */
export const formatClock = (ms: number): string =>
  new Intl.DateTimeFormat(locale.value, { timeStyle: "short" }).format(ms)

/** The reader's own day, to group by: equal for equal days. */
export const dayOf = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}
