import type { Database } from "bun:sqlite"
import { treeSize, treeSizes } from "./forest.ts"

/** One half of what a user takes part in. */
export type Side = "received" | "sent"

/** A place in a list: ids as in forest.ts. */
export interface Links {
  readonly prev: number
  readonly jump: number
}

/** A place with the value of its transaction, and the smallest or largest of the tree that it is the root of. */
export interface Bounded extends Links {
  readonly value: number
  readonly bound: number
}

/** A place with the user on the other side of its transaction. */
export interface Shared extends Links {
  readonly otherId: number
}

/** A list of forest.ts as it stood at one moment: what is added later does not change it. */
export interface ValueList {
  readonly count: number
  /** Id of the newest; 0 when there is none. */
  readonly last: number
  smallest(id: number): Bounded
  largest(id: number): Bounded
}

/** What one user received or sent. */
export interface List extends ValueList {
  readonly ownerId: number
  readonly side: Side
  links(id: number): Links
  other(id: number): Shared
}

export type Lists = ReturnType<typeof createLists>

/**
 * Lists are read by id, each way with the columns that it needs: two take 0.5 µs, a whole row twice that, and a
 * recursive query in SQL no less. Statements are raw here and in the other files of pages, where Drizzle's mapping
 * costs more than the work.
 */
export function createLists(client: Database) {
  const readings = { received: readingsOf("user", "from"), sent: readingsOf("from", "user") }
  const all = { smallest: boundOfAll("all_min"), largest: boundOfAll("all_max") }

  return {
    of: (side: Side, end: Pick<List, "ownerId" | "count" | "last">): List => ({ ...end, side, ...readings[side] }),
    all: (end: Pick<List, "count" | "last">): ValueList => ({ ...end, ...all }),
  }

  function readingsOf(own: string, other: string) {
    const links = `${own}_prev AS prev, ${own}_jump AS jump`
    return {
      links: reading<Links>(links),
      other: reading<Shared>(`${other}_id AS otherId, ${links}`),
      smallest: reading<Bounded>(`value, ${own}_min AS bound, ${links}`),
      largest: reading<Bounded>(`value, ${own}_max AS bound, ${links}`),
    }
  }

  /** Ids have no gaps, so that they are the ordinals of the list of all. */
  function boundOfAll(column: string) {
    const read = reading<Pick<Bounded, "value" | "bound">>(`value, ${column} AS bound`)
    return (id: number): Bounded => {
      const { value, bound } = read(id)
      return { value, bound, prev: id - 1, jump: id - treeSize(id) }
    }
  }

  function reading<Row>(columns: string) {
    const statement = client.prepare<Row, [number]>(`SELECT ${columns} FROM transactions WHERE id = ?`)
    return (id: number): Row => {
      const row = statement.get(id)
      if (!row) throw new Error(`transaction ${id}, which the lists name, is missing`)
      return row
    }
  }
}

export interface Placed<Place extends Links> {
  readonly id: number
  readonly place: Place
}

/** A tree of a list, by its root. */
export interface Tree<Place extends Links> extends Placed<Place> {
  readonly size: number
}

/** Id of number `ordinal`, the oldest being 1, in steps that grow with the logarithm of the list's length. */
export function idAt(list: List, ordinal: number): number {
  let id = list.last
  for (let at = list.count; at > ordinal; ) {
    const { prev, jump } = list.links(id)
    const size = treeSize(at)
    const jumps = at - size >= ordinal
    id = jumps ? jump : prev
    at -= jumps ? size : 1
  }
  return id
}

/** Id of the newest below `bound`, in as many steps; 0 when there is none. */
export function lastBefore(list: List, bound: number): number {
  let id = list.last
  while (id >= bound) {
    const { prev, jump } = list.links(id)
    id = jump >= bound ? jump : prev
  }
  return id
}

/** Places from the newest down. */
export function* descending<Place extends Links>(
  { last }: Pick<List, "last">,
  read: (id: number) => Place,
): Generator<Placed<Place>, undefined> {
  for (let id = last; id !== 0; ) {
    const place = read(id)
    yield { id, place }
    id = place.prev
  }
}

/** Places from number `from`, the oldest being 0, up: tree by tree, each from left to right. */
export function* ascending<Place extends Links>(
  list: Pick<List, "count" | "last">,
  read: (id: number) => Place,
  from = 0,
): Generator<Placed<Place>, undefined> {
  const waiting = treesOf(list, read)
  let skipped = 0
  for (let tree = waiting.pop(); tree; tree = waiting.pop()) {
    if (skipped + tree.size <= from) skipped += tree.size
    else if (tree.size === 1) yield tree
    else waiting.push({ ...tree, size: 1 }, ...branchesOf(tree, read))
  }
}

/** The trees of a list, the newest first. */
export function treesOf<Place extends Links>(
  { count, last }: Pick<List, "count" | "last">,
  read: (id: number) => Place,
): Tree<Place>[] {
  let id = last
  return [...treeSizes(count)].map((size) => {
    const tree = { id, place: read(id), size }
    id = tree.place.jump
    return tree
  })
}

/** The two trees under a root, the newer first. */
export function branchesOf<Place extends Links>(
  { place, size }: Tree<Place>,
  read: (id: number) => Place,
): [Tree<Place>, Tree<Place>] {
  const half = (size - 1) / 2
  const newer = read(place.prev)
  return [
    { id: place.prev, place: newer, size: half },
    { id: newer.jump, place: read(newer.jump), size: half },
  ]
}
