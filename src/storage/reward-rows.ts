import type { RedemptionQuery, Reward, RewardChange } from "../domain/model.ts"
import { changedColumns } from "./rows.ts"

/** Columns of `rewards`, named as the fields. */
export const rewardColumns = `id, name, description, cost, picture, stock, limit_per_person AS "limitPerPerson",
  active AS "isActive"`

/** Columns of `redemptionRows`, named as the fields. */
export const redemptionColumns = `r.id, r.reward_id AS "rewardId", r.reward_name AS "rewardName", r.user_id AS "userId",
  u.username, u.name, t.value AS cost, t.date, r.state, r.comment, r.answer, r.answered_at AS "answeredAt"`

export const redemptionRows = "redemptions r JOIN transactions t ON t.id = r.id JOIN users u ON u.id = r.user_id"

export interface RewardRow extends Omit<Reward, "isActive"> {
  readonly isActive: boolean | number
}

export const rewardOf = (row: RewardRow): Reward => ({ ...row, isActive: Boolean(row.isActive) })

/** The columns that a change sets, with their values. */
export function changedRewardColumns(change: RewardChange) {
  const { name, description, cost, stock, limitPerPerson, isActive } = change
  return changedColumns({
    name,
    description,
    cost,
    stock,
    limit_per_person: limitPerPerson,
    active: isActive === undefined ? undefined : Number(isActive),
  })
}

/** The WHERE clause of a query and its parameters. `placeholder` writes the n-th parameter, counted from 1. */
export function redemptionFilter({ state, userId, before }: RedemptionQuery, placeholder: (index: number) => string) {
  const parameters: (string | number)[] = []
  const conditions: string[] = []
  const add = (expression: string, value: string | number | undefined) => {
    if (value === undefined) return
    parameters.push(value)
    conditions.push(`${expression} ${placeholder(parameters.length)}`)
  }
  add("r.state =", state)
  add("r.user_id =", userId)
  add("r.id <", before)
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, parameters }
}
