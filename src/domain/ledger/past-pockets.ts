import { type Calendar, lastOfMonth } from "../calendar.ts"
import { theAdmin } from "../people/users.ts"
import { maxValue } from "../points.ts"
import type { Store } from "../store.ts"
import { createFollower, transactionsAtOnce } from "./follower.ts"
import type { Holding, Movement } from "./model.ts"
import { movePoints, type StoredPockets } from "./pockets.ts"

export type HoldingSums = Omit<Holding, "userId">

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly calendar: Pick<Calendar, "dayOf" | "startOf">
}

/**
 * What people held at the end of any day. `admin` is left out, because all points come from there. Negative balances count as none.
 *
 * The pockets of the present are stored. Those of the past follow from the transactions one by one (`movePoints`), so no statement
 * can add them up: the first question about the past replays the ledger, and keeps a checkpoint at the end of each month, 24 bytes
 * a user. A day is replayed from the checkpoint before it. Dates never go backwards in the ledger, so what is appended later changes no
 * day that has ended.
 */
export function createPastPockets({ store, calendar }: Dependencies) {
  const latest = createReplay()
  const checkpoints: Checkpoint[] = []
  let nextMonth = Number.NEGATIVE_INFINITY
  const catchUp = createFollower({
    ledger: store.ledger,
    reached: latest.throughId,
    read: (after, limit) => store.ledger.movementsAfter(after, limit),
    add(transaction) {
      if (transaction.date >= nextMonth) endMonth(transaction.date)
      latest.add(transaction)
    },
  })

  return {
    /** Everybody who held points at the end of the day, ascending by id.
     *  @throws what the signal aborts with */
    async at(day: number, signal?: AbortSignal): Promise<Holding[]> {
      const end = calendar.startOf(day + 1)
      const present = await store.ledger.holdings(signal)
      if (present.lastDate < end) return withoutAdmin(present.holdings)
      await catchUp()
      return withoutAdmin(holdingsIn(await replayedUntil(end, signal)))
    },

    /** The sums at the end of a day that is the last of its month, for which no transaction is read again. */
    async sumsAtMonthEnd(lastDay: number): Promise<HoldingSums> {
      await catchUp()
      const end = calendar.startOf(lastDay + 1)
      const replay = latest.lastDate() < end ? latest : createReplay(lastBefore(end))
      return sumsOf(await withoutAdmin(holdingsIn(replay)))
    },
  }

  function endMonth(date: number) {
    checkpoints.push(latest.checkpoint())
    nextMonth = calendar.startOf(lastOfMonth(calendar.dayOf(date)) + 1)
  }

  function lastBefore(end: number): Checkpoint | undefined {
    return checkpoints.findLast(({ lastDate }) => lastDate < end)
  }

  async function replayedUntil(end: number, signal: AbortSignal | undefined): Promise<Replay> {
    const replay = createReplay(lastBefore(end))
    for (;;) {
      const transactions = await store.ledger.movementsAfter(replay.throughId(), transactionsAtOnce, signal)
      for (const transaction of transactions) {
        if (transaction.date >= end) return replay
        replay.add(transaction)
      }
      if (transactions.length === 0) return replay
    }
  }

  async function withoutAdmin(holdings: readonly Holding[]): Promise<Holding[]> {
    const admin = await theAdmin(store.users)
    return holdings.filter(({ userId }) => userId !== admin.id)
  }
}

function holdingsIn({ userIds, pocketsOf }: Replay): Holding[] {
  const holdings: Holding[] = []
  for (let userId = 0; userId < userIds(); userId += 1) {
    const { balance, earned } = pocketsOf(userId)
    if (balance > 0) holdings.push({ userId, balance, redeemable: earned })
  }
  return holdings
}

/** The sums of these holdings. */
export function sumsOf(holdings: readonly Holding[]): HoldingSums {
  const sums = { balance: 0, redeemable: 0 }
  for (const { balance, redeemable } of holdings) {
    sums.balance += balance
    sums.redeemable += redeemable
  }
  return { balance: Math.min(sums.balance, maxValue), redeemable: Math.min(sums.redeemable, maxValue) }
}

/** The state of a replay after a transaction. */
interface Checkpoint {
  readonly throughId: number
  readonly lastDate: number
  /** By user id, as are the other two. */
  readonly balances: Float64Array
  readonly earned: Float64Array
  readonly earnedGiven: Float64Array
}

const beginning: Checkpoint = {
  throughId: 0,
  lastDate: Number.NEGATIVE_INFINITY,
  balances: new Float64Array(),
  earned: new Float64Array(),
  earnedGiven: new Float64Array(),
}

type Replay = ReturnType<typeof createReplay>

/** Moves the points of transactions again, from a checkpoint on. */
function createReplay(from = beginning) {
  let { throughId, lastDate } = from
  let userIds = from.balances.length
  const [balances, earned, earnedGiven] = [column(from.balances), column(from.earned), column(from.earnedGiven)]
  const [sender, receiver] = [emptyPockets(), emptyPockets()]

  return {
    throughId: () => throughId,
    lastDate: () => lastDate,
    /** One more than the highest user id so far. */
    userIds: () => userIds,
    pocketsOf: (userId: number) => ({ balance: balances.at(userId), earned: earned.at(userId) }),

    add({ id, date, kind, senderId, receiverId, value, originalKind }: Movement) {
      throughId = id
      lastDate = date
      userIds = Math.max(userIds, senderId + 1, receiverId + 1)
      if (senderId === receiverId) return
      load(sender, senderId)
      load(receiver, receiverId)
      movePoints({ kind, value, originalKind }, sender, receiver)
      save(sender, senderId)
      save(receiver, receiverId)
    },

    checkpoint: (): Checkpoint => ({
      throughId,
      lastDate,
      balances: balances.copy(userIds),
      earned: earned.copy(userIds),
      earnedGiven: earnedGiven.copy(userIds),
    }),
  }

  function load(pockets: StoredPockets, userId: number) {
    pockets.balance = balances.at(userId)
    pockets.earned = earned.at(userId)
    pockets.earnedGiven = earnedGiven.at(userId)
  }

  function save(pockets: StoredPockets, userId: number) {
    balances.set(userId, pockets.balance)
    earned.set(userId, pockets.earned)
    earnedGiven.set(userId, pockets.earnedGiven)
  }
}

const emptyPockets = (): StoredPockets => ({ balance: 0, earned: 0, earnedGiven: 0 })

/** Numbers by user id, 0 where none was set. */
function column(from: Float64Array) {
  let numbers = from.slice()
  return {
    at: (userId: number): number => numbers[userId] ?? 0,
    set(userId: number, value: number) {
      if (userId >= numbers.length) {
        const longer = new Float64Array(Math.max(1024, 2 * userId))
        longer.set(numbers)
        numbers = longer
      }
      numbers[userId] = value
    },
    copy(length: number): Float64Array {
      const copy = new Float64Array(length)
      copy.set(numbers.subarray(0, length))
      return copy
    },
  }
}
