/** The hostile ones take up to 3 ms each. */
const atOnce = 16

/** The items in their order; after every few of them, others have their turn on the event loop. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % atOnce === 0) await new Promise(setImmediate)
  }
}
