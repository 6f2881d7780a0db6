import { createCount } from "../domain/count.ts"

/** Requests under way at once. One more would only make all of them later: the ledger is kept busy by far fewer. */
export const maxUnderWay = 2048
/** Of one caller, so that nobody takes all the places. */
export const maxUnderWayOfOne = 256

/** From one other machine, or network of IPv6, whatever it presents. */
export const maxUnderWayOfSource = 1024

/** Who finds no place is told so after this time, which is also when to come back. */
export const retryAfterSeconds = 1

/**
 * Refuses what cannot be served soon. A caller is whoever presents the same credentials, else the address.
 * The tables hold no more than what is under way.
 */
export function createGate() {
  const ofCallers = createCount()
  const ofSources = createCount()
  let total = 0

  return {
    /** Whether this request may go on; then `leave` must follow. `source` is null where there is no limit. */
    enter(caller: string, source: string | null): boolean {
      if (total >= maxUnderWay || ofCallers.of(caller) >= maxUnderWayOfOne) return false
      if (source !== null && ofSources.of(source) >= maxUnderWayOfSource) return false
      total += 1
      ofCallers.add(caller)
      if (source !== null) ofSources.add(source)
      return true
    },
    leave(caller: string, source: string | null) {
      total -= 1
      ofCallers.remove(caller)
      if (source !== null) ofSources.remove(source)
    },
  }
}
