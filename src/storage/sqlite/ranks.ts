import type { Column } from "./columns.ts"
import type { Reading } from "./sequences.ts"

/**
 * Ids from number `from` up to but not with number `to`, ascending by value, then id. The values at both ends are found
 * by halving, and one pass over what may lie between them collects.
 */
export function* selected(columns: readonly Column[], from: number, to: number): Reading<readonly number[]> {
  const size = to - from
  if (size === 0) return []
  const low = valueAt(columns, from)
  const high = valueAt(columns, to - 1)
  let skip = from - countBelow(columns, low)

  const lowest: number[] = []
  const between: { readonly id: number; readonly value: number }[] = []
  const highest: number[] = []
  for (const { values, sorted, idAt } of columns) {
    if (placeOf(sorted, low) === placeOf(sorted, high + 1)) continue
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0
      if (value < low || value > high) continue
      if (value === low) {
        if (skip > 0) skip -= 1
        else if (lowest.length < size) lowest.push(idAt(index))
      } else if (value < high) between.push({ id: idAt(index), value })
      else if (highest.length < size) highest.push(idAt(index))
    }
    yield
  }
  between.sort((one, other) => one.value - other.value || one.id - other.id)
  return [...lowest, ...between.map(({ id }) => id), ...highest].slice(0, size)
}

/** The value of number `rank`, the smallest being 0. */
function valueAt(columns: readonly Column[], rank: number): number {
  let low = 0
  let high = columns.reduce((largest, { sorted }) => Math.max(largest, sorted[sorted.length - 1] ?? 0), 0)
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (countBelow(columns, middle + 1) > rank) high = middle
    else low = middle + 1
  }
  return low
}

const countBelow = (columns: readonly Column[], bound: number): number =>
  columns.reduce((count, { sorted }) => count + placeOf(sorted, bound), 0)

/** How many are below `bound`. */
function placeOf(sorted: ArrayLike<number>, bound: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < bound) low = middle + 1
    else high = middle
  }
  return low
}
