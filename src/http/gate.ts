/** Requests under way at once. One more would only make all of them later: the ledger is kept busy by far fewer. */
export const maxUnderWay = 2048
/** Of one caller, so that nobody takes all the places. */
export const maxUnderWayOfOne = 256

/**
 * Refuses early what cannot be served soon. A caller is whoever presents the same credentials, else the address.
 * Both tables hold no more than what is under way.
 */
export function createGate() {
  const underWay = new Map<string, number>()
  let total = 0

  return {
    /** Whether this request may go on; then `leave` must follow. */
    enter(caller: string): boolean {
      const own = underWay.get(caller) ?? 0
      if (total >= maxUnderWay || own >= maxUnderWayOfOne) return false
      underWay.set(caller, own + 1)
      total += 1
      return true
    },
    leave(caller: string) {
      const own = underWay.get(caller) ?? 0
      if (own > 1) underWay.set(caller, own - 1)
      else underWay.delete(caller)
      total -= 1
    },
  }
}
