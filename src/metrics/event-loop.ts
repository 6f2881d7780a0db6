/** A tenth of a second shows what people feel; a shorter one costs an idle server more. */
const everyMs = 100

/** Tells again and again how much later than asked a timer came, in milliseconds: what held the event loop up.
 *  Returns how to stop. */
export function watchEventLoop(tell: (ms: number) => void): () => void {
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    tell(Math.max(0, now - last - everyMs))
    last = now
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
