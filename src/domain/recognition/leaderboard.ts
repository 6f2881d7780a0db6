import type { Span } from "../calendar.ts"
import { invalid } from "../errors.ts"
import type { Period, PersonSummary, User } from "../model.ts"
import type { Store } from "../store.ts"
import type { LeaderboardSnapshots } from "./leaderboard-snapshots.ts"

export const sides = ["received", "sent"] as const
type LeaderboardSide = (typeof sides)[number]

export const defaultLeaders = 10
export const maxLeaders = 100

/** The query parameters of GET /api/v1/leaderboard, parsed. */
interface LeaderboardQuery {
  readonly period: Period
  readonly by: LeaderboardSide
  /** 1 to `maxLeaders`. */
  readonly size?: number | undefined
}

/** People with the same points share a rank; the next rank counts all people before it: 1, 1, 3. */
interface Ranking {
  /** Null for a person without points. */
  readonly rank: number | null
  readonly points: number
  /** Transfers. */
  readonly count: number
}

export interface Leaderboard extends Omit<LeaderboardQuery, "size"> {
  readonly span: Span
  /** `own`: `items` has only the viewer, who may not see the points of others. */
  readonly shows: "all" | "own"
  /** Sorted by rank, then by id. */
  readonly items: readonly (Ranking & { readonly person: PersonSummary })[]
  readonly own: Ranking
}

interface Dependencies {
  readonly store: Pick<Store, "people">
  readonly snapshots: Pick<LeaderboardSnapshots, "ofPeriod">
  /** Whether a user may see the totals of others. */
  readonly seesTotals: (viewer: User) => boolean
}

export function createLeaderboards({ store, snapshots, seesTotals }: Dependencies) {
  return {
    /** Which active people received or sent most in a period, and the rank of `viewer`.
     *  @throws DomainError `invalid` (`size`) */
    async show(viewer: User, { period, by, size = defaultLeaders }: LeaderboardQuery): Promise<Leaderboard> {
      if (!Number.isSafeInteger(size) || size < 1 || size > maxLeaders)
        throw invalid("size", `an integer from 1 to ${maxLeaders}`)
      const inactive = await store.people.inactive()
      // The totals may change during any await, so everything is read from them before the next one.
      const { span, totals } = await snapshots.ofPeriod(period)
      const points = totals.all(by)
      const withRank = (id: number, rank: (points: number) => number): Ranking => {
        const own = points[id] ?? 0
        return { rank: own === 0 ? null : rank(own), points: own, count: totals.of(`${by}Count`, id) }
      }
      const leaders = highest(points, size, inactive)
      const rankOfLeader = (own: number) => leaders.findIndex((id) => points[id] === own) + 1
      const rankings = new Map(leaders.map((id) => [id, withRank(id, rankOfLeader)]))
      const own = withRank(viewer.id, (own) => rankOf(points, own, inactive))

      if (seesTotals(viewer)) {
        const items = (await store.people.summaries(leaders)).flatMap((person) => {
          const ranking = rankings.get(person.id)
          return ranking ? [{ ...ranking, person }] : []
        })
        return { period, by, span, shows: "all", items, own }
      }
      const people = own.rank === null ? [] : await store.people.summaries([viewer.id])
      return { period, by, span, shows: "own", items: people.map((person) => ({ ...own, person })), own }
    },
  }
}

/**
 * Ids with the most points, highest first; with equal points, ascending. Leaves out ids without points, and `leftOut`.
 */
function highest(points: Float64Array, size: number, leftOut: ReadonlySet<number>): number[] {
  const ids: number[] = []
  let least = 0
  for (let id = 0; id < points.length; id += 1) {
    const own = points[id] ?? 0
    if (own <= least || leftOut.has(id)) continue
    ids.splice(positionIn(ids, points, own), 0, id)
    if (ids.length > size) ids.pop()
    if (ids.length === size) least = points[ids[size - 1] ?? 0] ?? 0
  }
  return ids
}

/** Where to insert an id with this many points: after all ids with at least as many, by binary search. */
function positionIn(ids: readonly number[], points: Float64Array, own: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[ids[middle] ?? 0] ?? 0) >= own) low = middle + 1
    else high = middle
  }
  return low
}

function rankOf(points: Float64Array, own: number, leftOut: ReadonlySet<number>): number {
  let ahead = 0
  for (const other of points) if (other > own) ahead += 1
  for (const id of leftOut) if ((points[id] ?? 0) > own) ahead -= 1
  return ahead + 1
}
