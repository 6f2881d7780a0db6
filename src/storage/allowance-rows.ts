import type { Allowance, AllowanceRun, Audience } from "../domain/model.ts"

/** Columns of `allowances a`, named as the fields. `dueDay` is text, `audience` is JSON. */
export const allowanceColumns = `a.id, a.name, a.value, a.mode, a.period, a.due_day AS "dueDay", a.due_time AS "dueTime",
  a.audience, a.reason, a.starts_on AS "startsOn", a.ends_on AS "endsOn", a.catch_up AS "catchUp", a.active AS "isActive",
  a.due_from AS "dueFrom", (SELECT max(begun_at) FROM allowance_runs WHERE allowance_id = a.id) AS "lastRunAt"`

/** Columns of `allowance_runs`, named as the fields. */
export const runColumns = `id, allowance_id AS "allowanceId", period, first_day AS "firstDay", begun_at AS "begunAt",
  finished_at AS "finishedAt", value, mode, audience, reason, through_id AS "throughId", people, total`

export interface AllowanceRow extends Omit<Allowance, "audience" | "dueDay" | "isActive"> {
  readonly audience: string
  readonly dueDay: string | null
  readonly isActive: boolean | number
}

export interface RunRow extends Omit<AllowanceRun, "audience"> {
  readonly audience: string
}

export const allowanceOf = ({ audience, dueDay, isActive, ...row }: AllowanceRow): Allowance => ({
  ...row,
  audience: audienceOf(audience),
  dueDay: dueDay === null || dueDay === "last" ? dueDay : Number(dueDay),
  isActive: Boolean(isActive),
})

export const runOf = ({ audience, ...row }: RunRow): AllowanceRun => ({ ...row, audience: audienceOf(audience) })

/** Not validated, because the store wrote the JSON. */
const audienceOf = (json: string): Audience => JSON.parse(json) as Audience

/** The values of the columns that `valueColumns` names, in the same order. */
export const allowanceValues = (allowance: Omit<Allowance, "id" | "lastRunAt">): (string | number | null)[] => {
  const { name, value, mode, period, dueDay, dueTime, audience, reason } = allowance
  const { startsOn, endsOn, catchUp, isActive, dueFrom } = allowance
  const day = dueDay === null ? null : String(dueDay)
  const what = [name, value, mode, period, day, dueTime, JSON.stringify(audience), reason]
  return [...what, startsOn, endsOn, catchUp, isActive ? 1 : 0, dueFrom]
}

/** All columns of `allowances` except `id` and `removed_at`. */
export const valueColumns = [
  "name",
  "value",
  "mode",
  "period",
  "due_day",
  "due_time",
  "audience",
  "reason",
  "starts_on",
  "ends_on",
  "catch_up",
  "active",
  "due_from",
] as const
