import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { Reading } from "../database/budget.ts"
import { type BlockRow, blockColumns, decodeBlock, type Entries } from "./blocks.ts"
import { countOf, type Direction, firstOf, type List, type Lists, merged } from "./lists.ts"

/** Pages within this many entries of either end are found in a few blocks; pages further in by reading all values. */
const searchedUpTo = 2000

/** Blocks that one statement reads. One at a time, they would take 10 µs each instead of 1. */
const blocksAtOnce = 16

type Entry = { readonly id: number; readonly value: number }

/** Reads lists that share no entry, in the order of values; equal ones by id. */
export function createByValue(client: Database, lists: Lists) {
  const blocks = { up: blocksBy("smallest", ">", "ASC"), down: blocksBy("largest", "<", "DESC") }

  /** Ids from number `from` up to but not including number `to`, ascending by value. */
  return function* (of: readonly List[], from: number, to: number): Reading<number[]> {
    const count = countOf(of)
    if (to <= searchedUpTo) return (yield* first(of, to, "up")).slice(from)
    if (count - from <= searchedUpTo) return (yield* first(of, count - from, "down")).slice(count - to).reverse()
    return yield* further(of, from, to)
  }

  /**
   * The first `wanted` ids in this direction. Decodes a block only if it may hold an entry that comes before the last one
   * found.
   */
  function* first(of: readonly List[], wanted: number, direction: Direction): Reading<number[]> {
    const best = createBest(wanted, direction)
    for (const list of of) {
      best.take(list.openEnd())
      for (const row of blocksOf(list, direction)) {
        const entries = decodeBlock(row)
        const [value, id] = direction === "up" ? [row.smallest, entries.ids[0]] : [row.largest, entries.ids.at(-1)]
        if (!best.has({ id: id ?? 0, value })) break
        best.take(entries)
        yield
      }
    }
    return best.ids()
  }

  /** The blocks of a list by their smallest (or largest) value. */
  function* blocksOf(list: List, direction: Direction): Iterable<BlockRow> {
    let after = direction === "up" ? [0, -1] : [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    for (;;) {
      const rows = blocks[direction].all(list.ownerId, list.side, ...after, list.blocks)
      yield* rows
      for (const { smallest, largest, number } of rows.slice(-1))
        after = [direction === "up" ? smallest : largest, number]
      if (rows.length < blocksAtOnce) return
    }
  }

  /** The same for any range: finds the entry at `from`, then the entries that follow. Both steps read all entries. */
  function* further(of: readonly List[], from: number, to: number): Reading<number[]> {
    const all = of.map((): Entries[] => [])
    for (const [index, list] of of.entries())
      for (let number = 0; number <= list.blocks; number += 1) {
        all[index]?.push(lists.segmentAt(list, number))
        yield
      }
    const best = createBest(to - from, "up", yield* entryAt(all, from))
    for (const entries of all.flat()) {
      best.take(entries)
      yield
    }
    return best.ids()
  }

  function blocksBy(column: string, comparison: string, direction: string) {
    return client.prepare<BlockRow, (number | string)[]>(
      `SELECT ${blockColumns} FROM blocks
       WHERE owner_id = ? AND side = ? AND (${column}, number) ${comparison} (?, ?) AND number < ?
       ORDER BY ${column} ${direction}, number ${direction} LIMIT ${blocksAtOnce}`,
    )
  }
}

/** Collects the first `wanted` entries in this direction that are not before `start`. */
function createBest(wanted: number, direction: Direction, start?: Entry) {
  const sign = direction === "up" ? 1 : -1
  const compare = (one: Entry, other: Entry) => sign * (one.value - other.value || one.id - other.id)
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
      const limit = sign * (best[wanted - 1]?.value ?? sign * Number.POSITIVE_INFINITY)
      for (let at = 0; at < ids.length; at += 1) {
        const entry = { id: ids[at] ?? 0, value: values[at] ?? 0 }
        if (sign * entry.value <= limit && has(entry)) found.push(entry)
      }
      if (found.length > 0) best = [...best, ...found].sort(compare).slice(0, wanted)
    },
    ids: () => best.map(({ id }) => id),
  }
}

/** Entry number `rank` by value, then id: finds the value by bisection, and then the id among those with this value. */
function* entryAt(lists: readonly Entries[][], rank: number): Reading<Entry> {
  function* countBelow(value: number): Reading<number> {
    let count = 0
    for (const { values } of lists.flat()) {
      for (let at = 0; at < values.length; at += 1) if ((values[at] ?? 0) < value) count += 1
      yield
    }
    return count
  }

  let [low, high] = [1, 2]
  while ((yield* countBelow(high)) <= rank) {
    if (high > maxValue) throw new DatabaseDamaged("a block of the history index holds other values than numbers")
    ;[low, high] = [high, 2 * high]
  }
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2)
    if ((yield* countBelow(middle)) <= rank) low = middle
    else high = middle
  }
  const alike = lists.map((entries) =>
    entries.values().map(({ ids, values }) => ids.filter((_, at) => values[at] === low)),
  )
  const upTo = yield* firstOf(merged(alike, "up"), rank - (yield* countBelow(low)) + 1)
  return { id: upTo.at(-1) ?? 0, value: low }
}
