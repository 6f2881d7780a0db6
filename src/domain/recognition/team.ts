import { type Calendar, type Day, dayFrom, dayText } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import type { User } from "../people/model.ts"
import { seesAmounts } from "../programme/amounts.ts"
import type { ProgrammeRules } from "../programme/programme.ts"
import type { Store } from "../store.ts"
import type { TeamRecognition } from "./model.ts"

/** Those who report to a manager, or also everybody below them. */
export const teamDepths = ["direct", "all"] as const

/** How many days, including today, a team's recognition covers. */
export const teamDays = 30
/** People in one answer, those nearest to the manager first. */
export const maxTeam = 10_000
/** How many people are read at once. */
const peopleAtOnce = 500

/** Recognition of the last `teamDays` days. Points are null where members see no amounts but their own. */
export interface TeamMember extends Pick<User, "username" | "name" | "dept" | "joined" | "avatar"> {
  readonly received: { readonly points: number | null; readonly count: number }
  readonly given: { readonly points: number | null; readonly count: number }
  /** Ever. */
  readonly lastThanked: Day | null
  readonly lastGave: Day | null
  readonly manager: Pick<User, "username" | "name" | "avatar">
}

interface TeamQuery {
  readonly depth?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "insights" | "users">
  readonly programme: Pick<ProgrammeRules, "current">
  readonly clock: Clock
  readonly calendar: Calendar
}

export type Teams = ReturnType<typeof createTeams>

/** What managers see of those who report to them (docs/interface/managers.md): no balances, and no reasons. */
export function createTeams({ store: { insights, users }, programme, clock, calendar }: Dependencies) {
  return {
    /** Whom this user reports to; null for nobody. */
    async managerOf({ managerId }: User): Promise<User | null> {
      const [manager = null] = managerId === null ? [] : await users.byIds([managerId])
      return manager
    },

    /** How many people report to this user. */
    sizeOf: ({ id }: User): Promise<number> => users.countReports(id),

    of: teamOf,

    /**
     * Those who report to this user and whom nobody thanked within `teamDays` days, without those whose first day was later.
     * In the order of a team.
     */
    async overlookedBy(manager: User): Promise<TeamMember[]> {
      const since = dayText(calendar.dayOf(clock()) - teamDays + 1)
      return (await teamOf(manager)).filter(
        ({ received, joined }) => received.count === 0 && (joined === null || joined <= since),
      )
    },

    /** How often somebody was thanked from this day on. */
    async timesThankedSince({ id }: User, day: Day): Promise<number> {
      const days = { first: dayFrom("day", day), last: calendar.dayOf(clock()) }
      const [recognition = none] = await insights.ofPeople([id], days)
      return recognition.received.count
    },
  }

  /**
   * The team of this user, those who were never thanked first, then those who were thanked longest ago.
   * @throws DomainError `invalid` (`depth`)
   */
  async function teamOf(manager: User, { depth = "direct", signal }: TeamQuery = {}): Promise<TeamMember[]> {
    const asked = teamDepths.find((one) => one === depth)
    if (asked === undefined) throw invalid("depth", teamDepths.join(" or "))
    const ids = await users.reportsOf(manager.id, asked, maxTeam)
    if (ids.length === 0) return []
    const today = calendar.dayOf(clock())
    const recognition = await insights.ofPeople(ids, { first: today - teamDays + 1, last: today }, signal)
    // Managers do not belong to their team.
    const showsAmounts = seesAmounts(manager, [], await programme.current())
    const team = await usersWith(ids)
    const known = new Map([manager, ...team].map((user) => [user.id, user]))
    return team
      .map((user, index) => ({ user, of: recognition[index] ?? none }))
      .sort((a, b) => lastOf(a) - lastOf(b) || compare(a.user.name, b.user.name) || a.user.id - b.user.id)
      .map(({ user: { username, name, dept, joined, avatar, managerId }, of }) => ({
        ...{ username, name, dept, joined, avatar },
        received: { points: showsAmounts ? of.received.value : null, count: of.received.count },
        given: { points: showsAmounts ? of.given.value : null, count: of.given.count },
        lastThanked: dayOrNull(of.lastReceived),
        lastGave: dayOrNull(of.lastGiven),
        manager: known.get(managerId ?? 0) ?? manager,
      }))
  }

  async function usersWith(ids: readonly number[]): Promise<User[]> {
    const found: User[] = []
    for (let from = 0; from < ids.length; from += peopleAtOnce)
      found.push(...(await users.byIds(ids.slice(from, from + peopleAtOnce))))
    return found
  }
}

const none: TeamRecognition = {
  received: { count: 0, value: 0 },
  given: { count: 0, value: 0 },
  lastReceived: null,
  lastGiven: null,
}

const lastOf = ({ of }: { readonly of: TeamRecognition }): number => of.lastReceived ?? -1

const dayOrNull = (day: number | null): Day | null => (day === null ? null : dayText(day))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
