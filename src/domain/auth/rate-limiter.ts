import type { Clock } from "../model.ts"

/** How many keys one limiter remembers; it forgets the oldest windows first. */
const maxKeys = 10_000

interface Options {
  readonly clock: Clock
  /** Length of a window, which begins with the first event of its key. */
  readonly windowMs: number
  /** How many events of a key a window may hold. */
  readonly max: number
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** A fixed-window rate limiter in memory: counts events by key. */
export function createRateLimiter({ clock, windowMs, max }: Options) {
  const windows = new Map<string, { count: number; endsAt: number }>()

  return {
    /** Whole seconds until the window ends, when the key has reached `max`; otherwise 0. */
    waitSeconds(key: string): number {
      const window = windows.get(key)
      if (!window) return 0
      if (window.endsAt <= clock()) windows.delete(key)
      else if (window.count >= max) return Math.ceil((window.endsAt - clock()) / 1000)
      return 0
    },

    add(key: string) {
      const window = windows.get(key)
      if (window && window.endsAt > clock()) {
        window.count += 1
        return
      }
      windows.delete(key)
      const oldest = windows.keys().next()
      if (windows.size >= maxKeys && !oldest.done) windows.delete(oldest.value)
      windows.set(key, { count: 1, endsAt: clock() + windowMs })
    },
  }
}
