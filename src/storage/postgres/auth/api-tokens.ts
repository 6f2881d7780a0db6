import { clockSkewMs } from "../../../domain/clock.ts"
import { DomainError } from "../../../domain/errors.ts"
import type { ApiTokenStore } from "../../../domain/store.ts"
import { type ApiTokenRow, apiTokenColumns, apiTokenOf, newTokenColumns, newTokenValues } from "../../rows.ts"
import { writeAudit } from "../audit.ts"
import type { Client } from "../database/client.ts"
import { gatherByTick } from "../database/gather.ts"
import { createPruning } from "../database/pruning.ts"
import { remember } from "../ledger/idempotency-keys.ts"
import { lockAccounts, requireNotEnded } from "./sessions.ts"

const rows = `SELECT ${apiTokenColumns}, t.hash FROM api_tokens t JOIN users u ON u.id = t.user_id`

interface Row extends ApiTokenRow {
  readonly hash: string
}

const tokenOf = ({ hash: _, ...row }: Row) => apiTokenOf(row)

/** `ApiTokenStore`. Nothing is cached, so a token that one process revokes has ended in all. */
export function createApiTokenStore(client: Client): ApiTokenStore {
  const find = gatherByTick<string, Row>(async (hashes) => {
    const found = await client.query<Row>(`${rows} WHERE t.hash = ANY($1)`, [hashes])
    return new Map(found.map((row) => [row.hash, row]))
  })

  return {
    create: (token, max, audit, once) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const { userId, accessVersion } = token
        if (accessVersion !== undefined)
          await requireNotEnded(tx, userId, { session: null, token: null, accessVersion })
        const [active] = await tx.query("SELECT FROM users WHERE id = $1 AND deactivated_at IS NULL", [userId])
        if (token.kind === "service" && !active) throw new DomainError("user_not_found")
        const [has] = await tx.query<{ count: number }>(
          "SELECT count(*) AS count FROM api_tokens WHERE user_id = $1 AND kind = $2",
          [token.userId, token.kind],
        )
        if ((has?.count ?? 0) >= max) throw new DomainError("too_many_tokens")
        writeAudit(tx, audit)
        await tx.query(
          `INSERT INTO api_tokens (${newTokenColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          newTokenValues(token),
        )
        const [row] = await tx.query<Row>(`${rows} WHERE t.hash = $1`, [token.hash])
        if (!row) throw new Error("a token that was stored was not found")
        return remember(tx, once, tokenOf(row))
      }),
    async find(hash) {
      const row = await find(hash)
      return row && tokenOf(row)
    },
    async list(userId, kind) {
      const found = await client.query<Row>(
        `${rows} WHERE ($1::bigint IS NULL OR t.user_id = $1) AND ($2::text IS NULL OR t.kind = $2) ORDER BY t.id`,
        [userId, kind],
      )
      return found.map(tokenOf)
    },
    revoke: (id, audit) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const [revoked] = await tx.query("DELETE FROM api_tokens WHERE id = $1 RETURNING 1", [id])
        if (revoked) writeAudit(tx, audit)
        return revoked !== undefined
      }),
    async saveUses(uses) {
      await client.change(
        `UPDATE api_tokens SET last_used_at = used.at, last_used_from = used.address
         FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS used (id, at, address)
         WHERE api_tokens.id = used.id AND (coalesce(last_used_at, 0) <= used.at OR last_used_at > used.at + ${clockSkewMs})`,
        [uses.map(({ id }) => id), uses.map(({ at }) => at), uses.map(({ address }) => address)],
      )
    },
    prune: createPruning(client, { table: "api_tokens", key: "id", condition: "expires_at < $1" }, lockAccounts),
  }
}
