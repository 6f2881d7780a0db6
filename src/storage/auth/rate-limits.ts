import type { CountedEvent, RateLimit } from "../../domain/auth/model.ts"
import type { RateLimitStore } from "../../domain/auth/ports.ts"
import { maxWindows } from "../../domain/auth/rate-limiter.ts"
import type { Database, Reads, Tx } from "../database.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, records, row, select, sql } from "../sql.ts"
import { rateLimits } from "../tables.ts"

const open = fields(columnsOf(rateLimits))

export function createRateLimitStore(db: Database): RateLimitStore {
  return {
    fullUntil: async (limits, now) => fullUntil(await openWindows(db, limits, now)),

    async count(limits, now) {
      // Checked without the write lock first: a flood of refused attempts must not block writers.
      const until = fullUntil(await openWindows(db, limits, now))
      if (until !== null) return { fullUntil: until, counted: [] }
      return db.write(async (tx) => {
        tx.lock(...limits.map(nameOf))
        const windows = await openWindows(tx, limits, now)
        const until = fullUntil(windows)
        if (until !== null) return { fullUntil: until, counted: [] }
        return { fullUntil: null, counted: countIn(tx, windows, now) }
      })
    },

    takeBack: (events) =>
      db.write(async (tx) => {
        tx.lock(...events.map(nameOf))
        for (const { kind, key, endsAt } of events)
          tx.send(sql`UPDATE ${rateLimits} SET count = count - 1
            WHERE ${rateLimits.kind} = ${kind} AND ${rateLimits.key} = ${key} AND ${rateLimits.endsAt} = ${endsAt}`)
      }),

    prune: (now) =>
      prune(db, {
        table: rateLimits,
        condition: sql`${rateLimits.endsAt} <= ${now}`,
      }),
  }
}

/** A limit with its window; undefined when none is open. */
interface LimitedWindow {
  readonly limit: RateLimit
  readonly window: { readonly count: number; readonly endsAt: number } | undefined
}

const nameOf = ({ kind, key }: Pick<RateLimit, "kind" | "key">) => `${kind} ${key}`

async function openWindows(reads: Reads, limits: readonly RateLimit[], now: number): Promise<readonly LimitedWindow[]> {
  const asked = limits.map(({ kind, key }) => ({ kind, key }))
  const windows = await reads.all(
    select(open)`FROM ${records("asked", asked, { kind: "text", key: "text" })}
      JOIN ${rateLimits} ON ${rateLimits.kind} = asked.kind AND ${rateLimits.key} = asked.key
      WHERE ${rateLimits.endsAt} > ${now}`,
  )
  return limits.map((limit) => {
    const window = windows.find(({ kind, key }) => kind === limit.kind && key === limit.key)
    return { limit, window: window && window.endsAt <= now + 2 * limit.windowMs ? window : undefined }
  })
}

function fullUntil(windows: readonly LimitedWindow[]): number | null {
  const ends = windows.flatMap(({ limit, window }) => (window && window.count >= limit.max ? [window.endsAt] : []))
  return ends.length === 0 ? null : Math.max(...ends)
}

function countIn(tx: Tx, windows: readonly LimitedWindow[], now: number): readonly CountedEvent[] {
  const counted = windows.map(({ limit: { kind, key, windowMs }, window }) => ({
    kind,
    key,
    count: (window?.count ?? 0) + 1,
    endsAt: window?.endsAt ?? now + windowMs,
  }))
  for (const one of counted)
    tx.send(sql`INSERT INTO ${rateLimits} ${row(rateLimits, one)}
      ON CONFLICT (kind, key) DO UPDATE SET count = excluded.count, ends_at = excluded.ends_at`)
  for (const kind of new Set(windows.filter(({ window }) => !window).map(({ limit }) => limit.kind)))
    tx.send(sql`DELETE FROM ${rateLimits} WHERE (kind, key) IN
      (SELECT kind, key FROM ${rateLimits} WHERE ${rateLimits.kind} = ${kind}
       ORDER BY ends_at DESC LIMIT 1000000000 OFFSET ${maxWindows})`)
  return counted.map(({ kind, key, endsAt }) => ({ kind, key, endsAt }))
}
