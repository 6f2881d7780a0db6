let tick = 0
let isEndScheduled = false

/** The number of the event loop's current tick. What was checked in a tick need not be checked again in it. */
export function currentTick(): number {
  if (!isEndScheduled) void nextTick().then(beginTick)
  isEndScheduled = true
  return tick
}

/** Call it when something from outside has ended, such as a sync: what was checked before may have changed meanwhile. */
export function beginTick() {
  tick += 1
  isEndScheduled = false
}

/**
 * Bun 1.4.5 sometimes never calls an immediate, when answers of a socket come at the same time. Then the tick begins this late, which
 * is long enough not to overtake an immediate that is only late on a busy machine.
 */
const lateMs = 100
const waiting: (() => void)[] = []
let late: ReturnType<typeof setTimeout> | undefined

/** Resolves in the next tick of the event loop, so that other work can run and sent data is written. */
export const nextTick = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) > 1) return
    setImmediate(endTick)
    late = setTimeout(endTick, lateMs)
  })

function endTick() {
  clearTimeout(late)
  for (const resolve of waiting.splice(0)) resolve()
}

/** How many items are processed in one tick. A hostile item takes up to 3 ms. */
const hostileInSlice = 16

/** Yields the items in order, and lets the event loop run after every `sliceSize` of them. */
export async function* inTimeSlices<T>(items: Iterable<T>, sliceSize = hostileInSlice): AsyncGenerator<T, void> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % sliceSize === 0) await nextTick()
  }
}
