import { createCounter } from "./counter.ts"

/** What waits, and for whom: a caller by any name, or undefined for the server itself. */
interface Waiting {
  readonly who: string | undefined
}

/**
 * A fair queue for work that waits while all places are taken. The caller with the fewest items under way is served next. Among
 * equals it is the caller who was served least recently. The items of one caller keep their order.
 */
export function createFairQueue<Item extends Waiting>() {
  /** Whoever was next last comes last. */
  const waiting = new Map<Item["who"], Set<Item>>()
  const underway = createCounter<Item["who"]>()
  let size = 0

  return {
    size: () => size,
    all: (): Item[] => [...waiting.values()].flatMap((own) => [...own]),
    add(item: Item) {
      size += 1
      const own = waiting.get(item.who)
      if (own) own.add(item)
      else waiting.set(item.who, new Set([item]))
    },
    /** Returns false when the item no longer waits. */
    remove(item: Item): boolean {
      const own = waiting.get(item.who)
      if (!own?.delete(item)) return false
      size -= 1
      if (own.size === 0) waiting.delete(item.who)
      return true
    },
    /** The next one, which is under way until it is `done`. */
    next(): Item | undefined {
      const found = nextCaller()
      if (found === undefined) return undefined
      const [who, own] = found
      const [item] = own
      if (item === undefined) return undefined
      own.delete(item)
      waiting.delete(who)
      if (own.size > 0) waiting.set(who, own)
      size -= 1
      underway.add(who)
      return item
    },
    done: ({ who }: Item) => underway.remove(who),
  }

  function nextCaller() {
    let next: [Item["who"], Set<Item>] | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const entry of waiting) {
      const count = underway.of(entry[0])
      if (count >= fewest) continue
      fewest = count
      next = entry
      if (count === 0) break
    }
    return next
  }
}
