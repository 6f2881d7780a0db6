import { currentTick, nextTick } from "../../../domain/ticks.ts"

/** How long statements may hold the event loop in one tick, all callers together. */
const perTickMs = 5

/**
 * One budget for all who ask the database on the event loop. What comes when it is spent waits for the next tick, in the
 * order of the calls: so a caller that asks again and again takes turns with the others, and cannot keep timers and
 * sockets from running.
 */
export function createBudget(limitMs = perTickMs) {
  const waiting: (() => void)[] = []
  let spentIn = -1
  let spentMs = 0
  let isDraining = false

  return {
    /** Runs `work` at once; its time counts. */
    charge,
    /** Runs `work`, in this tick or a later one. A caller who has left by then gets the reason of the signal. */
    spend<T>(work: () => T, signal?: AbortSignal): Promise<T> {
      return new Promise((resolve, reject) => {
        const run = () => {
          try {
            signal?.throwIfAborted()
            resolve(charge(work))
          } catch (error) {
            reject(error)
          }
        }
        if (waiting.length === 0 && !isSpent()) return run()
        waiting.push(run)
        if (!isDraining) void drain()
      })
    },
  }

  function charge<T>(work: () => T): T {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      spentMs = spentInTick() + performance.now() - startedAt
    }
  }

  function isSpent(): boolean {
    return spentInTick() >= limitMs
  }

  function spentInTick(): number {
    const tick = currentTick()
    if (tick !== spentIn) spentMs = 0
    spentIn = tick
    return spentMs
  }

  async function drain() {
    isDraining = true
    while (waiting.length > 0) {
      await nextTick()
      while (waiting.length > 0 && !isSpent()) waiting.shift()?.()
    }
    isDraining = false
  }
}
