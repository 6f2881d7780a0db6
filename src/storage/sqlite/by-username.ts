import { descending, type List, type Side } from "./lists.ts"
import { type Direction, idsInCommon, idsOfPair } from "./pairs.ts"
import { countOf, type Ends } from "./participant.ts"
import type { People } from "./people.ts"
import { atOnce, type Reading, type Sequence, sequenceOf, sequenceOfList, stride } from "./sequences.ts"

/** A list up to this length is read whole and sorted. */
const sortedUpTo = 1000

/** What belongs to one user: all of it by its count, or ids in the direction of the reading. */
type Group = Sequence | Iterable<number | undefined>
/** User after user, in the order of usernames or against it; undefined is a rest. */
type Groups = Generator<Group | undefined, void>

/** Everything by the receivers' usernames (`side` is received) or the senders' (sent), then id. */
export const sequenceOfAllByUsername = (people: People, side: Side, count: number): Sequence =>
  sequenceOfGroups(count, function* (direction) {
    for (const list of people.lists(side, direction)) yield sequenceOfList(list)
  })

/** One user's list of sent by the receivers' usernames, or of received by the senders', then id. */
export function sequenceOfListByUsername(people: People, ends: Ends, side: Side): Sequence {
  const own = function* () {
    return sequenceOf(yield* idsOfPair(ends.sent, ends.received, ends.selfCount))
  }
  return sequenceOfGroups(ends[side].count, (direction) => groupsOf({ people, list: ends[side], own, direction }))
}

/** What one user received or sent, by the receivers' usernames (`side` is received) or the senders' (sent), then id. */
export function sequenceOfParticipantByUsername(people: People, ends: Ends, side: Side): Sequence {
  const list = side === "received" ? ends.sent : ends.received
  const own = () => atOnce(sequenceOfList(ends[side]))
  return sequenceOfGroups(countOf(ends), (direction) => groupsOf({ people, list, own, direction }))
}

interface Grouping {
  readonly people: People
  /** What is grouped by the username on the other side. */
  readonly list: List
  /** What stands in the place of the owner's own group. */
  readonly own: () => Reading<Sequence>
  readonly direction: Direction
}

/**
 * Goes from user to user and reads what each has in common with the owner, which brings the first pages of a long list
 * at once. Where that would read more than the whole list, the rest comes from the list read whole and sorted.
 */
function* groupsOf({ people, list, own, direction }: Grouping): Groups {
  const done = new Set<number>()
  let read = 0
  if (list.count > sortedUpTo)
    for (const other of people.lists(list.side === "sent" ? "received" : "sent", direction)) {
      const isOwner = other.ownerId === list.ownerId
      read += isOwner ? 1 : 1 + Math.min(list.count, other.count)
      if (read > list.count) break
      done.add(other.ownerId)
      yield
      yield isOwner ? yield* own() : idsInCommon(list, other, direction)
    }
  const groups = yield* idsByOther(list)
  const order = people.sorted([...groups.keys()])
  for (const userId of direction === "up" ? order : order.reverse())
    if (!done.has(userId)) yield userId === list.ownerId ? yield* own() : sequenceOf(groups.get(userId) ?? [])
}

/** Ids of the whole list, ascending, by the user on the other side; the owner is among them in any case. */
function* idsByOther(list: List): Reading<Map<number, number[]>> {
  const groups = new Map<number, number[]>([[list.ownerId, []]])
  let met = 0
  for (const { id, place } of descending(list, list.other)) {
    const ids = groups.get(place.otherId)
    if (ids) ids.push(id)
    else groups.set(place.otherId, [id])
    met += 1
    if (met % stride === 0) yield
  }
  for (const ids of groups.values()) ids.reverse()
  return groups
}

/** Groups as one sequence of `count`, entered from the nearer end. */
const sequenceOfGroups = (count: number, groups: (direction: Direction) => Groups): Sequence => ({
  count,
  *slice(from, to) {
    const isNearEnd = count - to < from
    const kept: number[] = []
    let skip = isNearEnd ? count - to : from
    for (const group of groups(isNearEnd ? "down" : "up")) {
      if (kept.length === to - from) break
      if (group === undefined) yield
      else if ("slice" in group) {
        const start = Math.min(skip, group.count)
        const end = Math.min(group.count, skip + to - from - kept.length)
        if (start < end) kept.push(...(yield* isNearEnd ? sliceDown(group, start, end) : group.slice(start, end)))
        skip -= start
      } else
        for (const id of group) {
          if (id === undefined) yield
          else if (skip > 0) skip -= 1
          else kept.push(id)
          if (kept.length === to - from) break
        }
    }
    return isNearEnd ? kept.reverse() : kept
  },
})

/** A slice counted from the end, descending. */
function* sliceDown({ count, slice }: Sequence, from: number, to: number): Reading<readonly number[]> {
  return (yield* slice(count - to, count - from)).toReversed()
}
