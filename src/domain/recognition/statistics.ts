import { requireSuperuser } from "../auth/roles.ts"
import type { Calendar } from "../calendar.ts"
import { invalid } from "../errors.ts"
import { maxValue } from "../ledger/ledger.ts"
import type { Clock, CountedTransaction, DayTotals, User } from "../model.ts"
import { adminUsername } from "../people/users.ts"
import type { Store } from "../store.ts"
import { createLeaderboardSnapshots, createLeaderboards } from "./leaderboards.ts"
import { countedAs, countedAsBudget } from "./recognitions.ts"

export const defaultDays = 30
export const maxDays = 366

interface Sum {
  readonly points: number
  /** Transfers. */
  readonly count: number
}

/** What a user has received and sent as recognition since the beginning. */
export interface UserTotals {
  readonly received: Sum
  readonly sent: Sum
}

/** The points of a user, by what they can be used for. */
interface UserPoints {
  /** The balance. */
  readonly toGive: number
  /** Received as recognition since the beginning. */
  readonly received: number
  /** Points that the user can redeem (see `redeemableOf`). */
  readonly redeemable: number
}

/** What all users together sent on a day, which equals what they received. */
export interface DaySum extends Sum {
  /** The number of the day (see `Calendar.dayOf`). */
  readonly day: number
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "people" | "statistics" | "users">
  readonly clock: Clock
  readonly calendar: Calendar
  /** Whether a user may see the totals of others. */
  readonly seesTotals: (viewer: User) => boolean
  readonly saveEvery?: number
}

export type Statistics = ReturnType<typeof createStatistics>

/** Leaderboards and statistics of recognition; days and periods are those of the service's time zone. */
export function createStatistics(dependencies: Dependencies) {
  const { store, seesTotals } = dependencies
  const snapshots = createLeaderboardSnapshots(dependencies)
  const { show } = createLeaderboards({ store, snapshots, seesTotals })

  return {
    leaderboard: show,

    /** What a user has received and sent; null when `viewer` may not see it. */
    async of(viewer: User, { id }: User): Promise<UserTotals | null> {
      if (viewer.id !== id && !seesTotals(viewer)) return null
      const { totals } = await snapshots.ofPeriod("all")
      return {
        received: { points: totals.of("received", id), count: totals.of("receivedCount", id) },
        sent: { points: totals.of("sent", id), count: totals.of("sentCount", id) },
      }
    },

    async pointsOf(user: User): Promise<UserPoints> {
      const earned = await earnedBy(user)
      const toGive = await store.users.balanceOf(user.id)
      return { toGive, received: earned.received, redeemable: redeemableOf(user, toGive, earned) }
    },

    earnedBy,

    /** Points that all users together granted to others this month. */
    async grantedThisMonth(): Promise<number> {
      const { totals } = await snapshots.ofPeriod("month")
      return sumOf(totals.all("granted"))
    },

    /** What all users together sent this week as recognition, and when the week began. */
    async thisWeek(): Promise<Sum & { readonly since: number }> {
      const { span, totals } = await snapshots.ofPeriod("week")
      return { points: sumOf(totals.all("sent")), count: sumOf(totals.all("sentCount")), since: span.start }
    },

    /** The totals of a user on each of the last `days` days, including today, oldest first.
     *  @throws DomainError `invalid` (`days`) */
    async daysOf({ id }: User, days = defaultDays): Promise<DayTotals[]> {
      checkDays(days)
      const { today } = await snapshots.byDay()
      return store.statistics.daysOf(id, today - days + 1, days)
    },

    /** What all users together sent on each of the last `days` days, including today, oldest first.
     *  @throws DomainError `not_superuser`, `invalid` (`days`) */
    async daysOfAll(viewer: User, days = defaultDays): Promise<DaySum[]> {
      requireSuperuser({ user: viewer })
      checkDays(days)
      const { today, totals } = await snapshots.byDay()
      return Array.from({ length: days }, (_, index) => {
        const day = today - days + 1 + index
        return { day, points: totals.of("sent", day), count: totals.of("sentCount", day) }
      })
    },

    refresh: snapshots.refresh,
  }

  /** What a user has earned by the transactions up to `countedThrough`. */
  async function earnedBy({ id }: User): Promise<Earned & { readonly countedThrough: number }> {
    const { totals, throughId } = await snapshots.ofPeriod("all")
    return { received: totals.of("received", id), redeemed: totals.of("redeemed", id), countedThrough: throughId }
  }
}

const sumOf = (column: Float64Array): number =>
  Math.min(
    column.reduce((sum, one) => sum + one, 0),
    maxValue,
  )

function checkDays(days: number) {
  if (!Number.isSafeInteger(days) || days < 1 || days > maxDays)
    throw invalid("days", `an integer from 1 to ${maxDays}`)
}

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
