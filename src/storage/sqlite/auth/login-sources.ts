import { and, eq, lt } from "drizzle-orm"
import type { UserStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { loginSources } from "../database/schema.ts"

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createSources({ db, write }: Connection) {
  return {
    lastLoginFrom: async (userId, source) =>
      db
        .select({ usedAt: loginSources.usedAt })
        .from(loginSources)
        .where(and(eq(loginSources.userId, userId), eq(loginSources.source, source)))
        .get()?.usedAt ?? null,
    saveLoginSources: async (uses) =>
      write(() => {
        for (const use of uses)
          db.insert(loginSources)
            .values(use)
            .onConflictDoUpdate({ target: [loginSources.userId, loginSources.source], set: { usedAt: use.usedAt } })
            .run()
      }),
    pruneLoginSources: async (usedBefore) => {
      await write(() => db.delete(loginSources).where(lt(loginSources.usedAt, usedBefore)).run())
    },
  } satisfies Partial<UserStore>
}
