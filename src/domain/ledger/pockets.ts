import type { Pockets, User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import { adminUsername } from "../people/users.ts"
import { maxValue } from "../points.ts"
import type { Programme } from "../programme/model.ts"
import type { TransactionKind } from "./model.ts"

/** The pockets of a user as the ledger keeps them. */
export interface StoredPockets {
  balance: number
  /** Of the balance, the points that others gave as recognition. From 0 to the balance; 0 while the balance is negative. */
  earned: number
  /** Earned points that the user gave to others. The reversal of a gift returns them to `earned`. */
  earnedGiven: number
}

interface Move {
  readonly kind: TransactionKind
  readonly value: number
  /** The kind of the transaction that a reversal reverses; null for every other kind. */
  readonly originalKind: TransactionKind | null
}

/**
 * Moves points between two people, and decides from which pocket they come and into which they go. Only this function knows
 * the rule, which is:
 * - Points leave the budget first, then what was earned. A redemption, and the reversal of a recognition, take earned points
 *   first.
 * - A recognition, a refund and the points of an occasion go to what is earned; everything else goes to the budget. A
 *   reversal also returns earned points that were given. While a balance is negative, whatever arrives pays that off first.
 */
export function movePoints({ kind, value, originalKind }: Move, sender: StoredPockets, receiver: StoredPockets): void {
  const takesEarnedFirst = kind === "redemption" || (kind === "reversal" && isEarned(originalKind))
  const beyondBudget = Math.max(0, value - Math.max(0, sender.balance - sender.earned))
  const taken = Math.min(takesEarnedFirst ? value : beyondBudget, sender.earned)
  sender.balance -= value
  sender.earned -= taken
  if (isGift(kind)) sender.earnedGiven = Math.min(maxValue, sender.earnedGiven + taken)
  // What is taken back was given to others before.
  else if (kind === "reversal" && takesEarnedFirst)
    sender.earnedGiven = Math.max(0, sender.earnedGiven - (value - taken))

  const returned = kind === "reversal" ? Math.min(value, receiver.earnedGiven) : 0
  const earned = isEarned(kind) || kind === "refund" ? value : returned
  receiver.earnedGiven -= returned
  receiver.balance += value
  receiver.earned = Math.min(receiver.earned + earned, Math.max(0, receiver.balance))
}

/** Points that were given in recognition of somebody, or because of an occasion. */
const isEarned = (kind: TransactionKind | null): boolean => kind === "transfer" || kind === "occasion"

const isGift = (kind: TransactionKind): boolean => kind === "transfer" || kind === "grant"

/** The points that a user can redeem. `admin` redeems nothing, because it receives the points of all redemptions. */
export const redeemableOf = ({ username }: Pick<User, "username">, { earned }: Pockets): number =>
  username === adminUsername ? 0 : earned

/** The points of a balance that can be given, but not redeemed. */
export const budgetOf = (user: Pick<User, "username">, pockets: Pockets): number =>
  Math.max(0, pockets.balance - redeemableOf(user, pockets))

/** The points that a user can give. Superusers give more than they have. */
export const givableOf = (user: User, pockets: Pockets, { give_from }: Pick<Programme, "give_from">): number =>
  give_from === "budget" && !isSuperuser(user) ? budgetOf(user, pockets) : pockets.balance
