/**
 * Gathers the keys that are asked for in one tick of the event loop into one read. Returns null for a key that it does not
 * find. Keys that are asked for twice are read once.
 */
export function gatherByTick<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value | undefined>>,
): (key: Key) => Promise<Value | null> {
  let waiting: { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<Key, Value | undefined>> } | null = null

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

/** Values in memory, about 1 KB each; beyond this number all are dropped. */
const maxCached = 10_000

/**
 * The revision, to select from `access_changes`. The start of the server is a part of it: after a failover, users and sessions
 * that were added last may be missing, and adding one leaves `access_changes` as it is.
 */
export const accessRevision = "concat(revision, ' ', pg_postmaster_start_time())"

/** What one statement found, so that both are of one snapshot. */
interface Found<Key, Value> {
  /** `accessRevision` */
  readonly revision: string | undefined
  readonly values: ReadonlyMap<Key, Value>
}

/**
 * Gathers like `gatherByTick`, and keeps what it found until a commit of any process changes a user or ends a session, or
 * another server answers, which changes the revision. A tick reads the revision, and only the values that are not in memory.
 */
export function cacheByTick<Key, Value extends object>(
  read: (keys: readonly Key[]) => Promise<Found<Key, Value>>,
): (key: Key) => Promise<Value | null> {
  const cached = new Map<Key, Value>()
  let cachedRevision: string | undefined

  return gatherByTick(async (keys) => {
    for (;;) {
      const missing = new Set(keys.filter((key) => !cached.has(key)))
      const { revision, values } = await read([...missing])
      if (revision !== cachedRevision || cached.size > maxCached) cached.clear()
      cachedRevision = revision
      for (const [key, value] of values) cached.set(key, Object.freeze(value))
      const isDropped = keys.some((key) => !cached.has(key) && !missing.has(key))
      if (!isDropped) return new Map(keys.map((key) => [key, cached.get(key)]))
    }
  })
}
