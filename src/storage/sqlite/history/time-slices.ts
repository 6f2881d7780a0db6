import type { Database } from "bun:sqlite"

/** A reading in steps. Where it yields, other work may run (see `createTimeSlices`). */
export type Reading<T> = Generator<undefined, T>

/** How long a reading may hold the event loop. */
const sliceMs = 5

/**
 * Runs a reading to its end in time slices, each in one read transaction: between two slices others get their turn and may
 * write. A reading takes the ends of its lists in its first slice; what is behind them never changes.
 */
export function createTimeSlices(client: Database, longestMs = sliceMs) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")

  return async <T>(reading: Reading<T>): Promise<T> => {
    for (;;) {
      const { done, value } = runSlice(reading)
      if (done) return value
      await new Promise(setImmediate)
    }
  }

  function runSlice<T>(reading: Reading<T>) {
    begin.run()
    try {
      const until = performance.now() + longestMs
      let step = reading.next()
      while (!step.done && performance.now() < until) step = reading.next()
      return step
    } finally {
      end.run()
    }
  }
}
