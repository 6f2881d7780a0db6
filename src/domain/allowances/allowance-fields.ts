import { dateOf } from "../calendar.ts"
import { invalid } from "../errors.ts"
import { checkValue } from "../ledger/ledger.ts"
import { checkedNote } from "../ledger/notes.ts"
import { checkField } from "../people/fields.ts"
import { wordOf } from "../text.ts"
import {
  type Allowance,
  type AllowanceSchedule,
  type Audience,
  allowanceModes,
  allowancePeriods,
  catchUps,
} from "./model.ts"
import { isDueDay } from "./schedule.ts"

/** Who gets the allowance, in the form of a request: exactly one of the three fields. */
export interface AudienceRequest {
  readonly everyone?: boolean | undefined
  readonly dept?: string | undefined
  readonly usernames?: readonly string[] | undefined
}

/** Whether what is stored is an `Audience`: somebody may have changed it by hand. */
export function isAudience(stored: unknown): stored is Audience {
  const { everyone, dept, userIds } = Object(stored) as Readonly<Record<string, unknown>>
  return (
    everyone === true || typeof dept === "string" || (Array.isArray(userIds) && userIds.every(Number.isSafeInteger))
  )
}

/** The fields of an allowance as POST and PATCH /api/v1/allowances take them, not yet checked. Absent: as before or by
 *  default. */
export interface AllowanceRequest {
  readonly name?: string | undefined
  readonly value?: number | undefined
  readonly mode?: string | undefined
  readonly period?: string | undefined
  readonly on?: number | string | null | undefined
  readonly at?: string | undefined
  readonly audience?: AudienceRequest | undefined
  readonly reason?: string | null | undefined
  readonly starts_on?: string | null | undefined
  readonly ends_on?: string | null | undefined
  readonly catch_up?: string | undefined
  readonly active?: boolean | undefined
}

/** The fields of an allowance that can be checked without the store. */
type AllowanceFields = Omit<Allowance, "id" | "audience" | "dueFrom" | "lastRunAt">

/** A new allowance before the fields of the request are applied. The request must give name, value, mode and period. */
export const defaults: AllowanceFields = {
  name: "",
  value: 0,
  mode: "add",
  period: "month",
  dueDay: 1,
  dueTime: "09:00",
  reason: null,
  startsOn: null,
  endsOn: null,
  catchUp: "latest",
  isActive: true,
}

/**
 * The fields of `before` with those of the request in their place, checked.
 * @throws DomainError `invalid`, naming the field and its rule, never the value
 */
export function checkedFields(before: AllowanceFields, request: AllowanceRequest): AllowanceFields {
  const { name = before.name, value = before.value } = request
  checkField("name", name)
  checkValue(value)
  const period = wordOf("period", allowancePeriods, request.period ?? before.period)
  const keepsDay = request.period === undefined || request.period === before.period
  const startsOn = checkedDay("starts_on", request.starts_on, before.startsOn)
  const endsOn = checkedDay("ends_on", request.ends_on, before.endsOn)
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) throw invalid("ends_on", "not before starts_on")
  return {
    name,
    value,
    mode: wordOf("mode", allowanceModes, request.mode ?? before.mode),
    period,
    dueDay: checkedDueDay(period, request.on ?? (keepsDay ? before.dueDay : null)),
    dueTime: checkedTime(request.at ?? before.dueTime),
    reason: request.reason === undefined ? before.reason : checkedReason(request.reason),
    startsOn,
    endsOn,
    catchUp: wordOf("catch_up", catchUps, request.catch_up ?? before.catchUp),
    isActive: request.active ?? before.isActive,
  }
}

/** Whether both fall due at the same times. */
export const isSameSchedule = (one: AllowanceSchedule, other: AllowanceSchedule): boolean =>
  one.period === other.period &&
  one.dueDay === other.dueDay &&
  one.dueTime === other.dueTime &&
  one.startsOn === other.startsOn &&
  one.endsOn === other.endsOn

function checkedDueDay(period: AllowanceFields["period"], on: number | string | null): AllowanceFields["dueDay"] {
  if (period === "day") {
    if (on !== null) throw invalid("on", "absent for a daily allowance")
    return null
  }
  const day = on ?? 1
  if ((day === "last" || typeof day === "number") && isDueDay(period, day)) return day
  throw invalid("on", period === "week" ? "a weekday from 1 (Monday) to 7" : `a day from 1 to 28, or "last"`)
}

function checkedTime(at: string): string {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) throw invalid("at", "a time such as 09:00")
  return at
}

function checkedDay(field: string, given: string | null | undefined, before: string | null): string | null {
  if (given == null) return given === undefined ? before : null
  if (dateOf(given) === null) throw invalid(field, "a day such as 2026-12-31")
  return given
}

const checkedReason = (given: string | null): string | null => checkedNote({ reason: given })?.reason ?? null
