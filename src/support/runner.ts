interface Options {
  /** Called at each tick of the timer, one call at a time. What returns no promise is over when it returns. */
  readonly work: () => Promise<void> | undefined
  readonly everyMs: number
  /** What to do when `work` rejects, unless `stop` aborted it. The next call tries again. */
  readonly failed?: (error: unknown) => void
  /** Called at each tick, also while `work` runs. */
  readonly extend?: () => void
}

/** Calls `work` at intervals, from `start` until `stop`. */
export function createRunner({ work, everyMs, failed, extend }: Options) {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: Timer | undefined
  let soon: Timer | undefined
  let running: Promise<void> | undefined

  const look = () => {
    extend?.()
    running ??= work()
      ?.catch((error) => {
        if (!signal.aborted) failed?.(error)
      })
      .finally(() => {
        running = undefined
      })
  }

  return {
    /** Aborted when `stop` no longer waits. */
    signal,
    start() {
      timer = setInterval(look, everyMs)
    },
    /** Calls `work` now instead of at the next tick. Does nothing unless it was started. */
    look() {
      if (timer !== undefined) look()
    },
    /** The same after `ms`. */
    lookIn(ms: number) {
      if (timer === undefined) return
      soon ??= setTimeout(() => {
        soon = undefined
        look()
      }, ms)
    },
    /** Resolves when nothing is running any more, nor `rest`. Aborts `signal` after `graceMs`. */
    async stop(graceMs = 0, rest: () => Promise<unknown> = async () => {}): Promise<void> {
      clearInterval(timer)
      clearTimeout(soon)
      timer = undefined
      const abort = () => stopping.abort()
      const grace = graceMs === 0 ? abort() : setTimeout(abort, graceMs)
      await running
      await rest()
      if (grace !== undefined) clearTimeout(grace)
    },
  }
}
