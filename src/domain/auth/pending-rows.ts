import { isOutage } from "../errors.ts"

/** How many rows wait to be stored; the oldest are dropped first. */
const maxPending = 10_000

/**
 * Rows that wait to be stored together, because a commit for each would cost too much. A new row replaces the one that waits
 * under its key.
 */
export function createPendingRows<K, T>(save: (rows: readonly T[]) => Promise<void>) {
  let pending = new Map<K, T>()

  return {
    has: (key: K): boolean => pending.has(key),

    add(key: K, row: T): void {
      const oldest = pending.keys().next()
      if (pending.size >= maxPending && !oldest.done) pending.delete(oldest.value)
      pending.set(key, row)
    },

    /** Stores the rows. During an outage of the store they go on waiting for the next call. */
    async flush(): Promise<void> {
      const rows = pending
      if (rows.size === 0) return
      pending = new Map()
      try {
        await save([...rows.values()])
      } catch (error) {
        if (!isOutage(error)) throw error
        pending = new Map([...rows, ...pending])
      }
    },
  }
}
