import { maxWindows } from "../../../domain/auth/rate-limiter.ts"
import type { CountedEvent, RateLimit } from "../../../domain/model.ts"
import type { RateLimitStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createPruning } from "../database/pruning.ts"

interface Window {
  readonly count: number
  readonly endsAt: number
}

export function createRateLimitStore({ client, write }: Connection): RateLimitStore {
  const find = client.prepare<Window, [string, string]>(
    "SELECT count, ends_at AS endsAt FROM rate_limits WHERE kind = ? AND key = ?",
  )
  const save = client.prepare(
    `INSERT INTO rate_limits (kind, key, count, ends_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET count = excluded.count, ends_at = excluded.ends_at`,
  )
  const forgetOldest = client.prepare(
    `DELETE FROM rate_limits WHERE (kind, key) IN
       (SELECT kind, key FROM rate_limits WHERE kind = ? ORDER BY ends_at DESC LIMIT -1 OFFSET ${maxWindows})`,
  )
  const takeOne = client.prepare("UPDATE rate_limits SET count = count - 1 WHERE kind = ? AND key = ? AND ends_at = ?")

  return {
    fullUntil: async (limits, now) => fullUntil(limits, now),

    async count(limits, now) {
      // Checked without the write lock first: a flood of refused attempts must not block writers.
      const until = fullUntil(limits, now)
      if (until !== null) return { fullUntil: until, counted: [] }
      return write(() => {
        const until = fullUntil(limits, now)
        if (until !== null) return { fullUntil: until, counted: [] }
        return { fullUntil: null, counted: limits.map((limit) => countIn(limit, now)) }
      })
    },

    async takeBack(events) {
      await write(() => {
        for (const { kind, key, endsAt } of events) takeOne.run(kind, key, endsAt)
      })
    },

    prune: createPruning({ client, write }, { table: "rate_limits", key: "kind, key", condition: "ends_at <= ?1" }),
  }

  function fullUntil(limits: readonly RateLimit[], now: number): number | null {
    const full = limits.flatMap((limit) => {
      const window = windowOf(limit, now)
      return window && window.count >= limit.max ? [window.endsAt] : []
    })
    return full.length === 0 ? null : Math.max(...full)
  }

  function windowOf({ kind, key, windowMs }: RateLimit, now: number): Window | null {
    const window = find.get(kind, key)
    return window && window.endsAt > now && window.endsAt <= now + 2 * windowMs ? window : null
  }

  function countIn(limit: RateLimit, now: number): CountedEvent {
    const { kind, key, windowMs } = limit
    const window = windowOf(limit, now)
    const endsAt = window?.endsAt ?? now + windowMs
    save.run(kind, key, (window?.count ?? 0) + 1, endsAt)
    if (window === null) forgetOldest.run(kind)
    return { kind, key, endsAt }
  }
}
