const [firstMs, mostMs] = [400, 10_000]

/** How long to wait before each try: twice as long as before, and never for all pages at the same moment. */
export function createBackoff() {
  let ms = firstMs
  return {
    nextMs() {
      const wait = ms * (0.75 + Math.random() / 2)
      ms = Math.min(ms * 2, mostMs)
      return wait
    },
    reset() {
      ms = firstMs
    },
  }
}
