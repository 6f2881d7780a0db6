import { type Calendar, type Period, periods, type Span } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { createFollower } from "../ledger/follower.ts"
import type { ProgrammeOf } from "../ledger/ledger.ts"
import type { CountedTransaction } from "../ledger/model.ts"
import type { PersonSummary, User } from "../people/model.ts"
import { maxValue } from "../points.ts"
import { seesAmounts } from "../programme/amounts.ts"
import { seesLeaderboard } from "../programme/leaderboard.ts"
import type { Store } from "../store.ts"
import type { LeaderboardSnapshot } from "./model.ts"
import { countedAs, countedAsGrant } from "./recognitions.ts"

export const sides = ["received", "sent"] as const
export type LeaderboardSide = (typeof sides)[number]

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
  /** Sorted by rank, then by id. Points are null where the programme hides them from the viewer. */
  readonly items: readonly (Omit<Ranking, "points"> & {
    readonly points: number | null
    readonly person: PersonSummary
  })[]
  /** `people`: how many different people thanked the viewer, or whom the viewer thanked. */
  readonly own: Ranking & { readonly people: number }
}

/** How many different people thanked a user, or were thanked, in a period and up to a transaction. */
export type PeopleIn = (
  user: User,
  by: LeaderboardSide,
  within: { readonly span: Span; readonly throughId: number },
) => Promise<number>

interface Dependencies {
  readonly store: Pick<Store, "people">
  readonly peopleIn: PeopleIn
  readonly snapshots: Pick<LeaderboardSnapshots, "ofPeriod">
  /** Whether a user may see the totals of others. */
  readonly seesTotals: (viewer: User) => boolean
  readonly programme: ProgrammeOf
}

export function createLeaderboards({ store, snapshots, peopleIn, seesTotals, programme }: Dependencies) {
  return {
    /** Which active people received or sent most in a period, and the rank of `viewer`.
     *  @throws DomainError `no_leaderboard`, `not_superuser`, `invalid` (`size`) */
    async show(viewer: User, { period, by, size = defaultLeaders }: LeaderboardQuery): Promise<Leaderboard> {
      const rules = await programme()
      if (rules.leaderboard === "off") throw new DomainError("no_leaderboard")
      if (!seesLeaderboard(viewer, rules)) throw new DomainError("not_superuser")
      if (!Number.isSafeInteger(size) || size < 1 || size > maxLeaders)
        throw invalid("size", `an integer from 1 to ${maxLeaders}`)
      const leftOut = await store.people.inactive()
      // The totals may change during any await, so everything is read from them before the next one.
      const { span, totals, throughId } = await snapshots.ofPeriod(period)
      const points = totals.all(by)
      const withRank = (id: number, rank: (points: number) => number): Ranking => {
        const own = points[id] ?? 0
        return { rank: own === 0 ? null : rank(own), points: own, count: totals.of(`${by}Count`, id) }
      }
      const leaders = highest(points, size, leftOut)
      const rankOfLeader = (own: number) => leaders.findIndex((id) => points[id] === own) + 1
      const rankings = new Map(leaders.map((id) => [id, withRank(id, rankOfLeader)]))
      const ranking = withRank(viewer.id, (own) => rankOf(points, own, leftOut))
      const own = { ...ranking, people: await peopleIn(viewer, by, { span, throughId }) }

      if (seesTotals(viewer)) {
        const items = (await store.people.summaries(leaders)).flatMap((person) => {
          const ranking = rankings.get(person.id)
          if (ranking === undefined) return []
          return [{ ...ranking, points: seesAmounts(viewer, [person.id], rules) ? ranking.points : null, person }]
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

interface Board {
  span: Span
  /** The last transaction that the totals include. */
  throughId: number
  totals: Totals
}

interface SnapshotDependencies {
  readonly store: Pick<Store, "ledger" | "statistics">
  readonly clock: Clock
  readonly calendar: Calendar
  /** Snapshots are saved after this many transactions, so a start reads at most about as many. */
  readonly saveEvery?: number
}

type LeaderboardSnapshots = ReturnType<typeof createLeaderboardSnapshots>

/**
 * Totals of recognition in memory: what every user received and sent in the current periods, and what was sent on each
 * day. They catch up with the ledger on each read and once a minute, so that sending points costs nothing more.
 * Snapshots are saved every `saveEvery` transactions, so that a start need not read the whole ledger.
 *
 * Dates in the ledger never go backwards, and neither does `now` here: it is at least the date of the last transaction.
 */
export function createLeaderboardSnapshots({ store, clock, calendar, saveEvery = 10_000 }: SnapshotDependencies) {
  const boards = new Map<Period, Board>()
  const days: Board = { span: calendar.spanOf("all", 0), throughId: 0, totals: createTotals() }
  let lastDate = Number.NEGATIVE_INFINITY
  let savedThrough = 0
  const catchUp = createFollower({
    ledger: store.ledger,
    load,
    reached: includedInAll,
    read: (after, limit) => store.statistics.transactionsAfter(after, limit),
    add,
  })

  return {
    /** Totals by user id. Includes every transaction that was in the ledger at the time of the call. */
    async ofPeriod(period: Period): Promise<Readonly<Board>> {
      for (;;) {
        const end = await catchUp()
        const board = boardAt(period, now())
        if (board.throughId >= end) return board
      }
    },

    /** Totals by day (see `Calendar.dayOf`), and the number of the present day. Includes transactions as `ofPeriod`. */
    async byDay(): Promise<{ readonly today: number; readonly totals: Totals }> {
      await catchUp()
      return { today: calendar.dayOf(now()), totals: days.totals }
    },

    /** Catches up with the ledger, and saves snapshots if the stored ones lack `saveEvery` transactions or more. */
    async refresh(): Promise<void> {
      await catchUp()
      if (days.throughId - savedThrough < saveEvery) return
      const reached = days.throughId
      await store.statistics.saveSnapshots([
        ...periods.map((period) => snapshotOf(period, boardAt(period, now()))),
        snapshotOf("days", days),
      ])
      savedThrough = reached
    },
  }

  async function load(end: number) {
    const snapshots = (await store.statistics.loadSnapshots()).filter(({ throughId }) => throughId <= end)
    for (const { of, startsAt, throughId, totals: columns } of snapshots) {
      const totals = createTotals(columns)
      if (of === "days") Object.assign(days, { throughId, totals })
      else boards.set(of, { span: calendar.spanOf(of, startsAt), throughId, totals })
    }
    savedThrough = days.throughId
  }

  function now(): number {
    return Math.max(clock(), lastDate)
  }

  function includedInAll(): number {
    return Math.min(days.throughId, ...periods.map((period) => boardAt(period, now()).throughId))
  }

  /** The board of the period that contains this moment. When a period is over, the next one starts from zero. When a
   *  fast clock was set back, the totals of the period are computed again from the first transaction on. */
  function boardAt(period: Period, moment: number): Board {
    const board = boards.get(period)
    if (board && board.span.start <= moment && moment < board.span.end) return board
    const isOver = board !== undefined && moment >= board.span.end
    const next = {
      span: calendar.spanOf(period, moment),
      throughId: isOver ? board.throughId : 0,
      totals: createTotals(),
    }
    boards.set(period, next)
    return next
  }

  function add(transaction: CountedTransaction) {
    const { id, date } = transaction
    const counted = countedAs(transaction)
    const grant = counted ? null : countedAsGrant(transaction)
    lastDate = Math.max(lastDate, date)
    for (const period of periods) {
      const current = boards.get(period)
      const board = current && date < current.span.end ? current : boardAt(period, date)
      if (id <= board.throughId) continue
      board.throughId = id
      if (grant && grant.date >= board.span.start) board.totals.addPoints("granted", grant.userId, grant.points)
      if (counted === null || counted.date < board.span.start) continue
      board.totals.add("received", counted.receiverId, counted.points, counted.count)
      board.totals.add("sent", counted.senderId, counted.points, counted.count)
    }
    if (id <= days.throughId) return
    days.throughId = id
    if (counted) days.totals.add("sent", calendar.dayOf(counted.date), counted.points, counted.count)
  }
}

const snapshotOf = (of: LeaderboardSnapshot["of"], { span, throughId, totals }: Board): LeaderboardSnapshot => ({
  of,
  startsAt: Number.isFinite(span.start) ? span.start : 0,
  throughId,
  totals: totals.copy(),
})

/** Recognition received and sent, in points and in number; points that a user granted to others. */
export const columns = ["received", "receivedCount", "sent", "sentCount", "granted"] as const
type Column = (typeof columns)[number]

type Totals = ReturnType<typeof createTotals>

/**
 * Totals by a number from 0: a user id, or a day. Stored in typed arrays, which are compact and fast to rank and to
 * store. Points stop at the largest exact integer. `initial` has one array for each column.
 */
export function createTotals(initial: readonly Float64Array[] = []) {
  let arrays = columns.map((_, index) => initial[index] ?? new Float64Array(0))

  return {
    of: (column: Column, number: number): number => arrays[columns.indexOf(column)]?.[number] ?? 0,

    /** The column itself, not a copy: later additions change it. */
    all: (column: Column): Float64Array => arrays[columns.indexOf(column)] ?? new Float64Array(0),

    /** `points` and `count` are negative for a reversal. */
    add(side: "received" | "sent", number: number, points: number, count: number) {
      addPoints(side, number, points)
      const counts = arrays[columns.indexOf(`${side}Count`)]
      if (counts) counts[number] = (counts[number] ?? 0) + count
    },

    addPoints,

    copy: (): readonly Float64Array[] => arrays.map((array) => array.slice()),
  }

  function addPoints(column: "received" | "sent" | "granted", number: number, points: number) {
    if (number >= (arrays[0]?.length ?? 0)) arrays = arrays.map((array) => enlarged(array, number))
    const sums = arrays[columns.indexOf(column)]
    if (!sums) return
    const sum = sums[number] ?? 0
    sums[number] = sum > maxValue - points ? maxValue : Math.max(0, sum + points)
  }
}

function enlarged(array: Float64Array, number: number): Float64Array {
  const larger = new Float64Array(Math.max(64, (number + 1) * 2))
  larger.set(array)
  return larger
}
