import type { Database } from "bun:sqlite"
import { type BlockRow, blockColumns, decodeBlock, type Entries } from "./blocks.ts"
import { countOf, type Direction, fullBlocks, type List, type Lists, type Reading } from "./lists.ts"

/** Pages within this many entries of either end are found in the blocks with the smallest (or largest) values; pages further
 *  in by reading all values. */
const searchedUpTo = 2000

/** Blocks that one statement reads. */
const blocksAtOnce = 16

interface Entry {
  readonly id: number
  readonly value: number
}

/** Reads lists, of which no two share an entry, in the order of their values, ties by id. */
export function createByValue(client: Database, lists: Lists) {
  const blocks = {
    up: client.prepare<BlockRow, (number | string)[]>(
      `SELECT ${blockColumns} FROM blocks
       WHERE owner_id = ? AND side = ? AND (smallest, number) > (?, ?) AND number < ?
       ORDER BY smallest, number LIMIT ${blocksAtOnce}`,
    ),
    down: client.prepare<BlockRow, (number | string)[]>(
      `SELECT ${blockColumns} FROM blocks
       WHERE owner_id = ? AND side = ? AND (largest, number) < (?, ?) AND number < ?
       ORDER BY largest DESC, number DESC LIMIT ${blocksAtOnce}`,
    ),
  }

  /** Ids from number `from` up to but not including number `to`, ascending by value. */
  return function* (of: readonly List[], from: number, to: number): Reading<number[]> {
    const count = countOf(of)
    if (to <= searchedUpTo) return (yield* first(of, to, "up")).slice(from)
    if (count - from <= searchedUpTo) return (yield* first(of, count - from, "down")).slice(count - to).reverse()
    return yield* further(of, from, to)
  }

  /** The first `wanted` ids in this direction. Opens a block only while it may hold an entry before the last one found. */
  function* first(of: readonly List[], wanted: number, direction: Direction): Reading<number[]> {
    const best = createBest(wanted, direction)
    for (const list of of) {
      best.take(list.openEnd())
      for (const { entries, bound } of blocksOf(list, direction)) {
        if (!best.has(bound)) break
        best.take(entries)
        yield
      }
    }
    return best.ids()
  }

  /** The blocks of a list by their smallest (or largest) value. No entry of the block, or of later ones, is before `bound`. */
  function* blocksOf(list: List, direction: Direction): Iterable<{ readonly entries: Entries; readonly bound: Entry }> {
    let after = direction === "up" ? [0, -1] : [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    for (;;) {
      const rows = blocks[direction].all(list.ownerId, list.side, ...after, fullBlocks(list))
      for (const row of rows) {
        const entries = decodeBlock(row)
        const [value, at] = direction === "up" ? [row.smallest, 0] : [row.largest, entries.offsets.length - 1]
        yield { entries, bound: { id: row.firstId + (entries.offsets[at] ?? 0), value } }
        after = [value, row.number]
      }
      if (rows.length < blocksAtOnce) return
    }
  }

  /** The same for any range: finds its first entry, and then the ones that follow, each time by reading all entries. */
  function* further(of: readonly List[], from: number, to: number): Reading<number[]> {
    const all: Entries[] = []
    for (const list of of)
      for (const entries of lists.segments(list)) {
        all.push(entries)
        yield
      }
    const start = yield* entryAt(all, from)
    const best = createBest(to - from, "up", start)
    for (const entries of all) {
      best.take(entries)
      yield
    }
    return best.ids()
  }
}

/** Collects the first `wanted` entries in this direction, among those that are not before `start`. */
function createBest(wanted: number, direction: Direction, start?: Entry) {
  const sign = direction === "up" ? 1 : -1
  const compare = (one: Entry, other: Entry) => sign * (one.value - other.value || one.id - other.id)
  let best: Entry[] = []
  const has = (entry: Entry) => {
    const last = best[wanted - 1]
    return (last === undefined || compare(entry, last) < 0) && (start === undefined || compare(entry, start) >= 0)
  }

  return {
    /** Whether this entry would be among them, were it one of the entries. */
    has,
    take({ firstId, offsets, values }: Entries) {
      const found: Entry[] = []
      for (let index = 0; index < values.length; index += 1) {
        const entry = { id: firstId + (offsets[index] ?? 0), value: values[index] ?? 0 }
        if (has(entry)) found.push(entry)
      }
      if (found.length > 0) best = [...best, ...found].sort(compare).slice(0, wanted)
    },
    ids: () => best.map(({ id }) => id),
  }
}

/** Entry number `rank` by value, then id. */
function* entryAt(all: readonly Entries[], rank: number): Reading<Entry> {
  const value = yield* lowest(all, rank, (upTo) => (_, value) => value <= upTo)
  const id = yield* lowest(all, rank, (upTo) => (id, its) => its < value || (its === value && id <= upTo))
  return { id, value }
}

/**
 * The lowest number up to which more than `rank` entries are counted: bisection, a pass over all entries for each of its bits.
 * Plain loops, because this may read millions of entries.
 */
function* lowest(
  all: readonly Entries[],
  rank: number,
  isCountedUpTo: (upTo: number) => (id: number, value: number) => boolean,
): Reading<number> {
  const countUpTo = function* (upTo: number): Reading<number> {
    const isCounted = isCountedUpTo(upTo)
    let count = 0
    for (const { firstId, offsets, values } of all) {
      for (let index = 0; index < values.length; index += 1)
        if (isCounted(firstId + (offsets[index] ?? 0), values[index] ?? 0)) count += 1
      yield
    }
    return count
  }

  let [low, high] = [0, 1]
  while ((yield* countUpTo(high)) <= rank) [low, high] = [high + 1, 2 * high]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((yield* countUpTo(middle)) > rank) high = middle
    else low = middle + 1
  }
  return low
}
