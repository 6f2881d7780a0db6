import { createCount } from "../domain/count.ts"

/** Requests under way at once. One more would only make all of them later: the ledger is kept busy by far fewer. */
export const maxUnderWay = 2048
/** Of one caller, so that nobody takes all the places. */
export const maxUnderWayOfOne = 256

/** From one other machine, or network of IPv6, whatever it presents. */
export const maxUnderWayOfSource = 1024

/** How long a refused request waits before its 503, so that retry loops slow down; also when to come back. */
export const retryAfterSeconds = 1
/** Refused requests that wait at once. Any more are answered immediately: a wait holds a connection and its memory. */
export const maxWaiting = 1024

/**
 * Refuses what cannot be served soon. A caller is whoever presents the same credentials, else the address.
 * The tables hold no more than what is under way.
 */
export function createGate() {
  const ofCallers = createCount()
  const ofSources = createCount()
  let total = 0
  let waiting = 0

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
    /** For a request that was refused: resolves when it may be answered; false when it did not have to wait. */
    async waitRefused(sleep: (ms: number) => Promise<void> = Bun.sleep): Promise<boolean> {
      if (waiting >= maxWaiting) return false
      waiting += 1
      await sleep(retryAfterSeconds * 1000).finally(() => {
        waiting -= 1
      })
      return true
    },
    leave(caller: string, source: string | null) {
      total -= 1
      ofCallers.remove(caller)
      if (source !== null) ofSources.remove(source)
    },
  }
}
