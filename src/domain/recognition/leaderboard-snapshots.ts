import type { Clock, LeaderboardSnapshot, Transaction } from "../model.ts"
import { type Period, periods } from "../model.ts"
import type { Store } from "../store.ts"
import { dayOf, type Span, spanOf } from "./periods.ts"
import { isRecognition } from "./recognitions.ts"
import { createTotals, type Totals } from "./totals.ts"

interface Board {
  span: Span
  throughId: number
  sums: Totals
}

/** What is read between two turns of the event loop: 1 to 2 ms. */
const entriesAtOnce = 2000

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "statistics">
  readonly clock: Clock
  /** So many transactions may have to be read again after a start, and what a minute brings. */
  readonly saveEvery?: number
}

export type LeaderboardSnapshots = ReturnType<typeof createLeaderboardSnapshots>

/**
 * Who received and sent how much in the periods that run now, and what each day brought: sums in memory that follow the
 * ledger when somebody asks, and once a minute, so that sending points costs nothing more. They are stored now and then,
 * so that a start does not begin with the first transaction. What people send to themselves is in no sum.
 *
 * Dates never go backwards, and `now` here does not either: it is at least the date of the last transaction.
 */
export function createLeaderboardSnapshots({ store, clock, saveEvery = 10_000 }: Dependencies) {
  const boards = new Map<Period, Board>()
  const days: Board = { span: spanOf("all", 0), throughId: 0, sums: createTotals() }
  let isLoaded = false
  let latest = Number.NEGATIVE_INFINITY
  let following: Promise<void> | undefined
  let savedThrough = 0

  return {
    /** As of the last transaction when it was asked. */
    async boardOf(period: Period): Promise<{ readonly span: Span; readonly sums: Totals }> {
      for (;;) {
        const end = await follow()
        const board = boardAt(period, now())
        if (board.throughId >= end) return board
      }
    },

    /** Totals by day, as of the last transaction when it was asked, and today's. */
    async days(): Promise<{ readonly today: number; readonly sums: Totals }> {
      await follow()
      return { today: dayOf(now()), sums: days.sums }
    },

    /** Follows, and stores what was reached if a start would have much to read. */
    async keep(): Promise<void> {
      await follow()
      if (days.throughId - savedThrough < saveEvery) return
      const reached = days.throughId
      await store.statistics.saveSnapshots([
        ...periods.map((period) => standingOf(period, boardAt(period, now()))),
        standingOf("days", days),
      ])
      savedThrough = reached
    },
  }

  /** Returns the last transaction when it was asked; it is in every sum then. */
  async function follow(): Promise<number> {
    const end = await store.ledger.lastId()
    while (!isLoaded || reachedByAll() < end) {
      following ??= toTheEnd(end).finally(() => {
        following = undefined
      })
      await following
    }
    return end
  }

  async function toTheEnd(end: number) {
    if (!isLoaded) await load(end)
    for (let reached = reachedByAll(); reached < end; ) {
      const entries = await store.statistics.transactionsAfter(reached, entriesAtOnce)
      for (const entry of entries) take(entry)
      reached = entries.at(-1)?.id ?? end
    }
  }

  async function load(end: number) {
    const stored = (await store.statistics.loadSnapshots()).filter(({ throughId }) => throughId <= end)
    for (const { of, startsAt, throughId, totals } of stored) {
      const sums = createTotals(totals)
      if (of === "days") Object.assign(days, { throughId, sums })
      else boards.set(of, { span: spanOf(of, startsAt), throughId, sums })
    }
    savedThrough = days.throughId
    isLoaded = true
  }

  function now(): number {
    return Math.max(clock(), latest)
  }

  function reachedByAll(): number {
    return Math.min(days.throughId, ...periods.map((period) => boardAt(period, now()).throughId))
  }

  /** A period that is over makes room for the next; one that a clock was ahead with is counted again. */
  function boardAt(period: Period, moment: number): Board {
    const board = boards.get(period)
    if (board && board.span.start <= moment && moment < board.span.end) return board
    const isOver = board !== undefined && moment >= board.span.end
    const next = { span: spanOf(period, moment), throughId: isOver ? board.throughId : 0, sums: createTotals() }
    boards.set(period, next)
    return next
  }

  function take(entry: Transaction) {
    const { id, senderId, receiverId, value, date } = entry
    latest = Math.max(latest, date)
    for (const period of periods) {
      const known = boards.get(period)
      const board = known && date < known.span.end ? known : boardAt(period, date)
      if (id <= board.throughId) continue
      board.throughId = id
      if (date < board.span.start || !isRecognition(entry)) continue
      board.sums.add("received", receiverId, value)
      board.sums.add("sent", senderId, value)
    }
    if (id <= days.throughId) return
    days.throughId = id
    if (isRecognition(entry)) days.sums.add("sent", dayOf(date), value)
  }
}

const standingOf = (of: LeaderboardSnapshot["of"], { span, throughId, sums }: Board): LeaderboardSnapshot => ({
  of,
  startsAt: Number.isFinite(span.start) ? span.start : 0,
  throughId,
  totals: sums.copy(),
})
