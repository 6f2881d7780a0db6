import { type Calendar, lastOfMonth } from "../calendar.ts"
import { DatabaseDamaged } from "../damage.ts"
import { theAdmin } from "../people/users.ts"
import type { Store } from "../store.ts"
import { maxValue } from "./ledger.ts"
import type { CountedTransaction } from "./model.ts"
import { movePoints, type StoredPockets } from "./pockets.ts"

/** Points that somebody holds, redeemable ones included. */
export interface Holding {
  readonly userId: number
  readonly balance: number
  readonly redeemable: number
}

export type HoldingSums = Omit<Holding, "userId">

/** How many transactions are read at once: 1 to 2 ms of work. */
const transactionsAtOnce = 2000

/** At most about so many transactions are read again for a day: 50 ms on SQLite. */
const betweenCheckpoints = 32_768

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "statistics" | "users">
  readonly calendar: Pick<Calendar, "dayOf" | "startOf">
  readonly checkpointEvery?: number
}

/**
 * What people held at the end of any day, as the transactions up to then leave it: stored are only the pockets of the present.
 * `admin`, from whom all points come, holds none, nor does whoever is below zero.
 *
 * The first question replays the whole ledger, and keeps a checkpoint now and then; a day is replayed from the checkpoint before
 * it. Dates never go backwards in the ledger, so what is appended later changes no day that has ended. Checkpoints take at most
 * 24 bytes for each transaction, however many users there are.
 */
export function createPastPockets({ store, calendar, checkpointEvery = betweenCheckpoints }: Dependencies) {
  const latest = createReplay()
  const checkpoints: Checkpoint[] = []
  /** Ascending. `after`: when the last transaction before the end of the month was. */
  const monthEnds: { readonly after: number; readonly sums: HoldingSums }[] = []
  let nextMonth = Number.NEGATIVE_INFINITY
  let adminId = 0
  let readingOn: Promise<void> | undefined

  return {
    /** Everybody who held points at the end of the day, ascending by id.
     *  @throws what the signal aborts with */
    async at(day: number, signal?: AbortSignal): Promise<Holding[]> {
      await catchUp()
      signal?.throwIfAborted()
      const end = calendar.startOf(day + 1)
      return latest.lastDate() < end ? holdingsIn(latest) : holdingsIn(await replayedUntil(end, signal))
    },

    /** The sums at the end of a day that is the last of its month. They are kept, so no transaction is read again. */
    async sumsAtMonthEnd(lastDay: number): Promise<HoldingSums> {
      await catchUp()
      const end = calendar.startOf(lastDay + 1)
      if (latest.lastDate() < end) return sumsOf(holdingsIn(latest))
      return monthEnds.findLast(({ after }) => after < end)?.sums ?? sumsOf([])
    },
  }

  /** What is replayed serves everybody, so it goes on even if the first who asked has gone. */
  async function catchUp() {
    const end = await store.ledger.lastId()
    while (latest.throughId() < end) {
      readingOn ??= readThrough(end).finally(() => {
        readingOn = undefined
      })
      await readingOn
    }
  }

  async function readThrough(end: number) {
    adminId = (await theAdmin(store.users)).id
    while (latest.throughId() < end) {
      const reached = latest.throughId()
      const transactions = await store.statistics.transactionsAfter(reached, transactionsAtOnce)
      if (transactions.length === 0)
        throw new DatabaseDamaged(`transaction ${end} is stored as the last one, but there is none after ${reached}`)
      for (const transaction of transactions) {
        if (transaction.date >= nextMonth) endMonth(transaction.date)
        latest.add(transaction)
      }
      const since = latest.throughId() - (checkpoints.at(-1)?.throughId ?? 0)
      if (since >= Math.max(checkpointEvery, latest.userIds())) checkpoints.push(latest.checkpoint())
    }
  }

  function endMonth(date: number) {
    monthEnds.push({ after: latest.lastDate(), sums: sumsOf(holdingsIn(latest)) })
    nextMonth = calendar.startOf(lastOfMonth(calendar.dayOf(date)) + 1)
  }

  async function replayedUntil(end: number, signal: AbortSignal | undefined): Promise<Replay> {
    const replay = createReplay(checkpoints.findLast(({ lastDate }) => lastDate < end))
    for (;;) {
      const transactions = await store.statistics.transactionsAfter(replay.throughId(), transactionsAtOnce)
      signal?.throwIfAborted()
      for (const transaction of transactions) {
        if (transaction.date >= end) return replay
        replay.add(transaction)
      }
      if (transactions.length === 0) return replay
    }
  }

  function holdingsIn({ userIds, pocketsOf }: Replay): Holding[] {
    const holdings: Holding[] = []
    for (let userId = 0; userId < userIds(); userId += 1) {
      const { balance, earned } = pocketsOf(userId)
      if (balance > 0 && userId !== adminId) holdings.push({ userId, balance, redeemable: earned })
    }
    return holdings
  }
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

    add({ id, date, kind, senderId, receiverId, value, originalKind }: CountedTransaction) {
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
