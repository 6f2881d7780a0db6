import type { StreamEntry, TransactionKind } from "../../../domain/model.ts"
import type { Connection } from "../database/connection.ts"
import { createNameCache } from "../people/user-rows.ts"

interface Row {
  readonly kind: TransactionKind
  readonly date: number
  readonly value: number
  readonly receiverId: number
  readonly senderId: number
}

/**
 * `LedgerStore.after`. Raw SQL, because the replay of a long history spends most of its time here: 0.3 µs for each
 * transaction, where Drizzle took 2. Ids have no gaps, so they are counted, not read; a page with a gap, from a damaged
 * file, throws.
 */
export function createAfter({ client, versions }: Pick<Connection, "client" | "versions">) {
  const rows = client.prepare<Row, [number, number]>(
    `SELECT kind, date, value, user_id AS receiverId, from_id AS senderId
     FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`,
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const names = createNames({ client, versions })
  // In one transaction, because another process may append.
  const page = client.transaction((id: number, limit: number): Row[] => {
    const found = rows.all(id + 1, id + limit)
    if (found.length < limit && id + found.length < (last.get()?.id ?? 0)) throw new Error("a transaction is missing")
    return found
  })

  return (id: number, limit: number): StreamEntry[] => {
    names.refresh()
    return page(id, limit).map(({ kind, date, value, receiverId, senderId }, index) => ({
      id: id + 1 + index,
      kind,
      date,
      value,
      receiverId,
      senderId,
      receiverName: names.of(receiverId),
      senderName: names.of(senderId),
    }))
  }
}

/** Names of users by id, cached until this process or another changes a user. */
function createNames({ client, versions }: Pick<Connection, "client" | "versions">) {
  const names = createNameCache(client, "name")
  let cachedVersion = -1

  return {
    of: names.of,
    /** Call before each page. */
    refresh() {
      const version = versions.read()
      if (version !== cachedVersion) names.forget()
      cachedVersion = version
    },
  }
}
