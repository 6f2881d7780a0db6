let tick = 0
let isEndScheduled = false

/** The number of the event loop's current tick. What was checked in this tick counts as checked just now. */
export function currentTick(): number {
  if (!isEndScheduled) {
    isEndScheduled = true
    setImmediate(() => {
      tick += 1
      isEndScheduled = false
    })
  }
  return tick
}
