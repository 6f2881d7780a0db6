import { and, desc, eq, gt } from "drizzle-orm"
import { DomainError } from "../../../domain/errors.ts"
import type { Session } from "../../../domain/model.ts"
import type { SessionStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import { sessions, users } from "../database/schema.ts"

export function createSessionStore(connection: Connection): SessionStore {
  const { client, db, write } = connection
  const writeAudit = createAuditWriter(connection)
  // Raw SQL, like the look-up of a user, because every request with a session runs both.
  const find = client.prepare<Session, [string, number]>(
    `SELECT id_hash AS idHash, username, expires_at AS expiresAt FROM sessions
     WHERE id_hash = ? AND expires_at > ?`,
  )
  const changes = client.prepare<{ count: number }, []>("SELECT count FROM access_changes")
  // Raw SQL, because Drizzle takes 3 ms for its first query, and every server cleans up soon after its start.
  const prune = client.prepare<unknown, [number]>("DELETE FROM sessions WHERE expires_at <= ?")
  const end = (idHash: string) => db.delete(sessions).where(eq(sessions.idHash, idHash)).run()
  const refreshVersionOf = (username: string) =>
    db.select({ refreshVersion: users.refreshVersion }).from(users).where(eq(users.username, username)).get()
      ?.refreshVersion

  return {
    open: async (session, replaces, refreshVersion) =>
      write(() => {
        if (refreshVersion !== undefined && refreshVersionOf(session.username) !== refreshVersion)
          throw new DomainError("bad_login")
        if (replaces !== null) end(replaces)
        db.insert(sessions).values(session).run()
      }),
    find: async (idHash, now) => find.get(idHash, now),
    list: async (username, now) =>
      db
        .select()
        .from(sessions)
        .where(and(gt(sessions.expiresAt, now), username === null ? undefined : eq(sessions.username, username)))
        .orderBy(sessions.username, desc(sessions.expiresAt), sessions.idHash)
        .all(),
    end: (idHash, entry) =>
      write(() => {
        writeAudit(entry)
        end(idHash)
      }),
    prune: async (now) => {
      await write(() => prune.run(now))
    },
    accessChanges: async () => {
      const row = changes.get()
      if (!row) throw new Error("the row of access_changes is missing")
      return row.count
    },
  }
}
