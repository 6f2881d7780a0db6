import type { Database } from "bun:sqlite"
import { type BlockRow, blockColumns, decodeBlock, type Entries } from "./blocks.ts"
import { type Direction, fullBlocks, type List, type Lists, type Reading } from "./lists.ts"

/** Pages within this many entries of either end are found in the blocks with the smallest (or largest) values; pages further
 *  in by reading all values. */
const searchedUpTo = 2000

/** Blocks that one statement reads. */
const blocksAtOnce = 16

interface Entry {
  readonly id: number
  readonly value: number
}

/** Reads lists in the order of their values, ties by id. An entry that is in both of two lists comes once. */
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

  /** Ids from number `from` up to but not including number `to`, of `count` in all. */
  return function* (of: readonly List[], count: number, from: number, to: number): Reading<readonly number[]> {
    if (to <= searchedUpTo) return (yield* first(of, to, "up")).slice(from)
    if (count - from <= searchedUpTo) return (yield* first(of, count - from, "down")).slice(count - to).reverse()
    return yield* select(yield* everything(of), from, to)
  }

  /** The first `wanted` ids in this direction. Opens a block only while it may hold an entry before the last one found. */
  function* first(of: readonly List[], wanted: number, direction: Direction): Reading<number[]> {
    const comesBefore = direction === "up" ? isLess : (one: Entry, other: Entry) => isLess(other, one)
    let best: Entry[] = []
    const trim = () => {
      best.sort((one, other) => (comesBefore(one, other) ? -1 : 1))
      best = best.filter(({ id }, index) => id !== best[index - 1]?.id).slice(0, wanted)
    }
    const take = ({ firstId, offsets, values }: Entries) => {
      const last = best[wanted - 1]
      for (let index = 0; index < values.length; index += 1) {
        const entry = { id: firstId + (offsets[index] ?? 0), value: values[index] ?? 0 }
        if (last === undefined || comesBefore(entry, last)) best.push(entry)
      }
      trim()
    }

    for (const list of of) {
      take(list.openEnd())
      for (const { row, bound } of blocksOf(list, direction)) {
        const last = best[wanted - 1]
        if (last !== undefined && !comesBefore(bound, last)) break
        take(decodeBlock(row))
        yield
      }
    }
    return best.map(({ id }) => id)
  }

  /** The blocks of a list by their smallest (or largest) value. No entry of the block, or of later ones, is before `bound`. */
  function* blocksOf(list: List, direction: Direction): Generator<{ row: BlockRow; bound: Entry }> {
    let after = direction === "up" ? [0, -1] : [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    for (;;) {
      const rows = blocks[direction].all(list.ownerId, list.side, ...after, fullBlocks(list))
      for (const row of rows) {
        const value = direction === "up" ? row.smallest : row.largest
        const id = direction === "up" ? row.firstId : lastIdOf(decodeBlock(row))
        yield { row, bound: { id, value } }
        after = [value, row.number]
      }
      if (rows.length < blocksAtOnce) return
    }
  }

  /** All entries, each once. */
  function* everything(of: readonly List[]): Reading<Entries[]> {
    const all: Entries[] = []
    for (const [index, list] of of.entries())
      for (const entries of lists.segments(list, "up")) {
        all.push(index === 0 ? entries : lists.withoutSelfTransfers(entries))
        yield
      }
    return all
  }
}

const isLess = (one: Entry, other: Entry): boolean =>
  one.value < other.value || (one.value === other.value && one.id < other.id)

const lastIdOf = ({ firstId, offsets }: Entries): number => firstId + (offsets[offsets.length - 1] ?? 0)

/** Finds the entries at both ends of the range, then collects in one pass what lies between them. */
function* select(all: readonly Entries[], from: number, to: number): Reading<readonly number[]> {
  const low = yield* entryAt(all, from)
  const high = yield* entryAt(all, to - 1)
  const found: Entry[] = []
  for (const { firstId, offsets, values } of all) {
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0
      if (value < low.value || value > high.value) continue
      const entry = { id: firstId + (offsets[index] ?? 0), value }
      if (!isLess(entry, low) && !isLess(high, entry)) found.push(entry)
    }
    yield
  }
  return found.sort((one, other) => (isLess(one, other) ? -1 : 1)).map(({ id }) => id)
}

/** Entry number `rank` by value, then id. */
function* entryAt(all: readonly Entries[], rank: number): Reading<Entry> {
  const { found: value, before } = yield* numberAt(all, rank, ({ values }) => values)
  const { found: id } = yield* numberAt(all, rank - before, (entries) => idsWithValue(entries, value))
  return { id, value }
}

function idsWithValue({ firstId, offsets, values }: Entries, value: number): number[] {
  const ids: number[] = []
  for (let index = 0; index < values.length; index += 1)
    if (values[index] === value) ids.push(firstId + (offsets[index] ?? 0))
  return ids
}

/** Each pass divides a range of numbers into up to 2^16 buckets. */
const bucketBits = 16

/**
 * Number `rank` in ascending order, and how many numbers are smaller. A radix selection: counts the numbers in buckets, then
 * those of one bucket in narrower ones, a pass for each 16 bits of the largest number. Plain loops, because this may read
 * millions of numbers.
 */
function* numberAt(
  all: readonly Entries[],
  rank: number,
  numbersOf: (entries: Entries) => ArrayLike<number>,
): Reading<{ readonly found: number; readonly before: number }> {
  let bits = Math.ceil(Math.log2((yield* largestIn(all, numbersOf)) + 1))
  let [low, before] = [0, 0]
  while (bits > 0) {
    const counts = new Float64Array(2 ** Math.min(bits, bucketBits))
    const width = 2 ** bits / counts.length
    for (const entries of all) {
      const numbers = numbersOf(entries)
      for (let index = 0; index < numbers.length; index += 1) {
        const bucket = Math.floor(((numbers[index] ?? 0) - low) / width)
        if (bucket >= 0 && bucket < counts.length) counts[bucket] = (counts[bucket] ?? 0) + 1
      }
      yield
    }
    let bucket = 0
    while (before + (counts[bucket] ?? 0) <= rank) before += counts[bucket++] ?? 0
    low += bucket * width
    bits = Math.log2(width)
  }
  return { found: low, before }
}

function* largestIn(all: readonly Entries[], numbersOf: (entries: Entries) => ArrayLike<number>): Reading<number> {
  let largest = 0
  for (const entries of all) {
    const numbers = numbersOf(entries)
    for (let index = 0; index < numbers.length; index += 1) largest = Math.max(largest, numbers[index] ?? 0)
    yield
  }
  return largest
}
