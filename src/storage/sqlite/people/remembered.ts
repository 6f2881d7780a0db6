import type { Database } from "bun:sqlite"
import { createBoundedCache } from "../../../bounded-cache.ts"

/** Names in memory: about 100 to 150 bytes each. */
const maxNames = 20_000

/** Reads names or usernames by user id and remembers them, because they seldom change: 100 took 60 of the 100 µs of a page. */
export function createRemembered(client: Database, column: "name" | "username") {
  const row = client.prepare<{ name: string }, [number]>(`SELECT ${column} AS name FROM users WHERE id = ?`)
  let remembered = createBoundedCache<number, string>(maxNames)

  return {
    of(userId: number): string {
      const known = remembered.get(userId)
      if (known !== undefined) return known
      const found = row.get(userId)
      if (!found) throw new Error(`user ${userId}, whom a transaction names, is missing`)
      remembered.set(userId, found.name)
      return found.name
    },
    forget() {
      remembered = createBoundedCache(maxNames)
    },
  }
}
