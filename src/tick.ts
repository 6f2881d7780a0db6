let tick = 0
let isEndScheduled = false

/** The number of the event loop's current tick. What was checked in a tick need not be checked again in it. */
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

/** Resolves in the next tick of the event loop, so that other work can run and sent data is written. */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
