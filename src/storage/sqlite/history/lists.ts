import type { Database } from "bun:sqlite"
import {
  type BlockRow,
  blockColumns,
  blockSize,
  createReadBack,
  decodeBlock,
  type Entries,
  idsOf,
  type ListKey,
  type Side,
  sideColumns,
} from "./blocks.ts"

export type Direction = "up" | "down"

/** A list as it stood at one moment: what is appended later does not change it. */
export interface List extends ListKey {
  readonly count: number
  /** Id of the newest entry; 0 when there is none. */
  readonly last: number
  /** The newest entries, which fill no block yet. Read once, when they are first asked for. */
  openEnd(): Entries
}

/** What one user received or sent. */
export interface SideList extends List {
  readonly side: Side
}

/** Both lists of a user. A transaction to oneself is in both. */
export interface Participant {
  readonly received: SideList
  readonly sent: SideList
  readonly selfCount: number
}

/** How many transactions the user takes part in. */
export const participantCount = ({ received, sent, selfCount }: Participant): number =>
  received.count + sent.count - selfCount

/** Blocks that are full. */
export const fullBlocks = ({ count }: Pick<List, "count">): number => Math.floor(count / blockSize)

/** Ids one by one; undefined is a pause, where other work may run. */
export type Ids = Generator<number | undefined, void>

/** Ids in an order that can be read from either end, without the first `skip`. */
export type Order = (direction: Direction, skip: number) => Ids

export type Lists = ReturnType<typeof createLists>

/** Reads lists. Statements are raw in all files of the history: Drizzle's mapping costs more than the work. */
export function createLists(client: Database) {
  const readBack = createReadBack(client)
  const byNumber = client.prepare<BlockRow, [number, string, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND number = ?`,
  )
  const byFirstId = client.prepare<BlockRow, [number, string, number, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND first_id <= ? AND number < ?
     ORDER BY first_id DESC LIMIT 1`,
  )
  const asked = "json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value"
  const selfTransfers = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM ${asked} WHERE t.user_id = t.from_id`,
  )
  const others = { received: othersOf("received"), sent: othersOf("sent") }

  return {
    of,
    before,
    segments,
    idsIn,
    idsOfParticipant,
    merged,
    idsInCommon,
    othersIn,
    withoutSelfTransfers,
  }

  function of<Key extends ListKey>(key: Key, { count, last }: Pick<List, "count" | "last">): List & Key {
    let open: Entries | undefined
    const openEnd = () => {
      open ??= readBack(key.side, last, count % blockSize)
      return open
    }
    return { ...key, count, last, openEnd }
  }

  /** The list as it stood before transaction `id`. */
  function before(list: SideList, id: number): SideList {
    const count = countUpTo(list, id - 1)
    if (count === list.count) return list
    return of(list, { count, last: count === 0 ? 0 : idAt(list, count - 1) })
  }

  /** The blocks and the open end in this direction, from the one with entry number `from` on. */
  function* segments(
    list: List,
    direction: Direction,
    from = direction === "up" ? 0 : list.count - 1,
  ): Generator<Entries> {
    const step = direction === "up" ? blockSize : -blockSize
    for (let at = from - (from % blockSize); at >= 0 && at < list.count; at += step) yield segmentAt(list, at)
  }

  /** Ids of a list in this direction, without the first `skip`. */
  function* idsIn(list: List, direction: Direction, skip = 0): Ids {
    let at = direction === "up" ? skip : list.count - 1 - skip
    if (list.side === "all") {
      const step = direction === "up" ? 1 : -1
      for (; at >= 0 && at < list.count; at += step) yield at + 1 // the ids of the ledger have no gaps
      return
    }
    for (const segment of segments(list, direction, at)) {
      const ids = idsOf(segment)
      yield* direction === "up" ? ids.slice(at % blockSize) : ids.slice(0, (at % blockSize) + 1).reverse()
      at = direction === "up" ? 0 : blockSize - 1
      yield
    }
  }

  /** What a user received or sent, each once, in this direction, without the first `skip`. */
  function* idsOfParticipant(participant: Participant, direction: Direction, skip = 0): Ids {
    const skipped = skip === 0 ? { received: 0, sent: 0 } : skippedOf(participant, direction, skip)
    const received = idsIn(participant.received, direction, skipped.received)
    const sent = idsIn(participant.sent, direction, skipped.sent)
    yield* merged(received, sent, direction)
  }

  /** Merges two sequences in this direction; an id that is in both comes once. */
  function* merged(one: Ids, other: Ids, direction: Direction): Ids {
    const first = direction === "up" ? Math.min : Math.max
    let [a, b] = [yield* nextOf(one), yield* nextOf(other)]
    for (;;) {
      const id = a === null || b === null ? (a ?? b) : first(a, b)
      if (id === null) return
      yield id
      if (a === id) a = yield* nextOf(one)
      if (b === id) b = yield* nextOf(other)
    }
  }

  /** How many entries of each list are among the first `skip` of the merged lists. */
  function skippedOf(participant: Participant, direction: Direction, skip: number) {
    const { received, sent } = participant
    if (direction === "up") {
      const last = idAtParticipant(participant, skip - 1)
      return { received: countUpTo(received, last), sent: countUpTo(sent, last) }
    }
    const before = idAtParticipant(participant, participantCount(participant) - skip) - 1
    return { received: received.count - countUpTo(received, before), sent: sent.count - countUpTo(sent, before) }
  }

  /** Id number `position`, from 0, of the merged lists. A binary search over ids; each step reads a block of each list. */
  function idAtParticipant({ received, sent, selfCount }: Participant, position: number): number {
    let [low, high] = [1, Math.max(received.last, sent.last)]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const selfs = selfCount === 0 ? 0 : selfTransfersUpTo(sent, middle)
      if (countUpTo(received, middle) + countUpTo(sent, middle) - selfs > position) high = middle
      else low = middle + 1
    }
    return low
  }

  function selfTransfersUpTo(sent: SideList, id: number): number {
    const count = countUpTo(sent, id)
    const ids = count === 0 ? [] : idsOf(segmentAt(sent, count - 1)).filter((one) => one <= id)
    const number = Math.floor((count - 1) / blockSize)
    return (number > 0 ? rowOf(sent, number - 1).selfCount : 0) + selfTransfers.all(JSON.stringify(ids)).length
  }

  /** Ids that are in both lists, one of received and one of sent transactions of two users. Reads the shorter list. */
  function* idsInCommon(one: SideList, other: SideList, direction: Direction): Ids {
    const [shorter, longer] = one.count < other.count ? [one, other] : [other, one]
    for (const segment of segments(shorter, direction)) {
      const shared = othersIn(shorter, idsOf(segment)).filter(({ otherId }) => otherId === longer.ownerId)
      const ids = shared.map(({ id }) => id).filter((id) => id <= longer.last) // as of the same moment
      yield* direction === "up" ? ids : ids.reverse()
      yield
    }
  }

  /** These ids of a list, each with the user on the other side. */
  function othersIn({ side }: SideList, ids: readonly number[]): { readonly id: number; readonly otherId: number }[] {
    const found = others[side].all(JSON.stringify(ids))
    if (found.length !== ids.length) throw new Error("a transaction that the history index names is missing")
    return found
  }

  function withoutSelfTransfers(entries: Entries): Entries {
    const { firstId, offsets, values } = entries
    const ids = idsOf(entries)
    const selfs = new Set(selfTransfers.all(JSON.stringify(ids)).map(({ id }) => id))
    const kept = ids.flatMap((id, index) => (selfs.has(id) ? [] : [index]))
    return { firstId, offsets: kept.map((at) => offsets[at] ?? 0), values: kept.map((at) => values[at] ?? 0) }
  }

  function idAt(list: List, position: number): number {
    const { firstId, offsets } = segmentAt(list, position)
    return firstId + (offsets[position % blockSize] ?? 0)
  }

  /** The block, or the open end, with entry number `position`. */
  function segmentAt(list: List, position: number): Entries {
    const number = Math.floor(position / blockSize)
    return number < fullBlocks(list) ? decodeBlock(rowOf(list, number)) : list.openEnd()
  }

  /** How many entries of a list have at most this id. */
  function countUpTo(list: List, id: number): number {
    if (id >= list.last) return list.count
    const full = fullBlocks(list)
    const row = byFirstId.get(list.ownerId, list.side, id, full)
    const inBlocks = row ? row.number * blockSize + countIn(decodeBlock(row), id) : 0
    return inBlocks === full * blockSize ? inBlocks + countIn(list.openEnd(), id) : inBlocks
  }

  function rowOf({ ownerId, side }: List, number: number): BlockRow {
    const row = byNumber.get(ownerId, side, number)
    if (!row) throw new Error(`block ${number} of list ${side} ${ownerId} is missing`)
    return row
  }

  function othersOf(side: Side) {
    return client.prepare<{ id: number; otherId: number }, [string]>(
      `SELECT t.id, t.${sideColumns[side].other} AS otherId FROM ${asked}`,
    )
  }
}

/** How many of these entries have at most this id. */
function countIn({ firstId, offsets }: Entries, id: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (firstId + (offsets[middle] ?? 0) <= id) low = middle + 1
    else high = middle
  }
  return low
}

/** The next id, after the pauses before it; null at the end. */
function* nextOf(ids: Ids): Generator<undefined, number | null> {
  for (;;) {
    const { done, value } = ids.next()
    if (done) return null
    if (value !== undefined) return value
    yield
  }
}

/** Ids from number `from` (the first is 0) up to but not including `to`, of `count` in all, read from the nearer end. */
export function* idsBetween(order: Order, count: number, from: number, to: number): Reading<number[]> {
  const direction = count - to < from ? "down" : "up"
  const ids: number[] = []
  for (const id of order(direction, direction === "down" ? count - to : from)) {
    if (id === undefined) yield
    else ids.push(id)
    if (ids.length === to - from) break
  }
  return direction === "down" ? ids.reverse() : ids
}

/** A read that runs in time slices: where it yields, other work may run. */
export type Reading<T> = Generator<undefined, T>

/** How long a read may hold the event loop. */
const sliceMs = 5

/**
 * Runs a read to its end in time slices, each in one read transaction; between two slices, others may read and write. A read
 * takes the ends of its lists in its first slice, and what is before these ends never changes.
 */
export function createTimeSlices(client: Database, longestMs = sliceMs) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")

  return async <T>(reading: Reading<T>): Promise<T> => {
    for (;;) {
      const { done, value } = runSlice(reading)
      if (done) return value
      await new Promise(setImmediate)
    }
  }

  function runSlice<T>(reading: Reading<T>) {
    begin.run()
    try {
      const until = performance.now() + longestMs
      let step = reading.next()
      while (!step.done && performance.now() < until) step = reading.next()
      return step
    } finally {
      end.run()
    }
  }
}
