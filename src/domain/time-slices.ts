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

/** Resolves in the next tick of the event loop, so that other work can run. */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
