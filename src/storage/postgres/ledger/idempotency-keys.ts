import { DomainError } from "../../../domain/errors.ts"
import type { IdempotencyKey } from "../../../domain/idempotency/ports.ts"
import type { PostResult, Transaction } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { Posting } from "../../ledger/postings.ts"
import type { Client, Transaction as DatabaseTransaction, Queries } from "../database/client.ts"
import { transactionColumns } from "../history.ts"

/** A key, and the result of its request. */
export interface StoredKey extends IdempotencyKey {
  readonly ownerId: number
  readonly transactions: readonly Transaction[]
  /** The sender's balance right after. */
  readonly balance: number
}

type KeyName = Pick<StoredKey, "ownerId" | "key">

interface Row extends Transaction, KeyName {
  readonly requestHash: string
  readonly balance: number
  readonly expiresAt: number
}

/** The keys that a batch names. */
export const keysIn = (batch: readonly Posting[]): KeyName[] =>
  batch.flatMap(({ entries: [first], idempotencyKey }) =>
    first && idempotencyKey ? [keyNameOf(first.senderId, idempotencyKey)] : [],
  )

const keyNameOf = (senderId: number, idempotencyKey: IdempotencyKey): KeyName => ({
  ownerId: ownerOf(senderId, idempotencyKey),
  key: idempotencyKey.key,
})

/** Reads these keys, and holds added ones. Whether a key is free is certain only under the lock of the ledger. */
export async function storedKeys({ query }: Queries, names: readonly KeyName[]) {
  const keys = new Map<string, StoredKey>()
  const rows =
    names.length === 0
      ? []
      : await query<Row>(
          `SELECT ${transactionColumns}, k.user_id AS "ownerId", k.key, k.request_hash AS "requestHash", k.balance,
             k.expires_at AS "expiresAt"
           FROM unnest($1::bigint[], $2::text[]) AS asked (user_id, key)
             JOIN idempotency_keys k ON k.user_id = asked.user_id AND k.key = asked.key
             LEFT JOIN transactions t ON t.id BETWEEN k.transaction_id AND k.transaction_id + k.transaction_count - 1
           ORDER BY t.id`,
          [names.map(({ ownerId }) => ownerId), names.map(({ key }) => key)],
        )
  for (const { ownerId, key, requestHash, balance, expiresAt, ...transaction } of rows) {
    const name = nameOf(ownerId, key)
    const transactions = [...(keys.get(name)?.transactions ?? []), transaction]
    keys.set(name, { ownerId, key, requestHash, balance, expiresAt, transactions })
  }

  return {
    /** @throws DomainError `key_reused` */
    replayOf(senderId: number, idempotencyKey: IdempotencyKey, now: number): PostResult | null {
      const found = keys.get(nameOf(ownerOf(senderId, idempotencyKey), idempotencyKey.key))
      if (!found || found.expiresAt <= now) return null
      if (found.requestHash !== idempotencyKey.requestHash) throw new DomainError("key_reused")
      return { transactions: found.transactions, balance: found.balance, replayed: true }
    },
    remember(transactions: readonly Transaction[], balance: number, key: IdempotencyKey): StoredKey {
      const ownerId = ownerOf(transactions[0]?.senderId ?? 0, key)
      const stored = { ...key, ownerId, balance, transactions: transactions.map(({ note: _, ...rest }) => rest) }
      keys.set(nameOf(ownerId, key.key), stored)
      return stored
    },
    /** Stores the added keys. A key may expire and be used again within one batch; the last use counts. */
    write({ send }: DatabaseTransaction, added: readonly StoredKey[]) {
      const last = [...new Map(added.map((stored) => [nameOf(stored.ownerId, stored.key), stored])).values()]
      if (last.length === 0) return
      send(saveKeys, [
        last.map(({ ownerId }) => ownerId),
        last.map(({ key }) => key),
        last.map(({ requestHash }) => requestHash),
        last.map(({ transactions }) => transactions[0]?.id ?? 0),
        last.map(({ transactions }) => transactions.length),
        last.map(({ balance }) => balance),
        last.map(({ expiresAt }) => expiresAt),
      ])
    },
  }
}

const nameOf = (ownerId: number, key: string): string => `${ownerId} ${key}`

const ownerOf = (senderId: number, { ownerId }: IdempotencyKey): number => ownerId ?? senderId

const saveKeys = `
  INSERT INTO idempotency_keys (user_id, key, request_hash, transaction_id, transaction_count, balance, expires_at)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  ON CONFLICT (user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
    transaction_id = excluded.transaction_id, transaction_count = excluded.transaction_count, balance = excluded.balance,
    made = NULL, expires_at = excluded.expires_at`

/** `LedgerStore.findReplay`. */
export const createFindReplay =
  (client: Client): LedgerStore["findReplay"] =>
  async (senderId, idempotencyKey, now) => {
    const keys = await storedKeys(client, [keyNameOf(senderId, idempotencyKey)])
    return keys.replayOf(senderId, idempotencyKey, now)
  }
