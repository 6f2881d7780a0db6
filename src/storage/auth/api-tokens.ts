import type { ApiToken } from "../../domain/auth/model.ts"
import type { ApiTokenStore } from "../../domain/auth/ports.ts"
import { clockSkewMs } from "../../domain/clock.ts"
import { DomainError } from "../../domain/errors.ts"
import { writeAudit } from "../audit.ts"
import { countOf, type Database, exists, one } from "../database.ts"
import { gatherByTick } from "../gather.ts"
import { remember } from "../idempotency.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, list, records, row, select, sql } from "../sql.ts"
import { apiTokens, users } from "../tables.ts"
import { lockAccounts, requireNotEnded } from "./access.ts"

const token = fields({ ...columnsOf(apiTokens, "userId"), username: users.username })

const tokens = sql`${apiTokens} JOIN ${users} ON ${users.id} = ${apiTokens.userId}`

/** Nothing is cached, so a token that one process revokes has ended in all. */
export function createApiTokenStore(db: Database): ApiTokenStore {
  const find = gatherByTick((hashes: readonly string[]) => tokensByHash(db, hashes))

  return {
    create: (newToken, max, audit, once) =>
      db.write(async (tx) => {
        const { userId, kind, accessVersion } = newToken
        lockAccounts(tx)
        if (accessVersion !== undefined)
          await requireNotEnded(tx, userId, { session: null, token: null, accessVersion })
        const isActive = await exists(
          tx,
          sql`${users} WHERE ${users.id} = ${userId} AND ${users.deactivatedAt} IS NULL`,
        )
        if (kind === "service" && !isActive) throw new DomainError("user_not_found")
        const ofKind = sql`${apiTokens} WHERE ${apiTokens.userId} = ${userId} AND ${apiTokens.kind} = ${kind}`
        if ((await countOf(tx, ofKind)) >= max) throw new DomainError("too_many_tokens")
        writeAudit(tx, audit)
        tx.send(sql`INSERT INTO ${apiTokens} ${row(apiTokens, newToken)}`)
        return remember(tx, once, shown(await one(tx, select(token)`FROM ${tokens} WHERE hash = ${newToken.hash}`)))
      }),
    find,
    async list(userId, kind) {
      const found = await db.all(select(token)`FROM ${tokens}
        WHERE (${userId}::bigint IS NULL OR ${apiTokens.userId} = ${userId})
          AND (${kind}::text IS NULL OR ${apiTokens.kind} = ${kind}) ORDER BY ${apiTokens.id}`)
      return found.map(shown)
    },
    revoke: (id, audit) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const revoked = await tx.run(sql`DELETE FROM ${apiTokens} WHERE ${apiTokens.id} = ${id}`)
        if (revoked > 0) writeAudit(tx, audit)
        return revoked > 0
      }),
    saveUses: (uses) =>
      db.write(async (tx) =>
        tx.send(sql`UPDATE ${apiTokens} SET last_used_at = used.at, last_used_from = used.address
          FROM ${records("used", uses, { id: "bigint", at: "bigint", address: "text" })}
          WHERE ${apiTokens.id} = used.id AND (coalesce(${apiTokens.lastUsedAt}, 0) <= used.at
            OR ${apiTokens.lastUsedAt} > used.at + ${clockSkewMs}::bigint)`),
      ),
    prune: (expiredBefore) =>
      prune(db, { table: apiTokens, condition: sql`${apiTokens.expiresAt} < ${expiredBefore}` }, lockAccounts),
  }
}

/** The tokens with these hashes, by hash. */
async function tokensByHash(db: Pick<Database, "all">, hashes: readonly string[]): Promise<Map<string, ApiToken>> {
  const found = await db.all(
    select(token)`FROM ${tokens} WHERE hash IN (SELECT value FROM ${list("asked", hashes, "text")})`,
  )
  return new Map(found.map((each) => [each.hash, shown(each)]))
}

const shown = ({ hash: _, ...rest }: ApiToken & { readonly hash: string }): ApiToken => rest
