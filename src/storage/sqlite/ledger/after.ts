import type { StreamEntry } from "../../../domain/model.ts"
import type { Connection } from "../database/connection.ts"

/** Names kept in memory; all are forgotten where there would be more. About 150 bytes each. */
const maxKept = 20_000

interface Row {
  readonly date: number
  readonly value: number
  readonly receiverId: number
  readonly senderId: number
}

/** `LedgerStore.after`. Raw, since the replay of a long history is mostly this: an entry takes 0.3 µs, where Drizzle's
 *  join and mapping took 2. Ids have no gaps, so that they need not be read; a page from a damaged file, with a gap, fails. */
export function createAfter({ client, versions }: Pick<Connection, "client" | "versions">) {
  const rows = client.prepare<Row, [number, number]>(
    `SELECT date, value, user_id AS receiverId, from_id AS senderId
     FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`,
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const names = createNames({ client, versions })
  // As of one moment, since another process may append.
  const page = client.transaction((id: number, limit: number): Row[] => {
    const found = rows.all(id + 1, id + limit)
    if (found.length < limit && id + found.length < (last.get()?.id ?? 0)) throw new Error("a transaction is missing")
    return found
  })

  return (id: number, limit: number): StreamEntry[] => {
    names.refresh()
    return page(id, limit).map(({ date, value, receiverId, senderId }, index) => ({
      id: id + 1 + index,
      date,
      value,
      receiverId,
      senderId,
      receiverName: names.of(receiverId),
      senderName: names.of(senderId),
    }))
  }
}

/** Names of users by id; after a change of one, here or by another process, they are read anew. */
function createNames({ client, versions }: Pick<Connection, "client" | "versions">) {
  const row = client.prepare<{ name: string }, [number]>("SELECT name FROM users WHERE id = ?")
  const kept = new Map<number, string>()
  let seen = -1

  return {
    /** Before each page. */
    refresh() {
      const now = versions.read()
      if (now !== seen || kept.size > maxKept) kept.clear()
      seen = now
    },
    of(userId: number): string {
      const known = kept.get(userId)
      if (known !== undefined) return known
      const found = row.get(userId)
      if (!found) throw new Error(`user ${userId}, whom a transaction names, is missing`)
      kept.set(userId, found.name)
      return found.name
    },
  }
}
