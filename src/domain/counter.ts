/** Counts by key, such as requests in progress by caller. Keys with a count of 0 take no memory. */
export function createCounter() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0

  return {
    of,
    add(key: string) {
      counts.set(key, of(key) + 1)
    },
    remove(key: string) {
      const left = of(key) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
  }
}
