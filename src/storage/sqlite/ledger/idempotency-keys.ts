import type { Database } from "bun:sqlite"
import type { StoredKey } from "../../ledger/locked-ledger.ts"
import { createRows } from "../history/records.ts"

interface KeyRow extends Pick<StoredKey, "requestHash" | "balance" | "expiresAt"> {
  readonly first: number
  readonly count: number
}

/** Idempotency keys of requests that post transactions. Whether a key is free is only certain inside the write lock. */
export function createKeys(client: Database) {
  const rows = createRows(client)
  const find = client.prepare<KeyRow, [number, string]>(
    `SELECT request_hash AS requestHash, transaction_id AS first, transaction_count AS count, balance,
       expires_at AS expiresAt FROM idempotency_keys WHERE user_id = ? AND key = ?`,
  )
  const remember = client.prepare(
    `INSERT OR REPLACE INTO idempotency_keys
       (user_id, key, request_hash, transaction_id, transaction_count, balance, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )

  return {
    find(ownerId: number, key: string): StoredKey | null {
      const found = find.get(ownerId, key)
      if (!found) return null
      const { first, count, ...stored } = found
      const ids = Array.from({ length: count }, (_, index) => first + index)
      return { ...stored, ownerId, key, transactions: rows.of(ids) }
    },
    remember({ ownerId, key, requestHash, transactions, balance, expiresAt }: StoredKey) {
      remember.run(ownerId, key, requestHash, transactions[0]?.id ?? 0, transactions.length, balance, expiresAt)
    },
  }
}
