import { createCount } from "../domain/count.ts"
import { HttpRefusal } from "./errors.ts"

/** Downloads that run at once. Each reads the whole history slice by slice, between the requests of everybody else. */
export const maxExports = 16
/** Of one person. */
export const maxExportsOfOne = 2

const retryAfter = { "retry-after": "5" }

/** Bounds the downloads that run at once, of one person and of all. */
export function createExportLimit() {
  const ofPeople = createCount()
  let running = 0

  return {
    /** Returns what ends it; to be called once or more. @throws HttpRefusal `too_many_exports`, `overloaded` */
    begin(username: string): () => void {
      if (ofPeople.of(username) >= maxExportsOfOne) throw new HttpRefusal("too_many_exports", retryAfter)
      if (running >= maxExports) throw new HttpRefusal("overloaded", retryAfter)
      running += 1
      ofPeople.add(username)
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        running -= 1
        ofPeople.remove(username)
      }
    },
  }
}
