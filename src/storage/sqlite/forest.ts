/**
 * The lists of the ledger: what each user received, what each sent, and everything. A list only grows, and each
 * transaction carries its place in it, so that appending writes no page but the newest, and any page of the list is
 * found in steps that grow with the logarithm of its length.
 *
 * A list of n is a row of complete binary trees of sizes 2^k − 1, falling from the oldest to the newest, the last two
 * perhaps alike (a skew-binary forest; Myers, "An applicative random-access stack", 1983). The next one becomes the
 * root over the last two when these are alike, else a tree of its own. A root is the newest of its tree: left of it
 * stands the tree of its `prev`, and left of that the tree of its prev's `jump`.
 */

/** Where a transaction stands in a list; `prev` and `jump` are ids, 0 for none. */
export interface Place {
  /** The one before. */
  readonly prev: number
  /** The newest one before the whole tree: the root of the next tree to the left. */
  readonly jump: number
  /** Smallest and largest value in the tree. */
  readonly min: number
  readonly max: number
}

/** A tree as the next append needs it. */
export interface Tree {
  readonly root: number
  readonly size: number
  readonly min: number
  readonly max: number
}

/** The place of the next transaction of a list; `trees`, the oldest first, takes it in. */
export function append(trees: Tree[], id: number, value: number): Place {
  const last = trees.at(-1)
  const beforeLast = trees.at(-2)
  const prev = last?.root ?? 0
  if (!last || !beforeLast || last.size !== beforeLast.size) {
    trees.push({ root: id, size: 1, min: value, max: value })
    return { prev, jump: prev, min: value, max: value }
  }
  const min = Math.min(value, last.min, beforeLast.min)
  const max = Math.max(value, last.max, beforeLast.max)
  trees.length -= 2
  const jump = trees.at(-1)?.root ?? 0
  trees.push({ root: id, size: 2 * last.size + 1, min, max })
  return { prev, jump, min, max }
}

/** Sizes of the trees of a list of `count`, the newest first. */
export function* treeSizes(count: number): Generator<number> {
  for (let rest = count; rest > 0; ) {
    const size = treeSize(rest)
    yield size
    rest -= size
  }
}

/** Size of the tree whose root is number `ordinal`, from 1, of a list. */
export function treeSize(ordinal: number): number {
  let rest = ordinal
  for (;;) {
    const size = 2 ** Math.floor(Math.log2(rest + 1)) - 1
    if (size === rest) return size
    rest -= size
  }
}
