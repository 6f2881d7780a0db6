import { currentTick, nextTick } from "../domain/ticks.ts"

/** How long work may hold the event loop in one tick, all callers together. */
export const perTickMs = 5

/**
 * One budget for all who do the same kind of work on the event loop, such as statements on a database. What comes when it is
 * spent waits for the next tick, in the order of the calls: so a caller that asks again and again takes turns with the
 * others, and cannot keep timers and sockets from running.
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
    spend<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
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

/** A read in time slices. Other work may run where it yields. */
export type Reading<T> = Generator<undefined, T>

/**
 * Runs a read to its end in time slices; between two of them, others read, and the reader may move on. A read notes the ends of
 * its lists in its first slice; entries before these ends never change. No slice follows once the signal has aborted.
 */
export const createTimeSlices =
  (read: <T>(work: () => T, signal?: AbortSignal) => Promise<T>, longestMs = perTickMs) =>
  async <T>(reading: Reading<T>, signal?: AbortSignal): Promise<T> => {
    for (;;) {
      const step = await read(() => sliceOf(reading, longestMs), signal)
      if (step.done) return step.value
      if (longestMs < perTickMs) await nextTick()
    }
  }

function sliceOf<T>(reading: Reading<T>, longestMs: number): IteratorResult<undefined, T> {
  const until = performance.now() + longestMs
  for (;;) {
    const step = reading.next()
    if (step.done || performance.now() >= until) return step
  }
}
