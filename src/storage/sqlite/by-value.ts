import { type Column, columnOf } from "./columns.ts"
import { createHeap } from "./heap.ts"
import { type Bounded, branchesOf, type Tree, treesOf, type ValueList } from "./lists.ts"
import { selected } from "./ranks.ts"
import { cut, type Reading, type Sequence } from "./sequences.ts"

/** Where the search would meet more than this, and more than this share of all, it costs more than to go through them. */
const far = { from: 1000, share: 1 / 64 }

/** A tree that may hold the next transaction, or one transaction by itself (size 1). */
interface Candidate extends Tree<Bounded> {
  readonly read: (id: number) => Bounded
  /** Nothing in it comes before this value and, among those of this value, before this id. */
  readonly value: number
  readonly nearestId: number
}

/**
 * Lists as one, by value, then id; what stands in two comes once. `count` is how many there are. The best-first search
 * opens only trees whose bound is next in line, so that the first ones of millions cost hardly more than those of
 * thousands; those before a page must be met, at 10 µs each. A page far from both ends is selected from the values of
 * all instead, as `columns` gives them.
 */
export const sequenceByValue = (
  lists: readonly ValueList[],
  count: number,
  columns: () => Reading<readonly Column[]> = function* () {
    return [yield* columnOf(lists)]
  },
): Sequence => ({
  count,
  *slice(from, to) {
    if (Math.min(from, count - to) > Math.max(far.from, count * far.share))
      return yield* selected(yield* columns(), from, to)
    return yield* cut({ count, up: () => search(lists, -1), down: () => search(lists, 1) }, from, to)
  },
})

/** Ids; `sign` is 1 for the largest value first, −1 for the smallest. */
function* search(lists: readonly ValueList[], sign: 1 | -1): Generator<number> {
  const heap = createHeap<Candidate>((a, b) => sign * (a.value - b.value || a.nearestId - b.nearestId) > 0)
  for (const list of lists) {
    const read = sign > 0 ? list.largest : list.smallest
    for (const tree of treesOf(list, read)) heap.push(candidate(read, tree, sign))
  }

  let lastId = 0
  for (let best = heap.pop(); best; best = heap.pop()) {
    const { read, id, place, size } = best
    if (size > 1) {
      heap.push(candidate(read, { id, place, size: 1 }, sign))
      for (const branch of branchesOf(best, read)) heap.push(candidate(read, branch, sign))
    } else if (id !== lastId) {
      lastId = id // of two lists that hold it, both give it, one after the other
      yield id
    }
  }
}

function candidate(read: Candidate["read"], { id, place, size }: Tree<Bounded>, sign: 1 | -1): Candidate {
  const nearestId = size === 1 || sign > 0 ? id : place.jump + 1
  return { read, id, place, size, value: size === 1 ? place.value : place.bound, nearestId }
}
