import { DomainError } from "../domain/errors.ts"
import type { IdempotencyStore, Once } from "../domain/idempotency/ports.ts"
import type { Database, Tx } from "./database.ts"
import { prune } from "./pruning.ts"
import { fields, row, select, sql } from "./sql.ts"
import { idempotencyKeys } from "./tables.ts"

const request = fields({ requestHash: idempotencyKeys.requestHash, made: idempotencyKeys.made })

/** Keys of requests that make something; the ledger has those of requests that post transactions. */
export const createIdempotencyStore = (db: Database): IdempotencyStore => ({
  find: (ownerId, key, now) =>
    db.first(select(request)`FROM ${idempotencyKeys} WHERE ${idempotencyKeys.userId} = ${ownerId}
      AND ${idempotencyKeys.key} = ${key} AND ${idempotencyKeys.expiresAt} > ${now}`),
  prune: (now) =>
    prune(db, {
      table: idempotencyKeys,
      condition: sql`${idempotencyKeys.expiresAt} <= ${now}`,
    }),
})

/** Stores a request under its key, if it has one, with what it made, in the commit of the change. Returns what it made. */
export async function remember<Made>(tx: Tx, once: Once<Made> | undefined, made: Made): Promise<Made> {
  if (once === undefined) return made
  const { ownerId: userId, key, requestHash, expiresAt, at, seal } = once
  const stored = await tx.run(sql`
    INSERT INTO ${idempotencyKeys} ${row(idempotencyKeys, { userId, key, requestHash, made: seal(made), expiresAt })}
    ON CONFLICT (user_id, key) DO UPDATE SET request_hash = excluded.request_hash, made = excluded.made,
      transaction_id = NULL, transaction_count = NULL, balance = NULL, expires_at = excluded.expires_at
    WHERE ${idempotencyKeys.expiresAt} <= ${at}`)
  if (stored === 0) throw new DomainError("key_reused")
  return made
}
