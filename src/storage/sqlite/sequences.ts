import { idAt, type List } from "./lists.ts"

/** Something that is read piece by piece; where it yields, others may be let in (see stretches.ts). */
export type Reading<T> = Generator<undefined, T>

/** Transactions in one order, ascending, by their ids; only what is asked for is read. */
export interface Sequence {
  readonly count: number
  /** Ids from number `from`, the first being 0, up to but not with number `to`; both within the count. */
  slice(from: number, to: number): Reading<readonly number[]>
}

/** Of these ids as they stand. */
export const sequenceOf = (ids: readonly number[]): Sequence => ({
  count: ids.length,
  slice: (from, to) => atOnce(ids.slice(from, to)),
})

/** Of a list, by id. */
export const sequenceOfList = (list: List): Sequence => ({
  count: list.count,
  slice: (from, to) => atOnce(from < to ? walk(list, from, to) : []),
})

/** How many ids are met between two rests. */
export const stride = 64

/** Ids that can only be met one after the other, from either end. */
export interface Passage {
  readonly count: number
  up(): Iterable<number>
  down(): Iterable<number>
}

/** A slice of a passage, met from the nearer end. */
export function* cut({ count, up, down }: Passage, from: number, to: number): Reading<readonly number[]> {
  const isNearEnd = count - to < from
  const skip = isNearEnd ? count - to : from
  const kept: number[] = []
  if (from === to) return kept
  let met = 0
  for (const id of isNearEnd ? down() : up()) {
    if (met >= skip) kept.push(id)
    if (kept.length === to - from) break
    met += 1
    if (met % stride === 0) yield
  }
  return isNearEnd ? kept.reverse() : kept
}

// biome-ignore lint/correctness/useYield: it is a reading that needs no rest
export function* atOnce<T>(value: T): Reading<T> {
  return value
}

function walk(list: List, from: number, to: number): number[] {
  let id = idAt(list, to)
  const ids = [id]
  while (ids.length < to - from) {
    id = list.links(id).prev
    ids.push(id)
  }
  return ids.reverse()
}
