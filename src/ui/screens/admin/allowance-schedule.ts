import { fill } from "../../texts/format.ts"
import { locale, t } from "../../texts/texts.ts"

interface Schedule {
  readonly period: string
  readonly on?: number | string | null
  readonly at: string
}

/** "every month on day 1 at 09:00". */
export function scheduleText({ period, on, at }: Schedule): string {
  const { every, onDay, onLast } = t().allowances
  if (period === "day") return fill(every.day, { at })
  if (period === "week") return fill(every.week, { day: weekdayName(Number(on)), at })
  const day = on === "last" ? onLast : fill(onDay, { day: String(on) })
  return fill(period === "quarter" ? every.quarter : every.month, { day, at })
}

/** The name of a weekday, from Monday = 1. */
export const weekdayName = (number: number): string =>
  new Intl.DateTimeFormat(locale.value, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, number))
