import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { IdempotencyKey } from "../../../domain/idempotency/ports.ts"
import type { PostResult, Transaction } from "../../../domain/ledger/model.ts"
import { createRows } from "../history/records.ts"

interface Row {
  readonly requestHash: string
  readonly first: number
  readonly count: number
  readonly balance: number
}

/** Idempotency keys of requests that post transactions. Whether a key is free is only certain inside the write lock. */
export function createKeys(client: Database) {
  const rows = createRows(client)
  const find = client.prepare<Row, [number, string, number]>(
    `SELECT request_hash AS requestHash, transaction_id AS first, transaction_count AS count, balance
     FROM idempotency_keys WHERE user_id = ? AND key = ? AND expires_at > ?`,
  )
  const remember = client.prepare(
    `INSERT OR REPLACE INTO idempotency_keys
       (user_id, key, request_hash, transaction_id, transaction_count, balance, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )

  return {
    /** `LedgerStore.findReplay`. */
    find(senderId: number, { key, ownerId, requestHash }: IdempotencyKey, now: number): PostResult | null {
      const found = find.get(ownerId ?? senderId, key, now)
      if (!found) return null
      if (found.requestHash !== requestHash) throw new DomainError("key_reused")
      const ids = Array.from({ length: found.count }, (_, index) => found.first + index)
      return { transactions: rows.of(ids), balance: found.balance, replayed: true }
    },
    remember(transactions: readonly Transaction[], balance: number, idempotencyKey: IdempotencyKey) {
      const [first] = transactions
      if (!first) return
      const { key, ownerId = first.senderId, requestHash, expiresAt } = idempotencyKey
      remember.run(ownerId, key, requestHash, first.id, transactions.length, balance, expiresAt)
    },
  }
}
