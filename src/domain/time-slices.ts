/** How many items run in one tick. Hostile ones take up to 3 ms each. */
const sliceSize = 16

/** Yields the items in order, and lets the event loop run after every few of them. */
export async function* inTimeSlices<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % sliceSize === 0) await new Promise(setImmediate)
  }
}
