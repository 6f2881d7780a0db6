import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { Reading } from "../../budget.ts"
import {
  type BlockRow,
  blockColumns,
  blockSize,
  createReadBack,
  decodeBlock,
  type Entries,
  type ListKey,
  type Side,
} from "./blocks.ts"

/** A list as of one moment: later appends do not change it. */
export interface List extends ListKey {
  readonly count: number
  /** Id of the newest entry; 0 when there is none. */
  readonly last: number
  /** How many full blocks the list has. */
  readonly blocks: number
  /** The newest entries, which fill no block yet. Read once, when they are first asked for. */
  openEnd(): Entries
}

/** The lists of one user. */
export type ListsOfUser = { readonly ownerId: number } & Readonly<Record<Side, List>>

export const countOf = (lists: readonly List[]): number => lists.reduce((sum, { count }) => sum + count, 0)

export type Direction = "up" | "down"

/** Ids, some at a time. Other work may run after each array, which may be empty. */
export type Ids = Iterable<number[], void>

export type Lists = ReturnType<typeof createLists>

/**
 * Reads lists. Several lists that share no entry can be read as one.
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

  return { of, asOf, segmentAt, idsIn, othersIn, idsInCommon }

  function of(key: ListKey, count = 0, last = 0): List {
    let open: Entries | undefined
    const openEnd = () => {
      open ??= readBack(key.side, last, count % blockSize)
      return open
    }
    return { ...key, count, last, blocks: Math.floor(count / blockSize), openEnd }
  }

  /** The list as it was right after transaction `id`. */
  function asOf(list: List, id: number): List {
    const count = countUpTo(list, id)
    return count === list.count ? list : of(list, count, count && idAt([list], count - 1))
  }

  /** Ids in the lists in this direction, without the first `skip`. */
  function idsIn(of: readonly List[], direction: Direction, skip = 0): Ids {
    const first = skip === 0 ? undefined : idAt(of, direction === "up" ? skip : countOf(of) - 1 - skip)
    const ids = of.filter(({ count }) => count > 0).map((list) => idsOfOne(list, direction, first))
    return merged(ids, direction)
  }

  /** Ids in a list in this direction from id `first` on, which need not be in it. */
  function* idsOfOne(list: List, direction: Direction, first = direction === "up" ? 1 : list.last): Ids {
    const isUp = direction === "up"
    const start = isUp ? countUpTo(list, first - 1) : countUpTo(list, first) - 1
    for (let at = Math.floor(start / blockSize); at >= 0 && at <= list.blocks; at += isUp ? 1 : -1) {
      // Computed, not read: the ids of the ledger have no gaps.
      const ids = list.side === "all" ? range(at * blockSize + 1, list.count) : segmentAt(list, at).ids
      yield isUp ? ids.filter((id) => id >= first) : ids.filter((id) => id <= first).reverse()
    }
  }

  /** Id number `position`, from 0, in the lists: a binary search over all ids. Each step reads a block of each list. */
  function idAt(of: readonly List[], position: number): number {
    let [low, high] = [1, Math.max(...of.map(({ last }) => last))]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (of.reduce((sum, list) => sum + countUpTo(list, middle), 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }

  /** How many entries of a list have at most this id. */
  function countUpTo(list: List, id: number): number {
    if (id >= list.last) return list.count
    if (list.side === "all" || id < 1) return Math.max(id, 0)
    const row = byFirstId.get(list.ownerId, list.side, id, list.blocks)
    const countIn = ({ ids }: Entries) => ids.filter((one) => one <= id).length
    const inBlocks = row ? row.number * blockSize + countIn(decodeBlock(row)) : 0
    return inBlocks === list.blocks * blockSize ? inBlocks + countIn(list.openEnd()) : inBlocks
  }

  /** The block with this number, or the open end. */
  function segmentAt(list: List, number: number): Entries {
    if (number === list.blocks) return list.openEnd()
    const row = byNumber.get(list.ownerId, list.side, number)
    if (!row) throw new DatabaseDamaged(`block ${number} of list ${list.side} ${list.ownerId} is missing`)
    return decodeBlock(row)
  }

  /**
   * Ids that are in both lists: one holds what a user sent, the other what another user received. Reads the shorter list.
   */
  function* idsInCommon(one: List, other: List, direction: Direction): Ids {
    const [shorter, longer] = one.count < other.count ? [one, other] : [other, one]
    const isCommon = ({ id, otherId }: { readonly id: number; readonly otherId: number }) =>
      otherId === longer.ownerId && id <= longer.last // not newer than the other list
    for (const ids of idsIn([shorter], direction))
      yield othersIn(shorter, ids)
        .filter(isCommon)
        .map(({ id }) => id)
  }

  /** These ids of a list, in their order, each with the user on the other side. */
  function othersIn({ side }: List, ids: readonly number[]): { readonly id: number; readonly otherId: number }[] {
    const found = others[side === "sent" ? "sent" : "received"].all(JSON.stringify(ids))
    if (found.length !== ids.length) throw new DatabaseDamaged("a transaction that the history index names is missing")
    return found
  }

  /** CROSS JOIN keeps the order of the ids that were asked for. */
  function othersOf(column: string) {
    return client.prepare<{ id: number; otherId: number }, [string]>(
      `SELECT t.id, t.${column} AS otherId FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value`,
    )
  }
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.min(blockSize, last - first + 1) }, (_, index) => first + index)

/** Merges sequences that share no id, each in this direction. */
export function* merged(sequences: readonly Ids[], direction: Direction): Ids {
  const sign = direction === "up" ? 1 : -1
  let open = sequences.map((ids) => ({ ids: ids[Symbol.iterator](), waiting: [] as number[] }))
  for (;;) {
    for (const sequence of open)
      while (sequence.waiting.length === 0) {
        const { done, value } = sequence.ids.next()
        if (done) break
        sequence.waiting = value
        yield []
      }
    open = open.filter(({ waiting }) => waiting.length > 0)
    if (open.length === 0) return
    // Ids up to `until` are complete, because the next ids of a sequence come after the last one that it returned.
    const until = Math.min(...open.map(({ waiting }) => sign * (waiting.at(-1) ?? 0)))
    const ready = open.flatMap(({ waiting }) => waiting.filter((id) => sign * id <= until))
    yield open.length === 1 ? ready : ready.sort((one, other) => sign * (one - other))
    for (const sequence of open) sequence.waiting = sequence.waiting.filter((id) => sign * id > until)
  }
}

/** The first `count` ids, or all. */
export function* firstOf(ids: Ids, count = Number.POSITIVE_INFINITY): Reading<number[]> {
  const found: number[] = []
  for (const some of ids) {
    for (const id of some) found.push(id)
    if (found.length >= count) break
    yield
  }
  return found.slice(0, count)
}
