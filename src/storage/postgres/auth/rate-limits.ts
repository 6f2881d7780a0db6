import { maxWindows } from "../../../domain/auth/rate-limiter.ts"
import type { CountedEvent, RateLimit } from "../../../domain/model.ts"
import type { RateLimitStore } from "../../../domain/store.ts"
import type { Client, Queries, Transaction } from "../database/client.ts"
import { createPruning } from "../database/pruning.ts"

interface Window extends CountedEvent {
  readonly count: number
}

export function createRateLimitStore(client: Client): RateLimitStore {
  return {
    fullUntil: async (limits, now) => fullUntil(await openWindows(client, limits, now)),

    async count(limits, now) {
      // Checked without a lock first, so that a flood of refused attempts does not queue for it.
      const until = fullUntil(await openWindows(client, limits, now))
      if (until !== null) return { fullUntil: until, counted: [] }
      return client.transaction(async (tx) => {
        lock(tx, limits)
        const windows = await openWindows(tx, limits, now)
        const until = fullUntil(windows)
        if (until !== null) return { fullUntil: until, counted: [] }
        return { fullUntil: null, counted: countIn(tx, windows, now) }
      })
    },

    takeBack: (events) =>
      client.transaction(async (tx) => {
        lock(tx, events)
        tx.send(
          `UPDATE rate_limits AS w SET count = count - 1
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS event (kind, key, ends_at)
           WHERE w.kind = event.kind AND w.key = event.key AND w.ends_at = event.ends_at`,
          [events.map(({ kind }) => kind), events.map(({ key }) => key), events.map(({ endsAt }) => endsAt)],
        )
      }),

    prune: createPruning(client, { table: "rate_limits", key: "kind, key", condition: "ends_at <= $1" }),
  }
}

/** A limit with its window; null when none is open. */
interface LimitedWindow {
  readonly limit: RateLimit
  readonly window: Window | null
}

/** Locks the keys, always in the same order, so that two attempts cannot deadlock. */
function lock({ send }: Transaction, keys: readonly Pick<RateLimit, "kind" | "key">[]) {
  const names = keys.map(({ kind, key }) => `rewards ${kind} ${key}`).sort()
  send("SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name", [names])
}

async function openWindows(
  { query }: Queries,
  limits: readonly RateLimit[],
  now: number,
): Promise<readonly LimitedWindow[]> {
  const windows = await query<Window>(
    `SELECT kind, key, count, ends_at AS "endsAt" FROM rate_limits
     WHERE (kind, key) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND ends_at > $3`,
    [limits.map(({ kind }) => kind), limits.map(({ key }) => key), now],
  )
  return limits.map((limit) => {
    const window = windows.find(({ kind, key }) => kind === limit.kind && key === limit.key)
    return { limit, window: window && window.endsAt <= now + 2 * limit.windowMs ? window : null }
  })
}

function fullUntil(windows: readonly LimitedWindow[]): number | null {
  const ends = windows.flatMap(({ limit, window }) => (window && window.count >= limit.max ? [window.endsAt] : []))
  return ends.length === 0 ? null : Math.max(...ends)
}

function countIn({ send }: Transaction, windows: readonly LimitedWindow[], now: number): readonly CountedEvent[] {
  const counted = windows.map(({ limit: { kind, key, windowMs }, window }) => ({
    kind,
    key,
    count: (window?.count ?? 0) + 1,
    endsAt: window?.endsAt ?? now + windowMs,
  }))
  send(
    `INSERT INTO rate_limits (kind, key, count, ends_at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
     ON CONFLICT (kind, key) DO UPDATE SET count = excluded.count, ends_at = excluded.ends_at`,
    [
      counted.map(({ kind }) => kind),
      counted.map(({ key }) => key),
      counted.map(({ count }) => count),
      counted.map(({ endsAt }) => endsAt),
    ],
  )
  for (const kind of new Set(windows.filter(({ window }) => window === null).map(({ limit }) => limit.kind)))
    send(
      `DELETE FROM rate_limits WHERE (kind, key) IN
         (SELECT kind, key FROM rate_limits WHERE kind = $1 ORDER BY ends_at DESC OFFSET ${maxWindows})`,
      [kind],
    )
  return counted.map(({ kind, key, endsAt }) => ({ kind, key, endsAt }))
}
