import { currentTick, nextTick } from "../domain/ticks.ts"
import { createBoundedCache } from "../support/bounded-cache.ts"
import { forEverybody } from "../support/requester.ts"
import { one, type Reads } from "./database.ts"
import { fields, type RowOf, type Selected, type SQL, select, sql } from "./sql.ts"
import { accessChanges, ledgerState, serverStart } from "./tables.ts"

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

/** What is cached holds while the parts that it depends on stay the same. */
interface Version {
  /** Another one after a change of a user or the end of a session. */
  readonly access: string
  /** Another one after a change of the ledger or of a balance. */
  readonly ledger: string
}

const versionColumns = {
  accessRevision: sql<string>`${accessChanges.revision}::text`,
  ledgerRevision: sql<string>`${ledgerState.revision}::text`,
  startedAt: serverStart.at,
}
const versionRow = fields(versionColumns)
const versionTables = sql`${accessChanges} CROSS JOIN ${ledgerState} CROSS JOIN ${serverStart}`

type VersionRow = RowOf<typeof versionColumns>

/**
 * The start of the server is part of the version. After a failover, the users and sessions that were added last may be missing.
 * `access_changes` does not show that, because adding one does not change it.
 */
const versionOf = ({ accessRevision, ledgerRevision, startedAt }: VersionRow): Version => ({
  access: accessRevision + startedAt,
  ledger: ledgerRevision + startedAt,
})

export type Versions = ReturnType<typeof createVersions>

/** The version of the database, which any process may change. It is read once for all who ask in a tick. */
export function createVersions(reads: Reads) {
  let latest: Version = { access: "", ledger: "" }
  let readIn = -1

  const note = (row: VersionRow): Version => {
    latest = versionOf(row)
    readIn = currentTick()
    return latest
  }
  /** The version, if it was read in this tick. */
  const known = () => (readIn === currentTick() ? latest : null)
  const gathered = gatherByTick<"version", Version>(
    async () => new Map([["version", note(await one(reads, select(versionRow)`FROM ${versionTables}`))]]),
  )
  return { note, known, current: async () => known() ?? (await gathered("version")) ?? latest }
}

/** Rows in memory, about 1 KB each; beyond this number all are dropped. */
const maxCached = 10_000

interface CachedRows<Columns extends Selected> {
  readonly columns: Columns
  /** The rows with these keys, for a join: a table and the condition. */
  readonly join: (keys: readonly string[]) => SQL
  /** The field of a row that holds its key. */
  readonly key: keyof Columns & string
}

/**
 * Gathers like `gatherByTick`, and keeps the rows that it found while `Version.access` stays the same. Rows that are not in
 * memory are read with the version in one statement, and so from one snapshot.
 */
export function cacheByTick<Columns extends Selected>(
  reads: Reads,
  versions: Versions,
  { columns, join, key }: CachedRows<Columns>,
): (key: string) => Promise<RowOf<Columns> | null> {
  const withVersion = fields({ ...versionColumns, ...columns })
  const cached = new Map<unknown, RowOf<Columns>>()
  let cachedFor: string | undefined

  const gathered = gatherByTick<string, RowOf<Columns>>(async (keys) => {
    for (;;) {
      const missing = new Set(keys.filter((one) => !cached.has(one)))
      // When no row is missing, reads without the join: PostgreSQL would plan the join anew each time, 81 of 97 µs.
      if (missing.size === 0) keepFor((await versions.current()).access)
      else {
        const found = await reads.all(select(withVersion)`FROM ${versionTables} LEFT JOIN ${join([...missing])}`)
        const [first] = found
        if (first === undefined) throw new Error("the version of the database is missing")
        keepFor(versions.note(first as VersionRow).access)
        // When nothing was found, there is one row with only the version.
        for (const { accessRevision: _, ledgerRevision: __, startedAt: ___, ...row } of found)
          if (row[key as keyof typeof row])
            cached.set(row[key as keyof typeof row], Object.freeze(row) as RowOf<Columns>)
      }
      const isDropped = keys.some((one) => !cached.has(one) && !missing.has(one))
      if (!isDropped) return new Map(keys.map((one) => [one, cached.get(one)]))
    }
  })
  return async (key) => (versions.known()?.access === cachedFor ? cached.get(key) : undefined) ?? gathered(key)

  function keepFor(version: string) {
    if (version !== cachedFor || cached.size > maxCached) cached.clear()
    cachedFor = version
  }
}

/** Keeps what was read while the version stays the same. `maxSize` bounds the sum of `sizeOf`. */
export function cacheByVersion<Value>(versions: Versions, maxSize: number, sizeOf: (value: Value) => number) {
  let cached = createBoundedCache<string, Value>(maxSize, sizeOf)
  let cachedFor = ""

  return async (key: string, read: () => Promise<Value>): Promise<Value> => {
    const { access, ledger } = await versions.current()
    const version = `${access} ${ledger}`
    if (version !== cachedFor) cached = createBoundedCache(maxSize, sizeOf)
    cachedFor = version
    const known = cached.get(key)
    if (known !== undefined) return known
    const value = await read()
    if (version === cachedFor) cached.set(key, value)
    return value
  }
}
