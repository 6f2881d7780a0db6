import { and, eq, gt, lte, sql } from "drizzle-orm"
import type { SessionStore } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { sessions } from "./schema.ts"

export function createSessionStore({ db, write }: Connection): SessionStore {
  const find = db
    .select()
    .from(sessions)
    .where(and(eq(sessions.idHash, sql.placeholder("idHash")), gt(sessions.expiresAt, sql.placeholder("now"))))
    .prepare()
  const end = (idHash: string) => db.delete(sessions).where(eq(sessions.idHash, idHash)).run()

  return {
    open: async (session, replaces) =>
      write(() => {
        if (replaces !== null) end(replaces)
        db.insert(sessions).values(session).run()
      }),
    find: async (idHash, now) => find.get({ idHash, now }) ?? null,
    end: async (idHash) => {
      write(() => end(idHash))
    },
    prune: async (now) => {
      write(() => db.delete(sessions).where(lte(sessions.expiresAt, now)).run())
    },
  }
}
