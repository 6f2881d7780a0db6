import type { CountedTransaction, User } from "../model.ts"
import { adminUsername } from "../people/users.ts"
import { countedAs, countedAsBudget } from "../recognition/recognitions.ts"

/** Points that a user received as recognition (less reversals) and redeemed (less refunds). */
export interface Earned {
  readonly received: number
  readonly redeemed: number
}

/**
 * The points that a user can redeem: points received as recognition and not redeemed yet, but never more than the
 * balance. Budgets can be given but not redeemed. `admin` has no redeemable points, because it receives the points of
 * all redemptions.
 */
export const redeemableOf = (
  { username }: Pick<User, "username">,
  balance: number,
  { received, redeemed }: Earned,
): number => (username === adminUsername ? 0 : Math.max(0, Math.min(balance, received - redeemed)))

/** `earned`, plus what these transactions add to it. */
export function withLater(earned: Earned, later: readonly CountedTransaction[], userId: number): Earned {
  let { received, redeemed } = earned
  for (const transaction of later) {
    const counted = countedAs(transaction)
    if (counted?.receiverId === userId) received += counted.points
    const budget = countedAsBudget(transaction)
    if (budget?.column === "redeemed" && budget.userId === userId) redeemed += budget.points
  }
  return { received, redeemed }
}
