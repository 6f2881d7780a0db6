import { isoDate } from "../../domain/calendar.ts"
import type { TransactionEntry } from "../../domain/ledger/model.ts"
import { isActive, type User } from "../../domain/people/model.ts"
import type { Redemption } from "../../domain/rewards/model.ts"
import type { Event } from "../../domain/webhooks/model.ts"

const iso = (ms: number): string => `${isoDate(ms)}Z`

/**
 * The body of a delivery of format `standard`. GET /api/v1/events adds the id. docs/interface.md has the fields, and
 * http/routes/v1/events.ts their schemas.
 */
export const payloadOf = (event: Event) => ({ type: event.type, timestamp: iso(event.at), data: dataOf(event) })

export function dataOf(event: Event) {
  if ("transaction" in event) return transactionData(event.transaction)
  return "user" in event ? userData(event.user) : redemptionData(event.redemption)
}

const party = ({ username, name }: { readonly username: string; readonly name: string }) => ({ username, name })

/**
 * Also the answer of /api/v1/transactions, where it is an entry of the list. `asSeenBy` has emptied a reason that the
 * reader may not see.
 */
export const transactionData = (transaction: TransactionEntry) => ({
  id: transaction.id,
  kind: transaction.kind,
  date: iso(transaction.date),
  value: transaction.value,
  from: party(transaction.sender),
  to: party(transaction.receiver),
  reason: transaction.note?.reason || null,
  tags: transaction.note?.tags ?? [],
  private: transaction.note?.isPrivate ?? false,
  reverses: transaction.reverses,
  reversed: transaction.reversed,
  group: transaction.group,
})

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
  date: iso(redemption.date),
  comment: redemption.comment,
  answer: redemption.answer,
  transaction: redemption.id,
})
