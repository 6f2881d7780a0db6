/** How many there are of each at this moment; holds nothing of which there is none. */
export function createCount() {
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
