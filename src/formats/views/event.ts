import { isActive, type User } from "../../domain/people/model.ts"
import type { Recognition } from "../../domain/recognition/model.ts"
import type { Redemption } from "../../domain/rewards/model.ts"
import type { Event } from "../../domain/webhooks/model.ts"
import { utc } from "./dates.ts"
import { partyView } from "./people.ts"
import { redemptionView } from "./rewards.ts"
import { transactionView } from "./transaction.ts"

/**
 * An event: the body of a delivery of format `standard`. GET /api/v1/events adds the id. docs/interface/webhooks.md has the fields,
 * and src/http/routes/v1/events.ts their schemas.
 */
export const eventView = (event: Event) => ({ type: event.type, timestamp: utc(event.at), data: dataOf(event) })

function dataOf(event: Event) {
  if ("transaction" in event) return transactionView(event.transaction)
  if ("occasion" in event) return occasionData(event.occasion)
  if ("former" in event) return { ...userData(event.user), former: event.former }
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

const occasionData = ({ id, occasion, receiver, value, note }: Recognition) => ({
  id,
  kind: occasion?.kind,
  years: occasion?.years ?? null,
  person: partyView(receiver),
  value,
  text: note?.reason ?? null,
})

function redemptionData(redemption: Redemption) {
  const { answered_at: _, ...data } = redemptionView(redemption)
  return data
}
