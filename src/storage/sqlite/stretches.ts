import type { Database } from "bun:sqlite"
import type { Reading } from "./sequences.ts"

/** How long a reading may keep all others waiting. */
const longestMs = 5

/**
 * Runs a reading to its end, in one read transaction for each stretch: between two of them, others have their turn and
 * may write. A reading takes the ends of its lists from one stretch; what is behind them never changes.
 */
export function createStretches(client: Database, longest = longestMs) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")

  return async <T>(reading: Reading<T>): Promise<T> => {
    for (;;) {
      const { done, value } = stretch(reading)
      if (done) return value
      await new Promise(setImmediate)
    }
  }

  function stretch<T>(reading: Reading<T>) {
    begin.run()
    try {
      const until = performance.now() + longest
      let step = reading.next()
      while (!step.done && performance.now() < until) step = reading.next()
      return step
    } finally {
      end.run()
    }
  }
}
