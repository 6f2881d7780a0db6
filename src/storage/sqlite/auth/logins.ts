import { and, eq } from "drizzle-orm"
import type { IdentityStore, UserStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import { createPruning } from "../database/pruning.ts"
import { loginSources } from "../database/schema.ts"

export function createIdentityStore(connection: Connection): IdentityStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const find = client.prepare<{ userId: number }, [string, string]>(
    "SELECT user_id AS userId FROM identities WHERE issuer = ? AND subject = ?",
  )
  const link = client.prepare<unknown, [string, string, number, number]>(
    `INSERT INTO identities (issuer, subject, user_id, linked_at)
     SELECT ?, ?, id, ? FROM users WHERE id = ? AND deactivated_at IS NULL ON CONFLICT DO NOTHING`,
  )
  const unlink = client.prepare<unknown, [number]>("DELETE FROM identities WHERE user_id = ?")

  return {
    find: async (issuer, subject) => find.get(issuer, subject)?.userId ?? null,
    link: async ({ issuer, subject, userId, linkedAt }, entry) =>
      write(() => {
        const isLinked = link.run(issuer, subject, linkedAt, userId).changes > 0
        if (isLinked) writeAudit(entry)
        return isLinked
      }),
    unlink: async (userId, entry) =>
      write(() => {
        const { changes } = unlink.run(userId)
        if (changes > 0) writeAudit(entry)
        return changes
      }),
  }
}

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createSourcesOfLogins({ client, db, write }: Connection) {
  const save = client.prepare<unknown, [number, string, number]>(
    `INSERT INTO login_sources (user_id, source, used_at) SELECT id, ?2, ?3 FROM users WHERE id = ?1 AND erased_at IS NULL
     ON CONFLICT (user_id, source) DO UPDATE SET used_at = excluded.used_at`,
  )

  return {
    lastLoginFrom: async (userId, source) =>
      db
        .select({ usedAt: loginSources.usedAt })
        .from(loginSources)
        .where(and(eq(loginSources.userId, userId), eq(loginSources.source, source)))
        .get()?.usedAt ?? null,
    saveLoginSources: async (uses) =>
      write(() => {
        for (const { userId, source, usedAt } of uses) save.run(userId, source, usedAt)
      }),
    pruneLoginSources: createPruning(
      { client, write },
      { table: "login_sources", key: "user_id, source", condition: "used_at < ?1" },
    ),
  } satisfies Partial<UserStore>
}
