import type { Database } from "bun:sqlite"
import { nextTick } from "../../../domain/ticks.ts"

/** A read in time slices. Other work may run where it yields. */
export type Reading<T> = Generator<undefined, T>

/** How long a read may block the event loop. */
const sliceMs = 5

/**
 * Runs a read to its end in time slices, each in one read transaction; between two slices, others may read and write. A
 * read notes the ends of its lists in its first slice; entries before these ends never change.
 */
export function createTimeSlices(client: Database, longestMs = sliceMs) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")

  return async <T>(reading: Reading<T>): Promise<T> => {
    for (;;) {
      begin.run()
      try {
        const until = performance.now() + longestMs
        do {
          const { done, value } = reading.next()
          if (done) return value
        } while (performance.now() < until)
      } finally {
        end.run()
      }
      await nextTick()
    }
  }
}
