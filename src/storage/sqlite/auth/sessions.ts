import { DomainError } from "../../../domain/errors.ts"
import type { OpenSession, Session } from "../../../domain/model.ts"
import type { SessionStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"

export function createSessionStore(connection: Connection): SessionStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const find = client.prepare<Session, [string, number]>(
    `SELECT id_hash AS idHash, username, expires_at AS expiresAt FROM sessions
     WHERE id_hash = ? AND expires_at > ?`,
  )
  const changes = client.prepare<{ count: number }, []>("SELECT count FROM access_changes")
  const prune = client.prepare<unknown, [number]>("DELETE FROM sessions WHERE expires_at <= ?")
  const open = client.prepare<unknown, [string, string, number, number | null, string | null]>(
    "INSERT INTO sessions (id_hash, username, expires_at, opened_at, address) VALUES (?, ?, ?, ?, ?)",
  )
  const version = client.prepare<{ refreshVersion: number }, [string]>(
    "SELECT refresh_version AS refreshVersion FROM users WHERE username = ?",
  )
  const listed = (whose: string) =>
    `SELECT id_hash AS idHash, username, expires_at AS expiresAt, opened_at AS openedAt, address FROM sessions
     WHERE expires_at > ? ${whose} ORDER BY username, expires_at DESC, id_hash`
  const all = client.prepare<OpenSession, [number]>(listed(""))
  const ofOne = client.prepare<OpenSession, [number, string]>(listed("AND username = ?"))
  const end = client.prepare<unknown, [string]>("DELETE FROM sessions WHERE id_hash = ?")

  return {
    open: async ({ idHash, username, expiresAt, openedAt, address }, replaces, refreshVersion) =>
      write(() => {
        if (refreshVersion !== undefined && version.get(username)?.refreshVersion !== refreshVersion)
          throw new DomainError("bad_login")
        if (replaces !== null) end.run(replaces)
        open.run(idHash, username, expiresAt, openedAt, address)
      }),
    find: async (idHash, now) => find.get(idHash, now),
    list: async (username, now) => (username === null ? all.all(now) : ofOne.all(now, username)),
    end: (idHash, entry) =>
      write(() => {
        writeAudit(entry)
        end.run(idHash)
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
