import { countOf, type Direction, type Ids, type List, type Lists } from "./lists.ts"
import type { ListOwners } from "./records.ts"

/** A list up to this length is read whole and grouped. */
const groupedUpTo = 1000

/** The transactions of one username: as lists, or as ids in the direction of the read. */
type Group = { readonly lists: readonly List[] } | { readonly ids: Ids }

const pause: Group = { ids: [[]] }

/**
 * Reads the list of everything, or lists of one user, in the order of the receivers' or the senders' usernames; equal ones
 * by id.
 */
export function createByUsername(lists: Lists, owners: ListOwners) {
  return function* (of: readonly List[], field: "receiver" | "sender", direction: Direction, skip: number): Ids {
    let left = skip
    for (const group of groupsOf(of, field, direction))
      if ("lists" in group) {
        const count = countOf(group.lists)
        if (left < count) yield* lists.idsIn(group.lists, direction, left)
        left = Math.max(0, left - count)
      } else
        for (const ids of group.ids) {
          yield ids.slice(left)
          left = Math.max(0, left - ids.length)
        }
  }

  /** One group for each user, in the order of usernames, or in reverse. */
  function* groupsOf(of: readonly List[], field: "receiver" | "sender", direction: Direction): Iterable<Group> {
    const [side, otherSide] = field === "receiver" ? (["received", "sent"] as const) : (["sent", "received"] as const)
    const all = of.find((list) => list.side === "all")
    if (all)
      for (const user of owners.inOrder(direction)) {
        yield pause
        yield { lists: [user[side], user.self].map((list) => lists.asOf(list, all.last)) }
      }
    const own = { lists: of.filter((list) => list.side !== otherSide && list !== all) }
    const list = of.find((list) => list.side === otherSide)
    if (list) yield* byOther(list, side, own, direction)
    else yield own
  }

  /**
   * Groups a list by the users on its other side; `own` is the group of its owner. Goes from user to user and reads the
   * entries that the list shares with each of them, which finds the first pages of a long list fast. Once this has read
   * more entries than the list has, it reads the whole list and groups the rest.
   */
  function* byOther(list: List, side: "received" | "sent", own: Group, direction: Direction): Iterable<Group> {
    const done = new Set<number>()
    let read = 0
    if (list.count > groupedUpTo)
      for (const user of owners.inOrder(direction)) {
        const isOwner = user.ownerId === list.ownerId
        read += 1 + (isOwner ? 0 : Math.min(list.count, user[side].count))
        if (read > list.count) break
        done.add(user.ownerId)
        yield pause
        yield isOwner ? own : { ids: lists.idsInCommon(list, user[side], direction) }
      }
    const groups = new Map<number, number[]>([[list.ownerId, []]])
    for (const ids of lists.idsIn([list], direction)) {
      for (const { id, otherId } of lists.othersIn(list, ids)) {
        const group = groups.get(otherId)
        if (group) group.push(id)
        else groups.set(otherId, [id])
      }
      yield pause
    }
    const order = owners.sorted([...groups.keys()])
    for (const userId of direction === "up" ? order : order.reverse())
      if (!done.has(userId)) yield userId === list.ownerId ? own : { ids: [groups.get(userId) ?? []] }
  }
}
