import { parseDate } from "../../dates/dates.ts"
import { locale, t } from "../../texts/texts.ts"

interface Span {
  readonly period: string
  /** Null where it has no bounds. */
  readonly start: string | null
  /** Not within. */
  readonly end: string | null
}

/** `1 – 30 November`, with the year when it is another than now's. The server's days are those of UTC. */
export function formatSpan({ start, end }: Span, now: number): string {
  if (start === null || end === null) return t().leaderboard.ever
  const [first, last] = [parseDate(start), parseDate(end) - 1]
  const isThisYear = new Date(first).getUTCFullYear() === new Date(now).getUTCFullYear()
  const year = isThisYear ? {} : ({ year: "numeric" } as const)
  return new Intl.DateTimeFormat(locale.value, {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
    ...year,
  }).formatRange(first, last)
}
