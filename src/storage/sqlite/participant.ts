import { ascending, descending, idAt, type Links, type List, type Placed } from "./lists.ts"
import { cut, type Sequence, sequenceOfList } from "./sequences.ts"

/** The lists of one user, as they stood at one moment. */
export interface Ends {
  readonly userId: number
  readonly received: List
  readonly sent: List
  /** Transactions to oneself; they stand in both lists. */
  readonly selfCount: number
}

/** How many transactions a user takes part in. */
export const countOf = ({ received, sent, selfCount }: Ends): number => received.count + sent.count - selfCount

/** Where walking from an end would pass more than this, searching for the place reads less. */
const searchedFrom = 1000

/**
 * What a user received or sent, by id, each once. Far from both ends the place in the two lists is searched for, in
 * steps that grow with the square of the logarithm of their lengths. Not so with transactions to oneself, of which
 * nobody knows how many stand before a place: then there is only the walk from the nearer end.
 */
export function sequenceOfParticipant(ends: Ends): Sequence {
  const { received, sent, selfCount } = ends
  if (received.count === 0) return sequenceOfList(sent)
  if (sent.count === 0) return sequenceOfList(received)
  const count = countOf(ends)
  return {
    count,
    slice(from, to) {
      const isFar = selfCount === 0 && Math.min(from, count - to) > searchedFrom
      const skipped = isFar ? split(received, sent, from) : { ofOne: 0, ofOther: 0, both: 0 }
      const passage = {
        count: count - skipped.both,
        up: () => merged(up(received, skipped.ofOne), up(sent, skipped.ofOther), Math.min),
        down: () => merged(down(received), down(sent), Math.max),
      }
      return cut(passage, from - skipped.both, to - skipped.both)
    },
  }
}

/** Ids of what a user received or sent, each once, ascending. */
export const idsOfParticipant = ({ received, sent }: Ends): Generator<number, void> =>
  merged(up(received, 0), up(sent, 0), Math.min)

/** How many of the first `both`, by id, of two lists stand in each; they have no id in common. */
function split(one: List, other: List, both: number) {
  let low = Math.max(0, both - other.count)
  let high = Math.min(both, one.count)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (idAt(one, middle + 1) < idAt(other, both - middle)) low = middle + 1
    else high = middle
  }
  return { ofOne: low, ofOther: both - low, both }
}

const up = (list: List, from: number) => ascending(list, list.links, from)
const down = (list: List) => descending(list, list.links)

/** Ids of two orders as one; `first` tells which of two ids comes first. */
export function* merged(one: Order, other: Order, first: (a: number, b: number) => number): Generator<number, void> {
  let [a, b] = [one.next().value?.id, other.next().value?.id]
  for (;;) {
    const id = a !== undefined && b !== undefined ? first(a, b) : (a ?? b)
    if (id === undefined) return
    yield id
    if (a === id) a = one.next().value?.id
    if (b === id) b = other.next().value?.id
  }
}

type Order = Iterator<Placed<Links>, undefined>
