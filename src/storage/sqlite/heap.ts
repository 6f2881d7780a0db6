/** A queue whose first is the one that comes before all others; of those that come before none of each other, any. */
export function createHeap<T extends object>(comesBefore: (a: T, b: T) => boolean) {
  const items: T[] = []

  return {
    push(item: T) {
      let at = items.push(item) - 1
      while (at > 0) {
        const above = (at - 1) >> 1
        const parent = items[above]
        if (!parent || !comesBefore(item, parent)) break
        items[at] = parent
        at = above
      }
      items[at] = item
    },

    pop(): T | undefined {
      const first = items[0]
      const last = items.pop()
      if (last && items.length > 0) sink(last)
      return first
    },
  }

  /** Puts `item` in the place of the first, and then where it belongs. */
  function sink(item: T) {
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = items[below]
      const sibling = items[below + 1]
      if (child && sibling && comesBefore(sibling, child)) {
        child = sibling
        below += 1
      }
      if (!child || !comesBefore(child, item)) break
      items[at] = child
      at = below
    }
    items[at] = item
  }
}
