import { ascending, descending, type List } from "./lists.ts"
import { type Reading, stride } from "./sequences.ts"

export type Direction = "up" | "down"

/**
 * Ids, ascending, of what one user sent to another: `sent` is the one's list, `received` the other's. The shorter of
 * them is read whole, 0.5 µs a transaction: to keep lists or counters of pairs cost each transfer more than a page
 * costs now and then. `count` is how many there are, when it is known.
 */
export function* idsOfPair(sent: List, received: List, count = Number.POSITIVE_INFINITY): Reading<number[]> {
  const ids: number[] = []
  if (count === 0) return ids
  for (const id of idsInCommon(sent, received, "down")) {
    if (id === undefined) yield
    else ids.push(id)
    if (ids.length === count) break
  }
  return ids.reverse()
}

/** Ids that stand in the lists of two users, one of sent and one of received, as far as both go; undefined is a rest. */
export function* idsInCommon(one: List, other: List, direction: Direction): Generator<number | undefined, void> {
  const [shorter, longer] = one.count < other.count ? [one, other] : [other, one]
  const lastId = Math.min(one.last, other.last)
  let met = 0
  for (const { id, place } of direction === "up"
    ? ascending(shorter, shorter.other)
    : descending(shorter, shorter.other)) {
    if (place.otherId === longer.ownerId && id <= lastId) yield id
    met += 1
    if (met % stride === 0) yield
  }
}
