import { idsOf, type Side } from "./blocks.ts"
import type { Direction, Ids, List, Lists, Order, Participant, Reading, SideList } from "./lists.ts"
import type { People } from "./records.ts"

/** A list up to this length is read whole and grouped. */
const groupedUpTo = 1000

/** All ids of one username: a list, or ids in the direction of the read, with pauses (undefined). */
type Group = List | Iterable<number | undefined>
/** Groups in the order of usernames, or in reverse; undefined is a pause. */
type Groups = Generator<Group | undefined>
type InDirection<T> = (direction: Direction) => T

/** Histories in the order of the receivers' usernames (side "received") or the senders' ("sent"), ties by id. */
export function createByUsername(lists: Lists, people: People) {
  return {
    everything: (side: Side) => inOrder((direction) => people.lists(side, direction)),

    /** What one user received, by sender, or sent, by receiver. */
    ofSide({ received, sent, selfCount }: Participant, side: Side) {
      const own = (direction: Direction) => (selfCount === 0 ? [] : lists.idsInCommon(received, sent, direction))
      return inOrder((direction) => groupsOf(side === "received" ? received : sent, own, direction))
    },

    /** What one user takes part in: the own list is one group; the other list is grouped by the user on the other side. */
    ofParticipant({ received, sent }: Participant, side: Side) {
      const [own, other] = side === "received" ? [received, sent] : [sent, received]
      return inOrder((direction) => groupsOf(other, () => own, direction))
    },
  }

  function inOrder(groups: InDirection<Groups>): Order {
    return function* (direction, skip): Ids {
      let left = skip
      for (const group of groups(direction)) {
        if (group === undefined) yield
        else if ("side" in group) {
          if (left < group.count) yield* lists.idsIn(group, direction, left)
          left = Math.max(0, left - group.count)
        } else
          for (const id of group) {
            if (id !== undefined && left > 0) left -= 1
            else yield id
          }
      }
    }
  }

  /**
   * Goes from user to user and reads what each has in common with the owner of `list`: this finds the first pages of a long
   * list fast. Once that has read more than the whole list would take, the rest comes from reading and grouping the list.
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
