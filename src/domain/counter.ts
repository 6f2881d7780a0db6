/** Counts by key, such as requests in progress by caller. Keys with a count of 0 take no memory. */
export function createCounter<Key = string>() {
  const counts = new Map<Key, number>()
  const of = (key: Key): number => counts.get(key) ?? 0

  return {
    of,
    add(key: Key) {
      counts.set(key, of(key) + 1)
    },
    remove(key: Key) {
      const left = of(key) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
  }
}
