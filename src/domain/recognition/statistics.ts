import { requireSuperuser } from "../auth/roles.ts"
import { invalid } from "../errors.ts"
import type { Clock, DayTotals, User } from "../model.ts"
import type { Store } from "../store.ts"
import { createLeaderboards } from "./leaderboard.ts"
import { createLeaderboardSnapshots } from "./leaderboard-snapshots.ts"
import { dayMs } from "./periods.ts"

export const defaultDays = 30
export const maxDays = 366

interface Sum {
  readonly points: number
  readonly count: number
}

/** Of everything that somebody received and sent. */
export interface UserTotals {
  readonly received: Sum
  readonly sent: Sum
}

/** What was sent on a day, which is what was received. */
export interface DayOfAll extends Sum {
  /** Its begin. */
  readonly day: number
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "people" | "statistics">
  readonly clock: Clock
  /** Whether this user may know what others received and sent in all. */
  readonly seesTotals: (viewer: User) => boolean
  readonly saveEvery?: number
}

/** Totals of points, of people and of days in UTC. What people send to themselves is in none of them. */
export function createStatistics(dependencies: Dependencies) {
  const { store, seesTotals } = dependencies
  const standings = createLeaderboardSnapshots(dependencies)
  const { show } = createLeaderboards({ store, standings, seesTotals })

  return {
    leaderboard: show,

    /** Null where `viewer` may not know. */
    async of(viewer: User, { id }: User): Promise<UserTotals | null> {
      if (viewer.id !== id && !seesTotals(viewer)) return null
      const { sums } = await standings.boardOf("all")
      return {
        received: { points: sums.of("received", id), count: sums.of("receivedCount", id) },
        sent: { points: sums.of("sent", id), count: sums.of("sentCount", id) },
      }
    },

    /** The oldest first, today the last, those without transfers included.
     *  @throws DomainError `invalid` (`days`) */
    async daysOf({ id }: User, days = defaultDays): Promise<DayTotals[]> {
      checkDays(days)
      const { today } = await standings.days()
      return store.statistics.daysOf(id, (today - days + 1) * dayMs, days)
    },

    /** The same of everybody.
     *  @throws DomainError `not_superuser`, `invalid` (`days`) */
    async daysOfAll(viewer: User, days = defaultDays): Promise<DayOfAll[]> {
      requireSuperuser({ user: viewer })
      checkDays(days)
      const { today, sums } = await standings.days()
      return Array.from({ length: days }, (_, index) => {
        const day = today - days + 1 + index
        return { day: day * dayMs, points: sums.of("sent", day), count: sums.of("sentCount", day) }
      })
    },

    keep: standings.keep,
  }
}

function checkDays(days: number) {
  if (!Number.isSafeInteger(days) || days < 1 || days > maxDays)
    throw invalid("days", `an integer from 1 to ${maxDays}`)
}
