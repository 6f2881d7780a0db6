import type { IdentityStore, UserStore } from "../../../domain/store.ts"
import { writeAudit } from "../audit.ts"
import type { Client } from "../database/client.ts"
import { createPruning } from "../database/pruning.ts"
import { lockAccounts } from "./sessions.ts"

export function createIdentityStore(client: Client): IdentityStore {
  return {
    async find(issuer, subject) {
      const [found] = await client.query<{ userId: number }>(
        `SELECT user_id AS "userId" FROM identities WHERE issuer = $1 AND subject = $2`,
        [issuer, subject],
      )
      return found?.userId ?? null
    },
    link: ({ issuer, subject, userId, linkedAt }, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const linked = await tx.query(
          `INSERT INTO identities (issuer, subject, user_id, linked_at)
           SELECT $1, $2, id, $3 FROM users WHERE id = $4 AND deactivated_at IS NULL ON CONFLICT DO NOTHING RETURNING 1`,
          [issuer, subject, linkedAt, userId],
        )
        if (linked.length > 0) writeAudit(tx, entry)
        return linked.length > 0
      }),
    unlink: (userId, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const { length } = await tx.query("DELETE FROM identities WHERE user_id = $1 RETURNING 1", [userId])
        if (length > 0) writeAudit(tx, entry)
        return length
      }),
  }
}

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createSourcesOfLogins(client: Client) {
  return {
    async lastLoginFrom(userId, source) {
      const [found] = await client.query<{ usedAt: number }>(
        `SELECT used_at AS "usedAt" FROM login_sources WHERE user_id = $1 AND source = $2`,
        [userId, source],
      )
      return found?.usedAt ?? null
    },
    async saveLoginSources(logins) {
      // One statement cannot update a row twice, so of several log-ins from one source only the last is stored.
      const uses = [...new Map(logins.map((login) => [`${login.userId} ${login.source}`, login])).values()]
      await client.change(
        `INSERT INTO login_sources (user_id, source, used_at)
         SELECT used.* FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS used (user_id, source, used_at)
           JOIN users ON id = used.user_id AND erased_at IS NULL
         ON CONFLICT (user_id, source) DO UPDATE SET used_at = excluded.used_at`,
        [uses.map(({ userId }) => userId), uses.map(({ source }) => source), uses.map(({ usedAt }) => usedAt)],
      )
    },
    pruneLoginSources: createPruning(client, {
      table: "login_sources",
      key: "user_id, source",
      condition: "used_at < $1",
    }),
  } satisfies Partial<UserStore>
}
