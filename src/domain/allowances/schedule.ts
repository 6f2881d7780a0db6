import { type Calendar, dateOf } from "../calendar.ts"
import { DatabaseDamaged } from "../damage.ts"
import type { AllowancePeriod, AllowanceSchedule, PeriodKey } from "./model.ts"

/** When a period of an allowance falls due. */
export interface Due extends PeriodKey {
  readonly at: number
}

const lengths = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
} as const satisfies Record<AllowancePeriod, Temporal.DurationLike>

/** The first day of the period that contains this day. Weeks begin on Monday. */
function firstDayOf(period: AllowancePeriod, date: Temporal.PlainDate): Temporal.PlainDate {
  if (period === "day") return date
  if (period === "week") return date.subtract({ days: date.dayOfWeek - 1 })
  return date.with({ day: 1, month: period === "month" ? date.month : date.month - ((date.month - 1) % 3) })
}

/** The day on which the period with this first day falls due. */
function dueDateIn({ dueDay }: AllowanceSchedule, period: AllowancePeriod, first: Temporal.PlainDate) {
  if (dueDay === null) return first
  if (dueDay === "last") return first.with({ day: first.daysInMonth })
  return period === "week" ? first.add({ days: dueDay - 1 }) : first.with({ day: dueDay })
}

/** The periods of a schedule that fall due after `moment`, in order. */
export function* duesAfter(calendar: Calendar, schedule: AllowanceSchedule, moment: number): Generator<Due, void> {
  const { startsOn, period } = schedule
  const today = calendar.dateAt(moment)
  const starts = startsOn === null ? null : dateOf(startsOn)
  const from = starts && Temporal.PlainDate.compare(starts, today) > 0 ? starts : today
  for (let first = firstDayOf(period, from).subtract(lengths[period]); ; first = first.add(lengths[period])) {
    const due = dueIn(calendar, schedule, first)
    if (due === "over") return
    if (due !== "early" && due.at > moment) yield due
  }
}

/** The latest period that had fallen due by `moment`; null when none had. */
export function latestDue(calendar: Calendar, schedule: AllowanceSchedule, moment: number): Due | null {
  const { endsOn, period } = schedule
  const today = calendar.dateAt(moment)
  const ends = endsOn === null ? null : dateOf(endsOn)
  const from = ends && Temporal.PlainDate.compare(ends, today) < 0 ? ends : today
  for (let first = firstDayOf(period, from).add(lengths[period]); ; first = first.subtract(lengths[period])) {
    const due = dueIn(calendar, schedule, first)
    if (due === "early") return null
    if (due !== "over" && due.at <= moment) return due
  }
}

/** What is wrong with a schedule that was not stored by the rules; null: nothing. */
export function faultOf({ period, dueDay, dueTime, startsOn, endsOn }: AllowanceSchedule): string | null {
  if (!isDueDay(period, dueDay)) return `a due day that no ${period} has`
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(dueTime)) return "a due time that is none"
  const isNoDay = (day: string | null) => day !== null && dateOf(day) === null
  return isNoDay(startsOn) || isNoDay(endsOn) ? "a first or last day that is none" : null
}

/** Whether a period can fall due on this day. */
export function isDueDay(period: AllowancePeriod, day: AllowanceSchedule["dueDay"]): boolean {
  if (period === "day") return day === null
  if (day === "last") return period !== "week"
  return day !== null && Number.isInteger(day) && day >= 1 && day <= (period === "week" ? 7 : 28)
}

/** When the period with this first day falls due: `early` before the schedule starts, `over` after it has ended. */
function dueIn(calendar: Calendar, schedule: AllowanceSchedule, first: Temporal.PlainDate): Due | "early" | "over" {
  const { period, dueTime, startsOn, endsOn } = schedule
  const fault = faultOf(schedule)
  // Without this, a day or time that is none would be looked for in every period since the beginning of time.
  if (fault !== null) throw new DatabaseDamaged(`an allowance has ${fault}`)
  const date = dueDateIn(schedule, period, first)
  if (startsOn !== null && Temporal.PlainDate.compare(date, startsOn) < 0) return "early"
  if (endsOn !== null && Temporal.PlainDate.compare(date, endsOn) > 0) return "over"
  return { period, firstDay: first.toString(), at: calendar.momentOf(date, dueTime) }
}
