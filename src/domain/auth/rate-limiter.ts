import type { Clock } from "../clock.ts"
import { isOutage } from "../errors.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import type { CountedEvent, CountResult, RateLimit } from "./model.ts"

/** How many windows of one kind are stored. Without this limit, an attacker could fill the store with invented keys. */
export const maxWindows = 10_000

interface Dependencies {
  readonly store: Pick<Store, "rateLimits">
  readonly clock: Clock
  /** Keys are stored as hashes with this secret, because what people type as their username may be a password. */
  readonly secret: string
}

/** Counted events. `takeBack` removes them from their windows, unless the windows are over. */
export interface CountedEvents {
  takeBack(): Promise<void>
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

/**
 * Counts events by key in fixed windows, for all processes together and across restarts. While the store cannot be
 * written, each process counts in memory, so that log-ins remain possible and limited.
 */
export function createRateLimiter({ store, clock, secret }: Dependencies) {
  const local = createLocalWindows()

  return {
    /** Whole seconds until none of the windows is full; 0 when none is full now. */
    async waitSeconds(limits: readonly RateLimit[]): Promise<number> {
      const [now, hashed] = [clock(), withHashedKeys(limits)]
      return secondsUntil(latest(local.fullUntil(hashed, now), await store.rateLimits.fullUntil(hashed, now)), now)
    },

    /** Counts one event for each limit. When a window is full it counts none, and returns how many seconds to wait. */
    async count(limits: readonly RateLimit[]): Promise<number | CountedEvents> {
      const [now, hashed] = [clock(), withHashedKeys(limits)]
      const { fullUntil, counted, takeBack } = await countStored(hashed, now)
      return fullUntil === null ? { takeBack: () => takeBack(counted) } : secondsUntil(fullUntil, now)
    },

    /** Called about once a minute. */
    sweep: (now: number): Promise<void> => store.rateLimits.prune(now),
  }

  async function countStored(limits: readonly RateLimit[], now: number) {
    try {
      return { ...(await store.rateLimits.count(limits, now)), takeBack: takeBackStored }
    } catch (error) {
      if (!isOutage(error)) throw error
      return { ...local.count(limits, now), takeBack: local.takeBack }
    }
  }

  async function takeBackStored(events: readonly CountedEvent[]) {
    try {
      await store.rateLimits.takeBack(events)
    } catch (error) {
      if (!isOutage(error)) throw error // not taken back: they count until their windows end
    }
  }

  function withHashedKeys(limits: readonly RateLimit[]): RateLimit[] {
    return limits.map((limit) => ({ ...limit, key: sha256(`${secret} ${limit.kind} ${limit.key}`) }))
  }
}

const secondsUntil = (time: number | null, now: number): number => (time === null ? 0 : Math.ceil((time - now) / 1000))

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

/** A window that ends later than two windows from now was begun by a wrong clock. */
const isOpen = ({ endsAt }: { readonly endsAt: number }, { windowMs }: RateLimit, now: number): boolean =>
  endsAt > now && endsAt <= now + 2 * windowMs

/** The windows that this process counts while the store cannot be written. */
function createLocalWindows() {
  const windows = new Map<string, { count: number; readonly endsAt: number }>()
  const nameOf = ({ kind, key }: Pick<RateLimit, "kind" | "key">) => `${kind} ${key}`

  return { fullUntil, count, takeBack }

  function fullUntil(limits: readonly RateLimit[], now: number): number | null {
    const full = limits.flatMap((limit) => {
      const window = windows.get(nameOf(limit))
      return window && isOpen(window, limit, now) && window.count >= limit.max ? [window.endsAt] : []
    })
    return full.length === 0 ? null : Math.max(...full)
  }

  function count(limits: readonly RateLimit[], now: number): CountResult {
    const until = fullUntil(limits, now)
    if (until !== null) return { fullUntil: until, counted: [] }
    return { fullUntil: null, counted: limits.map((limit) => countIn(limit, now)) }
  }

  function countIn(limit: RateLimit, now: number): CountedEvent {
    const { kind, key, windowMs } = limit
    const name = nameOf(limit)
    const current = windows.get(name)
    if (current && isOpen(current, limit, now)) {
      current.count += 1
      return { kind, key, endsAt: current.endsAt }
    }
    windows.delete(name)
    const oldest = windows.keys().next()
    if (windows.size >= maxWindows && !oldest.done) windows.delete(oldest.value)
    windows.set(name, { count: 1, endsAt: now + windowMs })
    return { kind, key, endsAt: now + windowMs }
  }

  async function takeBack(events: readonly CountedEvent[]) {
    for (const event of events) {
      const window = windows.get(nameOf(event))
      if (window?.endsAt === event.endsAt) window.count -= 1
    }
  }
}
