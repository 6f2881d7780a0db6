import type { LedgerStore } from "../../domain/ledger/ports.ts"
import type { Database, Reads, Tx } from "../database.ts"
import { fields, records, select, sql } from "../sql.ts"
import { idempotencyKeys, transactions } from "../tables.ts"
import { transactionColumns } from "./history.ts"
import type { Posting, StoredKey } from "./locked-ledger.ts"
import { ownerOf, replayOf } from "./postings.ts"

type KeyName = Pick<StoredKey, "ownerId" | "key">

/** Keys by `nameOf`. */
export type Keys = ReadonlyMap<string, StoredKey>

const keyed = fields({
  ...transactionColumns,
  ownerId: idempotencyKeys.userId,
  key: idempotencyKeys.key,
  requestHash: idempotencyKeys.requestHash,
  balanceAfter: idempotencyKeys.balance,
  expiresAt: idempotencyKeys.expiresAt,
})

/** The keys that a batch names, each once. */
export const keysIn = (batch: readonly Posting[]): KeyName[] => {
  const named = batch.flatMap(({ senderId, options: { idempotencyKey } }) =>
    idempotencyKey ? [{ ownerId: ownerOf(senderId, idempotencyKey), key: idempotencyKey.key }] : [],
  )
  return [...new Map(named.map((name) => [nameOf(name), name])).values()]
}

export const nameOf = ({ ownerId, key }: KeyName): string => `${ownerId} ${key}`

/** Reads these keys. Whether one is free is certain only under the lock of the ledger. */
export async function storedKeys(reads: Reads, names: readonly KeyName[]): Promise<Keys> {
  const keys = new Map<string, StoredKey>()
  if (names.length === 0) return keys
  const rows = await reads.all(select(keyed)`
    FROM ${records("asked", names, { ownerId: "bigint", key: "text" })}
      CROSS JOIN ${idempotencyKeys}
      LEFT JOIN ${transactions} ON ${transactions.id} >= ${idempotencyKeys.transactionId}
        AND ${transactions.id} < ${idempotencyKeys.transactionId} + ${idempotencyKeys.transactionCount}
    WHERE ${idempotencyKeys.userId} = asked."ownerId" AND ${idempotencyKeys.key} = asked.key
    ORDER BY ${transactions.id}`)
  for (const { ownerId, key, requestHash, balanceAfter, expiresAt, ...transaction } of rows) {
    const name = nameOf({ ownerId, key })
    const transactions = [...(keys.get(name)?.transactions ?? []), transaction]
    keys.set(name, { ownerId, key, requestHash, balance: balanceAfter ?? 0, expiresAt, transactions })
  }
  return keys
}

export function saveKeys(tx: Pick<Tx, "send">, keys: readonly StoredKey[]) {
  const saved = keys.map(({ transactions, ...key }) => ({
    ...key,
    transactionId: transactions[0]?.id ?? 0,
    transactionCount: transactions.length,
  }))
  tx.send(sql`INSERT INTO ${idempotencyKeys}
      (user_id, key, request_hash, transaction_id, transaction_count, balance, expires_at)
    SELECT "ownerId", key, "requestHash", "transactionId", "transactionCount", balance, "expiresAt" FROM ${records(
      "saved",
      saved,
      {
        ownerId: "bigint",
        key: "text",
        requestHash: "text",
        transactionId: "bigint",
        transactionCount: "bigint",
        balance: "bigint",
        expiresAt: "bigint",
      },
    )} WHERE true
    ON CONFLICT (user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
      transaction_id = excluded.transaction_id, transaction_count = excluded.transaction_count,
      balance = excluded.balance, made = NULL, expires_at = excluded.expires_at`)
}

/** `LedgerStore.findReplay`. */
export const createFindReplay =
  (db: Database): LedgerStore["findReplay"] =>
  async (senderId, idempotencyKey, now) => {
    const name = { ownerId: ownerOf(senderId, idempotencyKey), key: idempotencyKey.key }
    const keys = await storedKeys(db, [name])
    return replayOf(keys.get(nameOf(name)) ?? null, idempotencyKey, now)
  }
