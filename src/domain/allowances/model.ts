import type { Note } from "../ledger/model.ts"
import type { Pockets, User } from "../people/model.ts"

export const allowanceModes = ["add", "top_up", "reset"] as const

export const allowancePeriods = ["day", "week", "month", "quarter"] as const

/** What is paid after the server was down: the latest of the periods that fell due meanwhile, or none of them. */
export const catchUps = ["latest", "none"] as const

export type AllowancePeriod = (typeof allowancePeriods)[number]

/** Who gets an allowance. `admin`, who pays it, never does. */
export type Audience = { readonly everyone: true } | { readonly dept: string } | { readonly userIds: readonly number[] }

/** Of a row that the rules did not write, and that names nobody. Such an allowance or run is shown, and never paid. */
export interface DamagedAudience {
  readonly damaged: true
}

/** What a run pays, and to whom. */
export interface AllowanceTerms {
  /** Points. */
  readonly value: number
  /** `top_up` raises the budget to the value; `reset` makes it the value, and what was left of it expires. */
  readonly mode: (typeof allowanceModes)[number]
  readonly audience: Audience | DamagedAudience
  readonly reason: string | null
}

/** When an allowance falls due, in the time zone of the service. */
export interface AllowanceSchedule {
  readonly period: AllowancePeriod
  /** Weekly: the weekday, 1 (Monday) to 7. Monthly: the day of the month, 1 to 28 or the last one. Quarterly: the same,
   *  in the first month of the quarter. Daily: null. */
  readonly dueDay: number | "last" | null
  /** HH:MM */
  readonly dueTime: string
  /** The first and the last day, YYYY-MM-DD, on which it may fall due. */
  readonly startsOn: string | null
  readonly endsOn: string | null
}

/** Points that `admin` pays to people once in each period. */
export interface Allowance extends AllowanceTerms, AllowanceSchedule {
  readonly id: number
  readonly name: string
  readonly catchUp: (typeof catchUps)[number]
  /** False while it is paused. */
  readonly isActive: boolean
  /**
   * Periods that fell due before this time are not paid automatically: the allowance did not exist, was paused, or had
   * another schedule.
   */
  readonly dueFrom: number
  /** When the newest run began. */
  readonly lastRunAt: number | null
}

export type NewAllowance = Omit<Allowance, "id" | "lastRunAt">

/** An allowance without the list of the people whom it names, which may be long. */
export interface ListedAllowance extends Omit<Allowance, "audience"> {
  readonly audience:
    | { readonly everyone: true }
    | { readonly dept: string }
    | { readonly named: true }
    | DamagedAudience
}

/** A period of the calendar. It identifies a run: each period is paid once, even when schedule or clock change. */
export interface PeriodKey {
  readonly period: AllowancePeriod
  /** YYYY-MM-DD */
  readonly firstDay: string
}

/** The payment of one period, with the terms as they were when it began. */
export interface AllowanceRun extends PeriodKey, AllowanceTerms {
  readonly id: number
  readonly allowanceId: number
  readonly begunAt: number
  /** When the last member of the audience was handled; null before that. */
  readonly finishedAt: number | null
  /** All members of the audience with ids up to this one have been handled. */
  readonly throughId: number
  /** How many people got points, and how many points together. */
  readonly people: number
  readonly total: number
  /** Points that expired, of everybody together. */
  readonly expired: number
}

export interface NewRun extends PeriodKey {
  readonly allowanceId: number
  readonly begunAt: number
  /** When the period fell due; null when somebody asked for the run, which is then begun in any case. */
  readonly dueAt: number | null
}

/** Part of a run: members of the audience with `afterId` < id <= `throughId`. */
export interface RunSlice {
  readonly runId: number
  readonly afterId: number
  readonly throughId: number
  readonly senderId: number
  readonly receiverIds: readonly number[]
  readonly date: number
  readonly note: Note | undefined
  /** Whether this slice finishes the run. */
  readonly isLast: boolean
}

/** A member of an audience. */
export interface AudienceMember extends Pick<User, "id" | "username" | "name">, Pockets {}

/** What a run does to one person. */
export interface Share {
  /** Points that are paid. */
  readonly value: number
  /** Points of the budget that go back to `admin` before. */
  readonly expired: number
}
