import type { Database } from "bun:sqlite"
import type { Transaction } from "../../../domain/model.ts"

export type Rows = ReturnType<typeof createRows>

/** Transactions by id. */
export function createRows(client: Database) {
  const columns = "t.id, t.user_id AS receiverId, t.from_id AS senderId, t.value, t.date"
  // CROSS JOIN keeps the order of the ids that were asked for.
  const asked = "json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value"
  const some = client.prepare<Transaction, [string]>(`SELECT ${columns} FROM ${asked}`)
  const consecutive = client.prepare<Transaction, [number, number]>(
    `SELECT ${columns} FROM transactions AS t WHERE t.id BETWEEN ? AND ? ORDER BY t.id`,
  )
  const sorted = client.prepare<{ id: number }, [string]>(`SELECT t.id FROM ${asked} ORDER BY t.value, t.id`)

  return {
    /** In the order of `ids`. A page that is shorter than its list would be a lie of a damaged file. */
    of(ids: readonly number[]): Transaction[] {
      const first = ids[0] ?? 0
      // 16 µs for 50 against 25, and the way of the first page of everything.
      const isRange = ids.every((id, index) => id === first + index)
      const found = isRange ? consecutive.all(first, first + ids.length - 1) : some.all(JSON.stringify(ids))
      if (found.length !== ids.length) throw new Error("a transaction that a list names is missing")
      return found
    },
    /** By value, then id. */
    byValue: (ids: readonly number[]): number[] => sorted.all(JSON.stringify(ids)).map(({ id }) => id),
  }
}
