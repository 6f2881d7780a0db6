/** What was put in last, up to `most` in all by `sizeOf`, or in number: the oldest make room. */
export interface Latest<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

export function createLatest<Key, Value>(most: number, sizeOf: (value: Value) => number = () => 1): Latest<Key, Value> {
  const kept = new Map<Key, Value>()
  let size = 0

  return {
    get: (key) => kept.get(key),
    set(key, value) {
      remove(key)
      kept.set(key, value)
      size += sizeOf(value)
      for (const oldest of kept.keys()) {
        if (size <= most) break
        remove(oldest)
      }
    },
    delete: remove,
  }

  function remove(key: Key) {
    const value = kept.get(key)
    if (value !== undefined && kept.delete(key)) size -= sizeOf(value)
  }
}
