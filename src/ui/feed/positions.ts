/** How many places there are from one transaction to the next (docs/interface/occasions.md). */
const perTransaction = 2 ** 20

/** The place of an entry in the order of the feed. The id of an occasion is negative, and says its place. */
export const positionOf = (id: number): number => (id < 0 ? -id : id * perTransaction)

/** The id that the server knows for a place. */
export const idAt = (position: number): number =>
  position % perTransaction === 0 ? position / perTransaction : -position

/** A place before an entry and after the ones before it. */
export const placeBefore = (id: number): number => (id < 0 ? -id - 1 : positionOf(id - 1))

/** The parameter `before` of the page that begins with this entry, whose transfers have `ids` ids. */
export const beforeOf = (id: number, ids: number): number => (id < 0 ? id - 1 : id + ids)

export const byPosition = (one: { readonly id: number }, other: { readonly id: number }): number =>
  positionOf(one.id) - positionOf(other.id)
