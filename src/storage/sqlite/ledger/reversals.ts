import type { Database } from "bun:sqlite"

/** Reads how many points reversals have moved back, by the ids of the transactions that they reverse. */
export function createReversedReader(client: Database) {
  const reversed = client.prepare<{ id: number; value: number }, [string]>(
    `SELECT t.reverses AS id, t.value
     FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.reverses = asked.value`,
  )

  return (ids: readonly number[]): ReadonlyMap<number, number> => {
    const points = new Map<number, number>()
    for (const { id, value } of reversed.all(JSON.stringify(ids))) points.set(id, (points.get(id) ?? 0) + value)
    return points
  }
}
