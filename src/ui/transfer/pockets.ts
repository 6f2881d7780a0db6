import { fill } from "../../languages/writing.ts"
import type { Account } from "../session.ts"
import { formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** The pockets of a sender's balance. */
export type Pockets = Pick<Account, "budget" | "redeemable">

/** Whether a total is small beside what is left to give: the budget, or if that is empty, the earned points. */
export const isSmall = (total: number, { budget, redeemable }: Pockets): boolean =>
  total * 2 <= (budget > 0 ? budget : redeemable)

/**
 * From which pockets a total is given: "20 from your budget, 5 from what you earned". The server uses the budget first.
 * Superusers may give more than they have: that comes from neither.
 */
export function spentFrom(total: number, { budget, redeemable }: Pockets): string {
  const { give } = t()
  const fromBudget = Math.min(total, budget)
  const fromEarned = Math.min(total - fromBudget, redeemable)
  const parts = [
    { text: give.fromBudget, points: fromBudget },
    { text: give.fromEarned, points: fromEarned },
    { text: give.fromNothing, points: total - fromBudget - fromEarned },
  ]
  return parts
    .filter(({ points }) => points > 0)
    .map(({ text, points }) => fill(text, { points: formatNumber(points) }))
    .join(", ")
}
