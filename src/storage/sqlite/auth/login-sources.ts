import { and, eq, lt } from "drizzle-orm"
import type { UserStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { loginSources } from "../database/schema.ts"

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createSources({ client, db, write }: Connection) {
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
    pruneLoginSources: async (usedBefore) => {
      await write(() => db.delete(loginSources).where(lt(loginSources.usedAt, usedBefore)).run())
    },
  } satisfies Partial<UserStore>
}
