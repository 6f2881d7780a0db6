import type { Allowance, AllowanceRun, Audience, ListedAllowance, Note, Pockets, Reward } from "../domain/model.ts"

/*
 * Columns of queries that read the same on both databases, and what their rows mean, table by table. SQLite has no
 * booleans: 0 and 1 stand for them.
 */

/** An id that no user has. */
export const nobody = 0

/** The pockets of a user without a row in `balances`. */
export const emptyPockets: Pockets = { balance: 0, earned: 0 }

// Allowances and their runs

/** Columns of `allowances a`, named as the fields. `dueDay` is text, `audience` is JSON. */
export const allowanceColumns = `a.id, a.name, a.value, a.mode, a.period, a.due_day AS "dueDay", a.due_time AS "dueTime",
  a.audience, a.reason, a.starts_on AS "startsOn", a.ends_on AS "endsOn", a.catch_up AS "catchUp", a.active AS "isActive",
  a.due_from AS "dueFrom", (SELECT max(begun_at) FROM allowance_runs WHERE allowance_id = a.id) AS "lastRunAt"`

/** Columns of `allowance_runs`, named as the fields. */
export const runColumns = `id, allowance_id AS "allowanceId", period, first_day AS "firstDay", begun_at AS "begunAt",
  finished_at AS "finishedAt", value, mode, audience, reason, through_id AS "throughId", people, total, expired`

/** A column of `allowances a` for one allowance: the ids of the people whom it names, as a JSON array. */
export interface WithNamed {
  readonly userIds: string
}

export interface AllowanceRow extends Omit<Allowance, "audience" | "dueDay" | "isActive"> {
  /** JSON: everyone, a department, or `{"named":true}` for the people in `allowance_members`. */
  readonly audience: string
  readonly dueDay: string | null
  readonly isActive: boolean | number
}

export interface RunRow extends Omit<AllowanceRun, "audience"> {
  readonly audience: string
}

export const listedAllowanceOf = ({ audience, dueDay, isActive, ...row }: AllowanceRow): ListedAllowance => ({
  ...row,
  audience: JSON.parse(audience) as ListedAllowance["audience"], // trusted: the schema refuses anything else
  dueDay: dueDay === null || dueDay === "last" ? dueDay : Number(dueDay),
  isActive: Boolean(isActive),
})

export function allowanceOf({ userIds, ...row }: AllowanceRow & WithNamed): Allowance {
  const { audience, ...listed } = listedAllowanceOf(row)
  return { ...listed, audience: "named" in audience ? { userIds: JSON.parse(userIds) as number[] } : audience }
}

/** The people whom an audience names; null for another audience. */
export const namedIn = (audience: Audience): readonly number[] | null =>
  "userIds" in audience ? audience.userIds : null

/** The value of `allowances.audience` for the people in `allowance_members`. */
export const namedAudience = JSON.stringify({ named: true })

export const runOf = ({ audience, ...row }: RunRow): AllowanceRun => ({ ...row, audience: audienceOf(audience) })

/** Not validated, because the store wrote the JSON. */
const audienceOf = (json: string): Audience => JSON.parse(json) as Audience

/** The values of `allowanceValueColumns`, in the same order. */
export const allowanceValues = (allowance: Omit<Allowance, "id" | "lastRunAt">): (string | number | null)[] => {
  const { name, value, mode, period, dueDay, dueTime, audience, reason } = allowance
  const { startsOn, endsOn, catchUp, isActive, dueFrom } = allowance
  const day = dueDay === null ? null : String(dueDay)
  const kind = namedIn(audience) ? namedAudience : JSON.stringify(audience)
  const what = [name, value, mode, period, day, dueTime, kind, reason]
  return [...what, startsOn, endsOn, catchUp, isActive ? 1 : 0, dueFrom]
}

/** The columns that `allowanceValues` sets: all of `allowances` except `id` and `removed_at`. */
export const allowanceValueColumns = [
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

// Rewards and redemptions

/** Columns of `rewards`, named as the fields. */
export const rewardColumns = `id, name, description, cost, picture, stock, limit_per_person AS "limitPerPerson",
  active AS "isActive"`

export interface RewardRow extends Omit<Reward, "isActive"> {
  readonly isActive: boolean | number
}

export const rewardOf = (row: RewardRow): Reward => ({ ...row, isActive: Boolean(row.isActive) })

// Notes

/** A note as a row of `notes` stores it. */
export interface NoteRow {
  readonly reason: string
  /** One space between them. */
  readonly tags: string
  /** 0 or 1 */
  readonly isPrivate: number
}

export const noteColumns = ({ reason, tags, isPrivate }: Note): NoteRow => ({
  reason,
  tags: tags.join(" "),
  isPrivate: Number(isPrivate),
})

export const noteOf = ({ reason, tags, isPrivate }: NoteRow): Note => ({
  reason,
  tags: tags === "" ? [] : tags.split(" "),
  isPrivate: isPrivate === 1,
})
