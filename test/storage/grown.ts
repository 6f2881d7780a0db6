import { append, type Tree } from "../../src/storage/sqlite/forest.ts"
import type { List } from "../../src/storage/sqlite/lists.ts"

interface Entry {
  readonly id: number
  readonly value: number
}

/** A list of user 1 in memory, grown entry by entry, ids ascending; `reads` counts how many places were read. */
export function grown(entries: readonly Entry[]): List & { readonly reads: number } {
  const trees: Tree[] = []
  const places = new Map(entries.map(({ id, value }) => [id, { ...append(trees, id, value), value, otherId: 2 }]))
  let reads = 0
  const read = (id: number) => {
    reads += 1
    const place = places.get(id)
    if (!place) throw new Error(`${id} is not in the list`)
    return place
  }
  const bounded = (of: "min" | "max") => (id: number) => {
    const { value, prev, jump, [of]: bound } = read(id)
    return { value, prev, jump, bound }
  }
  return {
    ownerId: 1,
    side: "received",
    count: entries.length,
    last: entries.at(-1)?.id ?? 0,
    links: read,
    other: read,
    smallest: bounded("min"),
    largest: bounded("max"),
    get reads() {
      return reads
    },
  }
}
