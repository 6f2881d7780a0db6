import type { Calendar } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import type { ProgrammeOf } from "../ledger/ledger.ts"
import { budgetOf, redeemableOf } from "../ledger/pockets.ts"
import type { User } from "../people/model.ts"
import { requireSuperuser } from "../people/roles.ts"
import { maxValue } from "../points.ts"
import { seesAmounts } from "../programme/amounts.ts"
import type { Store } from "../store.ts"
import { createLeaderboardSnapshots, createLeaderboards, type PeopleIn } from "./leaderboards.ts"
import type { DayTotals } from "./model.ts"

/** How often the points of a person are read until nothing has moved them meanwhile. */
const maxReads = 4

export const defaultDays = 30
export const maxDays = 366

interface Sum {
  readonly points: number
  /** Transfers. */
  readonly count: number
}

/** A sum as somebody sees it: points are null where the programme hides them from them. */
interface ShownSum extends Omit<Sum, "points"> {
  readonly points: number | null
}

/** What a user has received and sent as recognition since the beginning. */
export interface UserTotals {
  readonly received: ShownSum
  readonly sent: ShownSum
}

/** The points of a user, by what they can be used for. */
interface UserPoints {
  /** The balance. */
  readonly toGive: number
  /** Received as recognition since the beginning. */
  readonly received: number
  /** Of the balance, the points that are there to be given only. */
  readonly budget: number
  /** Of the balance, the points that the user has earned and can redeem. */
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
  readonly peopleIn: PeopleIn
  /** Whether a user may see the totals of others. */
  readonly seesTotals: (viewer: User) => boolean
  readonly programme: ProgrammeOf
  readonly saveEvery?: number
}

export type Statistics = ReturnType<typeof createStatistics>

/** Leaderboards and statistics of recognition; days and periods are those of the service's time zone. */
export function createStatistics(dependencies: Dependencies) {
  const { store, peopleIn, seesTotals, programme } = dependencies
  const snapshots = createLeaderboardSnapshots(dependencies)
  const { show } = createLeaderboards({ store, snapshots, peopleIn, seesTotals, programme })

  return {
    leaderboard: show,

    /** What a user has received and sent; null when `viewer` may not see it. */
    async of(viewer: User, { id }: User): Promise<UserTotals | null> {
      if (viewer.id !== id && !seesTotals(viewer)) return null
      const showsPoints = seesAmounts(viewer, [id], await programme())
      const { totals } = await snapshots.ofPeriod("all")
      const shown = (points: number) => (showsPoints ? points : null)
      return {
        received: { points: shown(totals.of("received", id)), count: totals.of("receivedCount", id) },
        sent: { points: shown(totals.of("sent", id)), count: totals.of("sentCount", id) },
      }
    },

    /** Totals in memory and pockets in the store, of one moment unless the person's points move all the time. */
    async pointsOf(user: User): Promise<UserPoints> {
      let pockets = await store.users.pocketsOf(user.id)
      for (let reads = 1; ; reads += 1) {
        const received = (await snapshots.ofPeriod("all")).totals.of("received", user.id)
        const before = pockets
        pockets = await store.users.pocketsOf(user.id)
        const isSettled = pockets.balance === before.balance && pockets.earned === before.earned
        if (!isSettled && reads < maxReads) continue
        return {
          toGive: pockets.balance,
          received,
          budget: budgetOf(user, pockets),
          redeemable: redeemableOf(user, pockets),
        }
      }
    },

    /** Points that all users together granted to others this month. */
    async grantedThisMonth(): Promise<number> {
      const { totals } = await snapshots.ofPeriod("month")
      return sumOf(totals.all("granted"))
    },

    /** What all users together sent this week as recognition, when the week began, and up to which transaction. */
    async thisWeek(): Promise<Sum & { readonly since: number; readonly throughId: number }> {
      const { span, totals, throughId } = await snapshots.ofPeriod("week")
      return { points: sumOf(totals.all("sent")), count: sumOf(totals.all("sentCount")), since: span.start, throughId }
    },

    /** The totals of a user on each of the last `days` days, including today, oldest first. Ends when the signal
     *  aborts.
     *  @throws DomainError `invalid` (`days`) */
    async daysOf({ id }: User, days = defaultDays, signal?: AbortSignal): Promise<DayTotals[]> {
      checkDays(days)
      const { today } = await snapshots.byDay()
      return store.statistics.daysOf(id, today - days + 1, days, signal)
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
