import { currentTick, nextTick } from "../domain/ticks.ts"
import { forEverybody } from "../support/requester.ts"
import { one, type Reads } from "./database.ts"
import { fields, type RowOf, type Selected, type SQL, select, sql } from "./sql.ts"
import { accessChanges, serverStart } from "./tables.ts"

/**
 * Gathers the keys that callers ask for in one tick of the event loop into one read. Returns null for a key that it
 * does not find. Keys that are asked for twice are read once.
 */
export function gatherByTick<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value | undefined>>,
): (key: Key) => Promise<Value | null> {
  let waiting: { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<Key, Value | undefined>> } | null = null

  return async (key) => {
    if (waiting === null) {
      const keys = new Set<Key>()
      const found = forEverybody(async () => {
        await nextTick()
        waiting = null
        return read([...keys])
      })
      waiting = { keys, found }
    }
    waiting.keys.add(key)
    return (await waiting.found).get(key) ?? null
  }
}

/** Rows in memory, about 1 KB each; beyond this number all are dropped. */
const maxCached = 10_000

/**
 * The start of the server is part of the revision. After a failover, the users and sessions that were added last may be missing.
 * `access_changes` does not show that, because adding one does not change it.
 */
const revisionColumn = sql<string>`${accessChanges.revision}::text || ${serverStart.at}`
const revision = fields({ cacheRevision: revisionColumn })

const readRevision = select(revision)`FROM ${accessChanges} CROSS JOIN ${serverStart}`

/** The revision, read once for all who ask in a tick. */
export function createRevision(reads: Reads): () => Promise<string> {
  const gathered = gatherByTick(async (keys: readonly "revision"[]) => {
    const found = await one(reads, readRevision)
    return new Map(keys.map((key) => [key, found.cacheRevision]))
  })
  return async () => (await gathered("revision")) ?? ""
}

interface CachedRows<Columns extends Selected> {
  readonly columns: Columns
  /** The rows with these keys, for a join: a table and the condition. */
  readonly join: (keys: readonly string[]) => SQL
  /** The field of a row that holds its key. */
  readonly key: keyof Columns & string
}

/**
 * Gathers like `gatherByTick`, and keeps the rows that it found until a commit of any process changes a user or ends a
 * session, or another server answers, which changes the revision. A tick reads the revision, and only the rows that are not
 * in memory, in one statement and so from one snapshot.
 */
export function cacheByTick<Columns extends Selected>(
  reads: Reads,
  { columns, join, key }: CachedRows<Columns>,
): (key: string) => Promise<RowOf<Columns> | null> {
  const withRevision = fields({ cacheRevision: revisionColumn, ...columns })
  const cached = new Map<unknown, RowOf<Columns>>()
  let cachedRevision: string | undefined
  /** The tick in which the revision was read last. */
  let readIn = -1

  const gathered = gatherByTick<string, RowOf<Columns>>(async (keys) => {
    for (;;) {
      const missing = new Set(keys.filter((one) => !cached.has(one)))
      // When no row is missing, reads without the join: PostgreSQL would plan the join anew each time, 81 of 97 µs.
      const found: readonly Record<string, unknown>[] = await (missing.size === 0
        ? reads.all(readRevision)
        : reads.all(
            select(withRevision)`FROM ${accessChanges} CROSS JOIN ${serverStart} LEFT JOIN ${join([...missing])}`,
          ))
      const current = String(found[0]?.cacheRevision)
      if (current !== cachedRevision || cached.size > maxCached) cached.clear()
      cachedRevision = current
      readIn = currentTick()
      // When nothing was asked for or found, there is one row with only the revision.
      for (const { cacheRevision: _, ...row } of found)
        if (row[key]) cached.set(row[key], Object.freeze(row) as RowOf<Columns>)
      const isDropped = keys.some((one) => !cached.has(one) && !missing.has(one))
      if (!isDropped) return new Map(keys.map((one) => [one, cached.get(one)]))
    }
  })
  return async (key) => (readIn === currentTick() ? cached.get(key) : undefined) ?? gathered(key)
}
