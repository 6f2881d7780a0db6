import type { Redemption, Reward } from "../../domain/rewards/model.ts"
import { utc, utcOrNull } from "./dates.ts"

/** A reward of /api/v1/rewards, and of the command line. */
export const rewardView = (reward: Reward) => ({
  id: reward.id,
  name: reward.name,
  description: reward.description,
  cost: reward.cost,
  picture: reward.picture,
  emoji: reward.emoji,
  stock: reward.stock,
  limit_per_person: reward.limitPerPerson,
  active: reward.isActive,
  money_value: reward.moneyValue,
  taxable: reward.isTaxable,
})

/** A redemption of /api/v1/redemptions. Events leave out when it was answered, the command line its transaction. */
export const redemptionView = (redemption: Redemption) => ({
  id: redemption.id,
  reward: redemption.rewardId,
  reward_name: redemption.rewardName,
  username: redemption.username,
  name: redemption.name,
  cost: redemption.cost,
  state: redemption.state,
  date: utc(redemption.date),
  comment: redemption.comment,
  answer: redemption.answer,
  answered_at: utcOrNull(redemption.answeredAt),
  transaction: redemption.id,
})
