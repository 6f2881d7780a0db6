/**
 * Gathers the keys that are asked for in one tick of the event loop into one read. Returns null for a key that it does not
 * find. Keys that are asked for twice are read once.
 */
export function gatherByTick<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  let waiting: { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<Key, Value>> } | null = null

  return async (key) => {
    if (waiting === null) {
      const keys = new Set<Key>()
      const found = new Promise((resolve) => setImmediate(resolve)).then(() => {
        waiting = null
        return read([...keys])
      })
      waiting = { keys, found }
    }
    waiting.keys.add(key)
    return (await waiting.found).get(key) ?? null
  }
}
