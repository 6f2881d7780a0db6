import { DatabaseDamaged } from "../damage.ts"
import type { LedgerStore } from "./ports.ts"

/** How many transactions are read in one tick: 1 to 2 ms of work. */
export const transactionsAtOnce = 2000

interface Options<T> {
  readonly ledger: Pick<LedgerStore, "lastId">
  /** Called once, before anything is read. */
  readonly load?: (end: number) => Promise<void>
  /** The id of the last transaction that everything includes. */
  readonly reached: () => number
  /** The transactions after this id, ascending, at most `limit`. */
  readonly read: (after: number, limit: number) => Promise<readonly T[]>
  /** Includes a transaction. */
  readonly add: (transaction: T) => void
}

/**
 * Returns a function that catches up with the ledger, and resolves with the id of the transaction that was the last one at the
 * time of the call. What is read serves everybody: one call reads for all, and goes on even if who asked first has gone.
 */
export function createFollower<T extends { readonly id: number }>({ ledger, load, reached, read, add }: Options<T>) {
  let isLoaded = load === undefined
  let reading: Promise<void> | undefined

  return async (): Promise<number> => {
    const end = await ledger.lastId()
    while (!isLoaded || reached() < end) {
      reading ??= readThrough(end).finally(() => {
        reading = undefined
      })
      await reading
    }
    return end
  }

  async function readThrough(end: number) {
    if (!isLoaded) await load?.(end)
    isLoaded = true
    for (let after = reached(); after < end; ) {
      const transactions = await read(after, transactionsAtOnce)
      for (const transaction of transactions) add(transaction)
      const last = transactions.at(-1)
      if (!last)
        throw new DatabaseDamaged(`transaction ${end} is stored as the last one, but there is none after ${after}`)
      after = last.id
    }
  }
}
