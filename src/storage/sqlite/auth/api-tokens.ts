import { clockSkewMs } from "../../../domain/clock.ts"
import { DomainError } from "../../../domain/errors.ts"
import type { ApiToken } from "../../../domain/model.ts"
import type { ApiTokenStore } from "../../../domain/store.ts"
import { type ApiTokenRow, apiTokenColumns, apiTokenOf, newTokenColumns, newTokenValues } from "../../rows.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import { createPruning } from "../database/pruning.ts"
import { createRemember } from "../ledger/idempotency-keys.ts"
import { createRequireNotEnded } from "./sessions.ts"

/** `ApiTokenStore`. Nothing is cached, so a token that one process revokes has ended in all. */
export function createApiTokenStore(connection: Connection): ApiTokenStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const remember = createRemember(client)
  const requireNotEnded = createRequireNotEnded(client)
  const rows = `SELECT ${apiTokenColumns} FROM api_tokens AS t JOIN users AS u ON u.id = t.user_id`
  const byHash = client.prepare<ApiTokenRow, [string]>(`${rows} WHERE t.hash = ?`)
  const byId = client.prepare<ApiTokenRow, [number]>(`${rows} WHERE t.id = ?`)
  const some = client.prepare<ApiTokenRow, [number | null, string | null]>(
    `${rows} WHERE (?1 IS NULL OR t.user_id = ?1) AND (?2 IS NULL OR t.kind = ?2) ORDER BY t.id`,
  )
  const active = client.prepare<unknown, [number]>("SELECT 1 FROM users WHERE id = ? AND deactivated_at IS NULL")
  const count = client.prepare<{ count: number }, [number, string]>(
    "SELECT count(*) AS count FROM api_tokens WHERE user_id = ? AND kind = ?",
  )
  const insert = client.prepare<{ id: number }, ReturnType<typeof newTokenValues>>(
    `INSERT INTO api_tokens (${newTokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const remove = client.prepare<unknown, [number]>("DELETE FROM api_tokens WHERE id = ?")
  const saveUse = client.prepare<unknown, [number, number, string]>(
    `UPDATE api_tokens SET last_used_at = ?2, last_used_from = ?3
     WHERE id = ?1 AND (coalesce(last_used_at, 0) <= ?2 OR last_used_at > ?2 + ${clockSkewMs})`,
  )

  return {
    create: (token, max, audit, once) =>
      write(() => {
        const { userId, accessVersion } = token
        if (accessVersion !== undefined) requireNotEnded(userId, { session: null, token: null, accessVersion })
        if (token.kind === "service" && !active.get(userId)) throw new DomainError("user_not_found")
        if ((count.get(token.userId, token.kind)?.count ?? 0) >= max) throw new DomainError("too_many_tokens")
        writeAudit(audit)
        return remember(once, stored(byId.get(insert.get(...newTokenValues(token))?.id ?? 0)))
      }),
    find: async (hash) => {
      const row = byHash.get(hash)
      return row && apiTokenOf(row)
    },
    list: async (userId, kind) => some.all(userId, kind).map(apiTokenOf),
    revoke: (id, audit) =>
      write(() => {
        if (!byId.get(id)) return false
        writeAudit(audit)
        remove.run(id)
        return true
      }),
    saveUses: (uses) =>
      write(() => {
        for (const { id, at, address } of uses) saveUse.run(id, at, address)
      }),
    prune: createPruning(connection, { table: "api_tokens", key: "id", condition: "expires_at < ?1" }),
  }
}

function stored(row: ApiTokenRow | null): ApiToken {
  if (!row) throw new Error("a token that was stored was not found")
  return apiTokenOf(row)
}
