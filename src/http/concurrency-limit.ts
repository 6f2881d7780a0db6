import { createCounter } from "../domain/counter.ts"

/** Concurrent requests in total. Far fewer keep the ledger busy, and more would only make all of them slower. */
export const maxConcurrent = 2048
/** Concurrent requests of one caller. */
export const maxConcurrentOfCaller = 256
/** Concurrent requests from one other machine or IPv6 network, whatever credentials they carry. */
export const maxConcurrentOfSource = 1024

/** How long a refused request waits before its 503, so that retry loops slow down. Also its `Retry-After`. */
export const retryAfterSeconds = 1
/** How many refused requests wait at the same time. More are answered at once, because each wait holds a connection. */
export const maxWaitingRefusals = 1024

/**
 * Limits concurrent requests: in total, per caller and per source. A caller is a value of `Authorization` or `Cookie`, or
 * an address.
 */
export function createConcurrencyLimit() {
  const ofCallers = createCounter()
  const ofSources = createCounter()
  let total = 0
  let waiting = 0

  return {
    /**
     * Whether this request may run; if so, `leave` must follow. `source` is null for this machine, whose requests count
     * for no source.
     */
    enter(caller: string, source: string | null): boolean {
      if (total >= maxConcurrent || ofCallers.of(caller) >= maxConcurrentOfCaller) return false
      if (source !== null && ofSources.of(source) >= maxConcurrentOfSource) return false
      total += 1
      ofCallers.add(caller)
      if (source !== null) ofSources.add(source)
      return true
    },
    /** Delays a refused request. Returns false at once when too many wait already. */
    async waitRefused(sleep: (ms: number) => Promise<void> = Bun.sleep): Promise<boolean> {
      if (waiting >= maxWaitingRefusals) return false
      waiting += 1
      await sleep(retryAfterSeconds * 1000).finally(() => {
        waiting -= 1
      })
      return true
    },
    leave(caller: string, source: string | null) {
      total -= 1
      ofCallers.remove(caller)
      if (source !== null) ofSources.remove(source)
    },
  }
}
