import type { Transaction } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { Posting, StoredKey } from "../../ledger/locked-ledger.ts"
import { ownerOf, replayOf } from "../../ledger/postings.ts"
import type { Client, OpenTransaction, Queries } from "../database/client.ts"
import { transactionColumns } from "../history.ts"

type KeyName = Pick<StoredKey, "ownerId" | "key">

/** Keys by `nameOf`. */
export type Keys = ReadonlyMap<string, StoredKey>

interface KeyedTransaction
  extends Transaction,
    Pick<StoredKey, "ownerId" | "key" | "requestHash" | "balance" | "expiresAt"> {}

/** The keys that a batch names. */
export const keysIn = (batch: readonly Posting[]): KeyName[] =>
  batch.flatMap(({ senderId, options: { idempotencyKey } }) =>
    idempotencyKey ? [{ ownerId: ownerOf(senderId, idempotencyKey), key: idempotencyKey.key }] : [],
  )

export const nameOf = ({ ownerId, key }: KeyName): string => `${ownerId} ${key}`

/** Reads these keys. Whether one is free is certain only under the lock of the ledger. */
export async function storedKeys({ query }: Queries, names: readonly KeyName[]): Promise<Keys> {
  const keys = new Map<string, StoredKey>()
  if (names.length === 0) return keys
  const rows = await query<KeyedTransaction>(
    `SELECT ${transactionColumns}, k.user_id AS "ownerId", k.key, k.request_hash AS "requestHash", k.balance,
       k.expires_at AS "expiresAt"
     FROM unnest($1::bigint[], $2::text[]) AS asked (user_id, key)
       JOIN idempotency_keys k ON k.user_id = asked.user_id AND k.key = asked.key
       LEFT JOIN transactions t ON t.id BETWEEN k.transaction_id AND k.transaction_id + k.transaction_count - 1
     ORDER BY t.id`,
    [names.map(({ ownerId }) => ownerId), names.map(({ key }) => key)],
  )
  for (const { ownerId, key, requestHash, balance, expiresAt, ...transaction } of rows) {
    const name = nameOf({ ownerId, key })
    const transactions = [...(keys.get(name)?.transactions ?? []), transaction]
    keys.set(name, { ownerId, key, requestHash, balance, expiresAt, transactions })
  }
  return keys
}

export function saveKeys({ send }: OpenTransaction, keys: readonly StoredKey[]) {
  send(saving, [
    keys.map(({ ownerId }) => ownerId),
    keys.map(({ key }) => key),
    keys.map(({ requestHash }) => requestHash),
    keys.map(({ transactions }) => transactions[0]?.id ?? 0),
    keys.map(({ transactions }) => transactions.length),
    keys.map(({ balance }) => balance),
    keys.map(({ expiresAt }) => expiresAt),
  ])
}

const saving = `
  INSERT INTO idempotency_keys (user_id, key, request_hash, transaction_id, transaction_count, balance, expires_at)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  ON CONFLICT (user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
    transaction_id = excluded.transaction_id, transaction_count = excluded.transaction_count, balance = excluded.balance,
    made = NULL, expires_at = excluded.expires_at`

/** `LedgerStore.findReplay`. */
export const createFindReplay =
  (client: Client): LedgerStore["findReplay"] =>
  async (senderId, idempotencyKey, now) => {
    const name = { ownerId: ownerOf(senderId, idempotencyKey), key: idempotencyKey.key }
    const keys = await storedKeys(client, [name])
    return replayOf(keys.get(nameOf(name)) ?? null, idempotencyKey, now)
  }
