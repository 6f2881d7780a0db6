import { invalid } from "../errors.ts"
import type { Period, PersonSummary, User } from "../model.ts"
import type { Store } from "../store.ts"
import type { LeaderboardSnapshots } from "./leaderboard-snapshots.ts"
import type { Span } from "./periods.ts"

export const sides = ["received", "sent"] as const
export type LeaderSide = (typeof sides)[number]

export const defaultLeaders = 10
export const maxLeaders = 100

export interface LeaderQuery {
  readonly period: Period
  readonly by: LeaderSide
  readonly size?: number | undefined
}

/** Somebody's place; those who have the same points share the rank, and the next one stands behind all of them. */
export interface Place {
  /** Null without points. */
  readonly rank: number | null
  readonly points: number
  readonly count: number
}

export interface Leaderboard extends Omit<LeaderQuery, "size"> {
  readonly span: Span
  /** Whether everybody is ranked in `items`, or only the viewer, who may not know what others have. */
  readonly shows: "all" | "own"
  readonly items: readonly (Place & { readonly face: PersonSummary })[]
  readonly own: Place
}

interface Dependencies {
  readonly store: Pick<Store, "people">
  readonly standings: Pick<LeaderboardSnapshots, "boardOf">
  readonly seesTotals: (viewer: User) => boolean
}

export type Leaderboards = ReturnType<typeof createLeaderboards>

/** Who received or sent most. */
export function createLeaderboards({ store, standings, seesTotals }: Dependencies) {
  return {
    /** @throws DomainError `invalid` (`size`) */
    async show(viewer: User, { period, by, size = defaultLeaders }: LeaderQuery): Promise<Leaderboard> {
      if (!Number.isSafeInteger(size) || size < 1 || size > maxLeaders)
        throw invalid("size", `an integer from 1 to ${maxLeaders}`)
      const { span, sums } = await standings.boardOf(period)
      const points = sums.all(by)
      const count = (id: number) => sums.of(`${by}Count`, id)
      const first = highest(points, size)
      const own = points[viewer.id] ?? 0
      const rankOfFirst = (own: number) => first.findIndex((id) => points[id] === own) + 1
      const places = new Map(
        first.map((id) => [id, { rank: rankOfFirst(points[id] ?? 0), points: points[id] ?? 0, count: count(id) }]),
      )
      const ownPlace = { rank: own === 0 ? null : rankOf(points, own), points: own, count: count(viewer.id) }
      const faces = await store.people.summaries(first)
      const items = faces.flatMap((face) => {
        const place = places.get(face.id)
        return place ? [{ ...place, face }] : []
      })
      if (seesTotals(viewer)) return { period, by, span, shows: "all", items, own: ownPlace }
      const [face] = own === 0 ? [] : await store.people.summaries([viewer.id])
      return { period, by, span, shows: "own", items: face ? [{ ...ownPlace, face }] : [], own: ownPlace }
    },
  }
}

/** Numbers of the largest, without zeros; those that are equal in the order of their numbers. */
function highest(points: Float64Array, size: number): number[] {
  const found: number[] = []
  let least = 0
  for (let id = 0; id < points.length; id += 1) {
    const own = points[id] ?? 0
    if (own <= least) continue
    found.splice(placeIn(found, points, own), 0, id)
    if (found.length > size) found.pop()
    if (found.length === size) least = points[found[size - 1] ?? 0] ?? 0
  }
  return found
}

/** Behind all that are as large. */
function placeIn(found: readonly number[], points: Float64Array, own: number): number {
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[found[middle] ?? 0] ?? 0) >= own) low = middle + 1
    else high = middle
  }
  return low
}

function rankOf(points: Float64Array, own: number): number {
  let ahead = 0
  for (const other of points) if (other > own) ahead += 1
  return ahead + 1
}
