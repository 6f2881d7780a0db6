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
} from "./blocks.ts"

/** A list as it stood at one moment: what is appended later does not change it. */
export interface List extends ListKey {
  readonly count: number
  /** Id of the newest entry; 0 when there is none. */
  readonly last: number
  /** The newest entries, which fill no block yet. Read once, when they are first asked for. */
  openEnd(): Entries
}

/** The lists of one user. */
export type ListsOfUser = { readonly ownerId: number } & Readonly<Record<Side, List>>

export const countOf = (lists: readonly List[]): number => lists.reduce((sum, { count }) => sum + count, 0)

/** Blocks that are full. */
export const fullBlocks = ({ count }: Pick<List, "count">): number => Math.floor(count / blockSize)

export type Direction = "up" | "down"

/** Ids, some at a time; after each, maybe empty, array there is a pause, where other work may run. */
export type Ids = Iterable<number[], void>

export type Lists = ReturnType<typeof createLists>

/**
 * Reads lists, and several lists of which no two share an entry as if they were one. Statements are raw in all files of the
 * history: Drizzle's mapping costs more than the work.
 */
export function createLists(client: Database) {
  const readBack = createReadBack(client)
  const byNumber = client.prepare<BlockRow, [number, string, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND number = ?`,
  )
  const byFirstId = client.prepare<BlockRow, [number, string, number, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND first_id <= ? AND number < ?
     ORDER BY first_id DESC LIMIT 1`,
  )
  const others = { received: othersOf("from_id"), sent: othersOf("user_id") }

  return { of, asOf, segments, idsIn, othersIn, idsInCommon }

  function of(key: ListKey, { count, last }: Pick<List, "count" | "last">): List {
    let open: Entries | undefined
    const openEnd = () => {
      open ??= readBack(key.side, last, count % blockSize)
      return open
    }
    return { ...key, count, last, openEnd }
  }

  /** The list as it stood after transaction `id`. */
  function asOf(list: List, id: number): List {
    const count = countUpTo(list, id)
    return count === list.count ? list : of(list, { count, last: idAt([list], count - 1) })
  }

  /** The blocks and the open end. */
  function* segments(list: List): Iterable<Entries> {
    for (let at = 0; at < list.count; at += blockSize) yield segmentAt(list, at)
  }

  /** Ids in the lists in this direction, without the first `skip`. */
  function idsIn(lists: readonly List[], direction: Direction, skip = 0): Ids {
    if (skip === 0)
      return merged(
        lists.map((list) => idsOfOne(list, direction)),
        direction,
      )
    const first = idAt(lists, direction === "up" ? skip : countOf(lists) - 1 - skip)
    return merged(
      lists.map((list) => idsOfOne(list, direction, first)),
      direction,
    )
  }

  /** Ids in a list in this direction from id `first` on, which need not be in it. */
  function* idsOfOne(list: List, direction: Direction, first = direction === "up" ? 1 : list.last): Ids {
    const isUp = direction === "up"
    const start = isUp ? countUpTo(list, first - 1) : countUpTo(list, first) - 1
    for (let at = start - (start % blockSize); at >= 0 && at < list.count; at += isUp ? blockSize : -blockSize) {
      const ids = idsOfSegment(list, at)
      yield isUp ? ids.filter((id) => id >= first) : ids.filter((id) => id <= first).reverse()
    }
  }

  function idsOfSegment(list: List, at: number): number[] {
    if (list.side !== "all") return idsOf(segmentAt(list, at))
    return Array.from({ length: Math.min(blockSize, list.count - at) }, (_, index) => at + 1 + index)
  }

  /** Id number `position`, from 0, in the lists: a binary search over all ids. Each step reads a block of each list. */
  function idAt(lists: readonly List[], position: number): number {
    let [low, high] = [1, Math.max(...lists.map(({ last }) => last))]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (lists.reduce((sum, list) => sum + countUpTo(list, middle), 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }

  /** How many entries of a list have at most this id. */
  function countUpTo(list: List, id: number): number {
    if (id >= list.last) return list.count
    if (list.side === "all" || id < 1) return Math.max(id, 0) // the ids of the ledger have no gaps
    const full = fullBlocks(list)
    const row = byFirstId.get(list.ownerId, list.side, id, full)
    const countIn = (entries: Entries) => idsOf(entries).filter((one) => one <= id).length
    const inBlocks = row ? row.number * blockSize + countIn(decodeBlock(row)) : 0
    return inBlocks === full * blockSize ? inBlocks + countIn(list.openEnd()) : inBlocks
  }

  /** The block, or the open end, with entry number `position`. */
  function segmentAt(list: List, position: number): Entries {
    const number = Math.floor(position / blockSize)
    if (number === fullBlocks(list)) return list.openEnd()
    const row = byNumber.get(list.ownerId, list.side, number)
    if (!row) throw new Error(`block ${number} of list ${list.side} ${list.ownerId} is missing`)
    return decodeBlock(row)
  }

  /** Ids that are in both lists, of what one user sent and another received. Reads the shorter list. */
  function* idsInCommon(one: List, other: List, direction: Direction): Ids {
    const [shorter, longer] = one.count < other.count ? [one, other] : [other, one]
    for (const ids of idsIn([shorter], direction))
      yield othersIn(shorter, ids)
        .filter(({ id, otherId }) => otherId === longer.ownerId && id <= longer.last) // as of the same moment
        .map(({ id }) => id)
  }

  /** These ids of a list, in their order, each with the user on the other side. */
  function othersIn({ side }: List, ids: readonly number[]): { readonly id: number; readonly otherId: number }[] {
    const found = others[side === "sent" ? "sent" : "received"].all(JSON.stringify(ids))
    if (found.length !== ids.length) throw new Error("a transaction that the history index names is missing")
    return found
  }

  /** CROSS JOIN keeps the order of the ids that were asked for. */
  function othersOf(column: string) {
    return client.prepare<{ id: number; otherId: number }, [string]>(
      `SELECT t.id, t.${column} AS otherId FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value`,
    )
  }
}

/** Merges sequences, each in this direction, of which no two share an id. */
export function* merged(sequences: readonly Ids[], direction: Direction): Ids {
  const isUp = direction === "up"
  let open = sequences.map((ids) => ({ ids: ids[Symbol.iterator](), waiting: [] as number[] }))
  for (;;) {
    for (const sequence of open)
      for (;;) {
        if (sequence.waiting.length > 0) break
        const { done, value } = sequence.ids.next()
        if (done) break
        if (value.length === 0) yield []
        sequence.waiting = value
      }
    open = open.filter(({ waiting }) => waiting.length > 0)
    if (open.length === 0) return
    // Whatever comes next from a sequence is behind the last id that it has shown.
    const shown = open.map(({ waiting }) => waiting.at(-1) ?? 0)
    const until = isUp ? Math.min(...shown) : Math.max(...shown)
    const isReady = (id: number) => (isUp ? id <= until : id >= until)
    yield open
      .flatMap(({ waiting }) => waiting.filter(isReady))
      .sort((one, other) => (isUp ? one - other : other - one))
    for (const sequence of open) sequence.waiting = sequence.waiting.filter((id) => !isReady(id))
  }
}

/** A read that runs in time slices: where it yields, other work may run. */
export type Reading<T> = Generator<undefined, T>

/** The first `count` ids, or all, if there are fewer. */
export function* firstOf(ids: Ids, count: number): Reading<number[]> {
  const found: number[] = []
  for (const some of ids) {
    for (const id of some) found.push(id)
    if (found.length >= count) break
    yield
  }
  return found.slice(0, count)
}

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
