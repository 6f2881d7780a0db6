import type { Clock } from "../model.ts"

/** Keys remembered at once by one tally; the oldest are forgotten first. */
const maxRemembered = 10_000

interface Options {
  readonly clock: Clock
  /** A window begins with the first of its key. */
  readonly windowMs: number
  readonly max: number
}

export type Tally = ReturnType<typeof createTally>

/** Counts by key within windows of time, in a bounded table. */
export function createTally({ clock, windowMs, max }: Options) {
  const windows = new Map<string, { count: number; until: number }>()

  return {
    /** Whole seconds until the window of a key passes that has reached `max`; 0 for any other. */
    fullFor(key: string): number {
      const window = windows.get(key)
      if (!window) return 0
      if (window.until <= clock()) windows.delete(key)
      else if (window.count >= max) return Math.ceil((window.until - clock()) / 1000)
      return 0
    },
    add(key: string) {
      const window = windows.get(key)
      if (window && window.until > clock()) {
        window.count += 1
        return
      }
      windows.delete(key)
      const oldest = windows.keys().next()
      if (windows.size >= maxRemembered && !oldest.done) windows.delete(oldest.value)
      windows.set(key, { count: 1, until: clock() + windowMs })
    },
  }
}
