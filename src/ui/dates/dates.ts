import { language } from "../texts/texts.ts"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Milliseconds of a date as the server writes it: UTC without a zone, which browsers would take for local time. */
export const parseDate = (date: string): number => Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(date) ? date : `${date}Z`)

/** `3 minutes ago`, and from a week on the day. */
export function formatRelative(ms: number, now: number): string {
  const age = now - ms
  const relative = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" })
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
  return new Intl.DateTimeFormat(language.value, { day: "numeric", month: "long", ...year }).format(ms)
}

/** To the second, in the reader's zone and clock. */
export const formatExact = (ms: number): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "full", timeStyle: "medium" }).format(ms)

/** `10:42`, in the reader's clock. */
export const formatClock = (ms: number): string =>
  new Intl.DateTimeFormat(language.value, { timeStyle: "short" }).format(ms)

/** The reader's own day, to group by: equal for equal days. */
export const dayOf = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}
