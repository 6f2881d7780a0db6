import type { Database } from "bun:sqlite"
import type { Repeatable } from "../../domain/idempotency.ts"
import type { LedgerStore, NewTransaction, Transaction } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { createRows } from "./rows.ts"

/** Deleted in one commit: others wait some 10 ms for it. */
const prunedAtOnce = 1000

interface Earlier {
  /** Whether the same was asked for under the key. */
  readonly isSame: boolean
  readonly transactions: Transaction[]
}

/** The idempotency keys of senders; used inside the write lock only. */
export function createKeys(client: Database) {
  const rows = createRows(client)
  const find = client.prepare<{ requestHash: string; first: number; count: number }, [number, string, number]>(
    `SELECT request_hash AS requestHash, transaction_id AS first, transaction_count AS count FROM idempotency_keys
     WHERE user_id = ? AND key = ? AND expires_at > ?`,
  )
  const remember = client.prepare(
    `INSERT OR REPLACE INTO idempotency_keys (user_id, key, request_hash, transaction_id, transaction_count, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )

  return {
    /** Null while the key is free to the sender of these entries. */
    find([entry]: readonly NewTransaction[], { key, requestHash }: Repeatable): Earlier | null {
      const found = entry && find.get(entry.senderId, key, entry.date)
      if (!found) return null
      const ids = Array.from({ length: found.count }, (_, index) => found.first + index)
      return { isSame: found.requestHash === requestHash, transactions: rows.of(ids) }
    },
    remember(transactions: readonly Transaction[], { key, requestHash, expiresAt }: Repeatable) {
      const [first] = transactions
      if (first) remember.run(first.senderId, key, requestHash, first.id, transactions.length, expiresAt)
    },
  }
}

/** `LedgerStore.pruneKeys`: a day of them may be many, and go piece by piece. */
export function createPruneKeys({ client, write }: Pick<Connection, "client" | "write">): LedgerStore["pruneKeys"] {
  const anyExpired = client.prepare<{ found: number }, [number]>(
    "SELECT 1 AS found FROM idempotency_keys WHERE expires_at <= ? LIMIT 1",
  )
  const prune = client.prepare(
    `DELETE FROM idempotency_keys WHERE (user_id, key) IN
       (SELECT user_id, key FROM idempotency_keys WHERE expires_at <= ? ORDER BY expires_at LIMIT ${prunedAtOnce})`,
  )

  return async (now) => {
    // Looked at without the write lock: there is rarely anything to do.
    while (anyExpired.get(now)) {
      write(() => prune.run(now))
      await new Promise(setImmediate)
    }
  }
}
