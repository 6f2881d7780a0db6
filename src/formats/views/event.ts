import { isActive, type User } from "../../domain/people/model.ts"
import type { Redemption } from "../../domain/rewards/model.ts"
import type { Event } from "../../domain/webhooks/model.ts"
import { utc } from "./dates.ts"
import { transactionView } from "./transaction.ts"

/**
 * An event: the body of a delivery of format `standard`. GET /api/v1/events adds the id. docs/interface.md has the fields,
 * and src/http/routes/v1/events.ts their schemas.
 */
export const eventView = (event: Event) => ({ type: event.type, timestamp: utc(event.at), data: dataOf(event) })

function dataOf(event: Event) {
  if ("transaction" in event) return transactionView(event.transaction)
  return "user" in event ? userData(event.user) : redemptionData(event.redemption)
}

const userData = (user: User) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  email: user.email,
  dept: user.dept,
  active: isActive(user),
})

const redemptionData = (redemption: Redemption) => ({
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
  transaction: redemption.id,
})
