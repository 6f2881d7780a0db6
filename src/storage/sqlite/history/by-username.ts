import { idsOf, type Side } from "./blocks.ts"
import type { Direction, List, Lists, Participant, SideList } from "./lists.ts"
import type { People } from "./people.ts"
import type { Reading } from "./time-slices.ts"

/** A list up to this length is read whole and grouped. */
const groupedUpTo = 1000

/** What belongs to one username: a whole list, or ids in the direction of the reading, with pauses (undefined). */
type Group = List | Iterable<number | undefined>
/** One group after the other, in the order of usernames or against it; undefined is a pause. */
type Groups = Generator<Group | undefined>
type InDirection<T> = (direction: Direction) => T

export type ByUsername = ReturnType<typeof createByUsername>

/** Reads histories in the order of the receivers' usernames (side "received") or the senders' ("sent"), ties by id. */
export function createByUsername(lists: Lists, people: People) {
  return {
    everything: (side: Side) => (direction: Direction) => people.lists(side, direction),

    /** What one user received, by sender, or sent, by receiver. */
    ofSide: ({ received, sent, selfCount }: Participant, side: Side) => {
      const own = (direction: Direction) => (selfCount === 0 ? [] : lists.idsInCommon(received, sent, direction))
      return (direction: Direction) => groupsOf(side === "received" ? received : sent, own, direction)
    },

    /** What one user takes part in: the own list is one group; the other list is grouped by the user on the other side. */
    ofParticipant:
      ({ received, sent }: Participant, side: Side) =>
      (direction: Direction) =>
        side === "received" ? groupsOf(sent, () => received, direction) : groupsOf(received, () => sent, direction),

    slice,
  }

  /** Ids from number `from` up to but not including number `to`, of `count` in all, read from the nearer end. */
  function* slice(groups: InDirection<Groups>, count: number, from: number, to: number): Reading<number[]> {
    const direction = count - to < from ? "down" : "up"
    const found: number[] = []
    let skip = direction === "down" ? count - to : from
    for (const group of groups(direction)) {
      if (found.length === to - from) break
      if (group === undefined) yield
      else if ("side" in group) {
        const [start, end] = [Math.min(skip, group.count), Math.min(group.count, skip + to - from - found.length)]
        skip -= start
        if (start < end) found.push(...(yield* sliceOfList(group, direction, start, end)))
      } else
        for (const id of group) {
          if (id === undefined) yield
          else if (skip > 0) skip -= 1
          else found.push(id)
          if (found.length === to - from) break
        }
    }
    return direction === "down" ? found.reverse() : found
  }

  function* sliceOfList(list: List, direction: Direction, from: number, to: number): Reading<readonly number[]> {
    if (direction === "up") return yield* lists.slice(list, from, to)
    return (yield* lists.slice(list, list.count - to, list.count - from)).toReversed()
  }

  /**
   * Goes from user to user and reads what each has in common with the owner of `list`, which finds the first pages of a
   * long list at once. Where that would read more than the whole list, the rest comes from the list, read and grouped.
   * `own` is the group of the owner.
   */
  function* groupsOf(list: SideList, own: InDirection<Group>, direction: Direction): Groups {
    const done = new Set<number>()
    let read = 0
    if (list.count > groupedUpTo)
      for (const other of people.lists(list.side === "sent" ? "received" : "sent", direction)) {
        const isOwner = other.ownerId === list.ownerId
        read += isOwner ? 1 : 1 + Math.min(list.count, other.count)
        if (read > list.count) break
        done.add(other.ownerId)
        yield
        yield isOwner ? own(direction) : lists.idsInCommon(list, other, direction)
      }
    const groups = yield* idsByOther(list)
    const order = people.sorted([...groups.keys()])
    for (const userId of direction === "up" ? order : order.reverse()) {
      const ids = groups.get(userId) ?? []
      if (!done.has(userId)) yield userId === list.ownerId ? own(direction) : direction === "up" ? ids : ids.reverse()
    }
  }

  /** The whole list, ascending, by the user on the other side; the owner is always among them. */
  function* idsByOther(list: SideList): Reading<Map<number, number[]>> {
    const groups = new Map<number, number[]>([[list.ownerId, []]])
    for (const segment of lists.segments(list, "up")) {
      for (const { id, otherId } of lists.othersIn(list, idsOf(segment))) {
        const ids = groups.get(otherId)
        if (ids) ids.push(id)
        else groups.set(otherId, [id])
      }
      yield
    }
    return groups
  }
}
