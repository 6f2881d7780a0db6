/** Rows that one statement writes: 1 to 5 ms. */
export const rowsAtOnce = 128

/** The items in their order, some at a time. */
export function* slicesOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += rowsAtOnce) yield items.slice(from, from + rowsAtOnce)
}
