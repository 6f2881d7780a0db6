import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { Reading } from "../../budget.ts"
import { type BlockRow, blockColumns, decodeBlock, type Entries } from "./blocks.ts"
import { countOf, type List, type Lists } from "./lists.ts"

/** Pages within this many entries of either end are found in a few blocks; pages further in by reading all values. */
const searchedUpTo = 2000

/** Blocks that one statement reads. One at a time, they would take 10 µs each instead of 1. */
const blocksAtOnce = 16

type Entry = { readonly id: number; readonly value: number }

/** By value; equal ones by id. */
interface Order {
  readonly compare: (one: Entry, other: Entry) => number
  /** Whether every entry with the value `one` comes after every entry with the value `other`. */
  readonly isAfter: (one: number, other: number) => boolean
  /** An entry that no entry of the block comes before. */
  readonly firstOf: (row: BlockRow, ids: Entries["ids"]) => Entry
}

const ascending: Order = {
  compare: (one, other) => one.value - other.value || one.id - other.id,
  isAfter: (one, other) => one > other,
  firstOf: ({ smallest }, ids) => ({ value: smallest, id: ids[0] ?? 0 }),
}

const descending: Order = {
  compare: (one, other) => other.value - one.value || other.id - one.id,
  isAfter: (one, other) => one < other,
  firstOf: ({ largest }, ids) => ({ value: largest, id: ids.at(-1) ?? 0 }),
}

/** Reads lists that share no entry, in the order of values; equal ones by id. */
export function createByValue(client: Database, lists: Lists) {
  const bySmallest = client.prepare<BlockRow, (number | string)[]>(
    `SELECT ${blockColumns} FROM blocks
     WHERE owner_id = ? AND side = ? AND (smallest, number) > (?, ?) AND number < ?
     ORDER BY smallest, number LIMIT ${blocksAtOnce}`,
  )
  const byLargest = client.prepare<BlockRow, (number | string)[]>(
    `SELECT ${blockColumns} FROM blocks
     WHERE owner_id = ? AND side = ? AND (largest, number) < (?, ?) AND number < ?
     ORDER BY largest DESC, number DESC LIMIT ${blocksAtOnce}`,
  )

  /** Ids from number `from` up to but not including number `to`, ascending by value. */
  return function* (of: readonly List[], from: number, to: number): Reading<number[]> {
    const count = countOf(of)
    if (to <= searchedUpTo) return (yield* first(of, to, ascending, upwards)).slice(from)
    if (count - from <= searchedUpTo)
      return (yield* first(of, count - from, descending, downwards)).slice(count - to).reverse()
    return yield* further(of, from, to)
  }

  /**
   * The first `wanted` ids of this order. `blocksOf` gives the blocks of a list by their first entries; a block is decoded
   * only if it may hold an entry that comes before the last one found.
   */
  function* first(
    of: readonly List[],
    wanted: number,
    order: Order,
    blocksOf: (list: List) => Iterable<BlockRow>,
  ): Reading<number[]> {
    const best = createBest(wanted, order)
    for (const list of of) {
      best.take(list.openEnd())
      for (const row of blocksOf(list)) {
        const entries = decodeBlock(row)
        if (!best.has(order.firstOf(row, entries.ids))) break
        best.take(entries)
        yield
      }
    }
    return best.ids()
  }

  function* upwards({ ownerId, side, blocks }: List): Iterable<BlockRow> {
    for (let last = { smallest: 0, number: -1 }, rows: BlockRow[] = []; ; last = rows.at(-1) ?? last) {
      rows = bySmallest.all(ownerId, side, last.smallest, last.number, blocks)
      yield* rows
      if (rows.length < blocksAtOnce) return
    }
  }

  function* downwards({ ownerId, side, blocks }: List): Iterable<BlockRow> {
    for (let last = beyondAll, rows: BlockRow[] = []; ; last = rows.at(-1) ?? last) {
      rows = byLargest.all(ownerId, side, last.largest, last.number, blocks)
      yield* rows
      if (rows.length < blocksAtOnce) return
    }
  }

  /** The same for any range: finds the entry at `from`, then the entries that follow. */
  function* further(of: readonly List[], from: number, to: number): Reading<number[]> {
    const best = createBest(to - from, ascending, yield* entryAt(of, from))
    yield* eachSegment(of, best.take)
    return best.ids()
  }

  /** Entry number `rank` by value, then id. */
  function* entryAt(of: readonly List[], rank: number): Reading<Entry> {
    const values = yield* keyAt(of, rank, { low: 1, high: largestIn(of) + 1 }, ({ values }, at) => values[at])
    const value = values.key
    const ids = yield* keyAt(of, rank - values.before, { low: 1, high: lastOf(of) + 1 }, ({ ids, values }, at) =>
      values[at] === value ? ids[at] : undefined,
    )
    return { id: ids.key, value }
  }

  /**
   * Key number `rank` of those from `low` up to but not including `high`, and how many come before it. Counts the keys in ever
   * smaller parts of the range. Each step reads all entries again, since those of a long list need hundreds of megabytes.
   */
  function* keyAt(of: readonly List[], rank: number, { low, high }: Range, keyOf: KeyOf): Reading<Found> {
    let before = 0
    for (;;) {
      const width = Math.ceil((high - low) / parts)
      const counts = new Float64Array(parts)
      yield* eachSegment(of, (entries) => {
        for (let at = 0; at < entries.ids.length; at += 1) {
          const key = keyOf(entries, at)
          if (key === undefined || key < low || key >= high) continue
          const part = Math.floor((key - low) / width)
          counts[part] = (counts[part] ?? 0) + 1
        }
      })
      let part = 0
      for (; part < parts && before + (counts[part] ?? 0) <= rank; part += 1) before += counts[part] ?? 0
      if (part === parts) throw new DatabaseDamaged("a block of the history index holds other values than numbers")
      low += part * width
      if (width === 1) return { key: low, before }
      high = Math.min(high, low + width)
    }
  }

  function* eachSegment(of: readonly List[], take: (entries: Entries) => void): Reading<void> {
    for (const list of of)
      for (let number = 0; number <= list.blocks; number += 1) {
        take(lists.segmentAt(list, number))
        yield
      }
  }

  function largestIn(of: readonly List[]): number {
    const { largest, number } = beyondAll
    const inBlocks = of.map(
      ({ ownerId, side, blocks }) => byLargest.get(ownerId, side, largest, number, blocks)?.largest ?? 0,
    )
    return Math.max(...inBlocks, ...of.flatMap((list) => Array.from(list.openEnd().values)))
  }
}

/** In how many parts a range is counted at once. */
const parts = 4096

interface Range {
  readonly low: number
  readonly high: number
}

/** The key of an entry; undefined when it does not count. */
type KeyOf = (entries: Entries, at: number) => number | undefined

interface Found {
  readonly key: number
  /** How many keys of the range come before it. */
  readonly before: number
}

const beyondAll = { largest: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }

const lastOf = (of: readonly List[]): number => Math.max(...of.map(({ last }) => last))

/** Collects the first `wanted` entries of this order that are not before `start`. */
function createBest(wanted: number, { compare, isAfter }: Order, start?: Entry) {
  let best: Entry[] = []
  const has = (entry: Entry) => {
    const last = best[wanted - 1]
    return (last === undefined || compare(entry, last) < 0) && (start === undefined || compare(entry, start) >= 0)
  }

  return {
    /** Whether this entry would be among those collected. */
    has,
    take({ ids, values }: Entries) {
      const found: Entry[] = []
      const last = best[wanted - 1]
      for (let at = 0; at < ids.length; at += 1) {
        const entry = { id: ids[at] ?? 0, value: values[at] ?? 0 }
        if ((last === undefined || !isAfter(entry.value, last.value)) && has(entry)) found.push(entry)
      }
      if (found.length > 0) best = [...best, ...found].sort(compare).slice(0, wanted)
    },
    ids: () => best.map(({ id }) => id),
  }
}
