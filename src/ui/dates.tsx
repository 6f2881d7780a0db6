import { signal } from "@preact/signals"
import { serviceZone } from "./session.ts"
import { perLocale } from "./texts/format.ts"
import { language } from "./texts/texts.ts"

const relative = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: "auto" }))
const days = formatOf({ day: "numeric", month: "long" })
const daysWithYear = formatOf({ day: "numeric", month: "long", year: "numeric" })
const weekdays = formatOf({ weekday: "long" })
const shortDays = formatOf({ day: "numeric", month: "short" })
const shortDaysWithYear = formatOf({ day: "numeric", month: "short", year: "numeric" })
const longDays = formatOf({ dateStyle: "full" })
const shortServerDays = formatOf({ day: "numeric", month: "short", timeZone: "UTC" })
const serverDays = formatOf({ dateStyle: "long", timeZone: "UTC" })
const exact = formatOf({ dateStyle: "full", timeStyle: "medium" })
const clocks = formatOf({ timeStyle: "short" })

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * Parses a date of the server into milliseconds. The server sends UTC without a zone, which browsers would take for
 * local time.
 */
export const parseDate = (date: string): number => Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(date) ? date : `${date}Z`)

/** A server date: relative as text, exact on hover and in the markup. */
export function Time({ date }: { date: string }) {
  const ms = parseDate(date)
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatExact(ms)}>
      {formatRelative(ms, now.value)}
    </time>
  )
}

/** `3 minutes ago`; after one week, the day. */
export function formatRelative(ms: number, now: number): string {
  const age = now - ms
  if (age < minuteMs) return relative().format(0, "second")
  if (age < hourMs) return relative().format(-Math.floor(age / minuteMs), "minute")
  if (age < dayMs) return relative().format(-Math.floor(age / hourMs), "hour")
  if (age < 7 * dayMs) return relative().format(-Math.floor(age / dayMs), "day")
  return formatDay(ms, now)
}

/** `in 7 days`, `tomorrow`; on the last day, `in 5 hours`. */
export const formatUntil = (ms: number, now: number): string =>
  dayOf(ms) === dayOf(now)
    ? relative().format(Math.ceil((ms - now) / hourMs), "hour")
    : relative().format(Math.round((midnightOf(ms) - midnightOf(now)) / dayMs), "day")

/** `21 November`; with the year if it differs from the year of `now`. */
const formatDay = (ms: number, now: number): string => (isSameYear(ms, now) ? days : daysWithYear)().format(ms)

/** The day as a heading: `Today`, `Yesterday`, `Thursday`; after one week, the date. */
export function formatDayName(ms: number, now: number): string {
  const age = Math.round((midnightOf(now) - midnightOf(ms)) / dayMs)
  if (age >= 7 || age < 0) return formatDay(ms, now)
  const name = age < 2 ? relative().format(-age, "day") : weekdays().format(ms)
  return name.slice(0, 1).toLocaleUpperCase(language.value) + name.slice(1)
}

const midnightOf = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** `21 Nov`; with the year if it differs from the year of `now`. */
export const formatShortDay = (ms: number, now: number): string =>
  (isSameYear(ms, now) ? shortDays : shortDaysWithYear)().format(ms)

const isSameYear = (one: number, other: number) => new Date(one).getFullYear() === new Date(other).getFullYear()

/** `Saturday, 21 November 2026`, in the reader's zone. */
export const formatLongDay = (ms: number): string => longDays().format(ms)

/** `Today, 21 November`. It includes the date, because the history can be printed. */
export function formatDayHeading(ms: number, now: number): string {
  const [name, date] = [formatDayName(ms, now), formatDay(ms, now)]
  return name === date ? date : `${name}, ${date}`
}

/** `21 Nov` from a server day such as `2026-11-21`. The day is in the service's zone; it is not converted. */
export const formatShortServerDay = (date: string): string => shortServerDays().format(Date.parse(date))

/** `21 November 2026` from a server day. */
export const formatServerDay = (date: string): string => serverDays().format(Date.parse(date))

const serverToday = perLocale(
  () => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: serviceZone.value }),
)

/** The present day of the service, `2026-11-21`. */
export const serviceToday = (): string => serverToday().format(now.value)

/** A server day that is not ahead: `today`, `12 days ago`, after a year the day. Exact on hover and in the markup. */
export function ServerDay({ day }: { day: string }) {
  const age = Math.round((Date.parse(serviceToday()) - Date.parse(day)) / dayMs)
  const exact = formatServerDay(day)
  return (
    <time dateTime={day} title={exact}>
      {age > 365 ? exact : relative().format(-age, "day")}
    </time>
  )
}

/** `today`, `tomorrow`, `in 12 days`, for a server day that is not over. */
export const formatUntilServerDay = (day: string): string =>
  relative().format(Math.round((Date.parse(day) - Date.parse(serviceToday())) / dayMs), "day")

/** Date and time to the second, in the reader's zone. */
export const formatExact = (ms: number): string => exact().format(ms)

/** `10:42`, in the reader's zone. */
export const formatClock = (ms: number): string => clocks().format(ms)

/** A key to group by the reader's day: equal for equal days. */
export const dayOf = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}

function formatOf(options: Intl.DateTimeFormatOptions) {
  // A formatter keeps its zone. Because this reads the signal, a change of the zone creates a new formatter.
  return perLocale((tag) => new Intl.DateTimeFormat(tag, { timeZone: zone.value, ...options }))
}

/** A format in the service's time zone, for times that the service sets, such as the payment of a budget. */
export const serviceFormatOf = (options: Intl.DateTimeFormatOptions) =>
  perLocale((tag) => new Intl.DateTimeFormat(tag, { ...options, timeZone: serviceZone.value }))

/** The current time, updated every 30 seconds for relative dates. The timer stops while the tab is hidden. */
export const now = signal(Date.now())

/** The reader's time zone, updated together with `now`. Undefined at first; Intl then uses the current zone. */
const zone = signal<string | undefined>(undefined)

let timer: ReturnType<typeof setInterval> | undefined

function follow() {
  clearInterval(timer)
  if (!document.hidden) timer = setInterval(updateNow, 30_000)
}

function updateNow() {
  now.value = Date.now()
  zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone
}

document.addEventListener("visibilitychange", () => {
  follow()
  if (!document.hidden) updateNow()
})
// Does not call `updateNow`: it reads the zone, and the first use of Intl takes 10 ms, too long before the first
// render.
follow()
