import { createCounter } from "../domain/counter.ts"
import { HttpError } from "./errors.ts"

/** Concurrent downloads. Each reads a whole history in time slices, between other requests. */
const maxExports = 16
/** Concurrent downloads of one person. */
const maxExportsOfOne = 2

const retryAfter = { "retry-after": "5" }

export type ExportLimit = ReturnType<typeof createExportLimit>

/** Limits concurrent downloads, per person and in total. */
export function createExportLimit() {
  const ofPeople = createCounter()
  let running = 0

  return {
    /**
     * Counts a download until the response has been sent, which calls `end`; calling it again does nothing.
     * @throws HttpError `too_many_exports`, `overloaded`
     */
    async whileSent(username: string, respond: (end: () => void) => Promise<Response>): Promise<Response> {
      const end = begin(username)
      try {
        return await respond(end)
      } catch (error) {
        end()
        throw error
      }
    },
  }

  function begin(username: string): () => void {
    if (ofPeople.of(username) >= maxExportsOfOne) throw new HttpError("too_many_exports", retryAfter)
    if (running >= maxExports) throw new HttpError("overloaded", retryAfter)
    running += 1
    ofPeople.add(username)
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      running -= 1
      ofPeople.remove(username)
    }
  }
}
