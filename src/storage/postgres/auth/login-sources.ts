import type { UserStore } from "../../../domain/store.ts"
import type { Client } from "../database/client.ts"

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createLoginSources(client: Client) {
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
      await client.query(
        `INSERT INTO login_sources (user_id, source, used_at)
         SELECT used.* FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS used (user_id, source, used_at)
           JOIN users ON id = used.user_id AND erased_at IS NULL
         ON CONFLICT (user_id, source) DO UPDATE SET used_at = excluded.used_at`,
        [uses.map(({ userId }) => userId), uses.map(({ source }) => source), uses.map(({ usedAt }) => usedAt)],
      )
    },
    async pruneLoginSources(usedBefore) {
      await client.query("DELETE FROM login_sources WHERE used_at < $1", [usedBefore])
    },
  } satisfies Partial<UserStore>
}
