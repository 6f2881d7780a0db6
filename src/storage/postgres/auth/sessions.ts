import { DomainError } from "../../../domain/errors.ts"
import type { OpenSession, Session } from "../../../domain/model.ts"
import type { SessionStore } from "../../../domain/store.ts"
import { writeAudit } from "../audit.ts"
import type { Client, Transaction } from "../database/client.ts"
import { cacheByTick } from "../database/gather.ts"
import { lockAccounts } from "../database/locks.ts"

const sessionColumns = `id_hash AS "idHash", username, expires_at AS "expiresAt"`

/** `SessionStore`. A session that one process ends has ended in all. */
export function createSessionStore(client: Client): SessionStore {
  const find = cacheByTick<Session>(client, {
    columns: sessionColumns,
    join: "sessions ON id_hash = ANY($1)",
    key: "idHash",
  })

  return {
    open: ({ idHash, username, expiresAt, openedAt, address }, replaces, refreshVersion) =>
      client.transaction(async (tx) => {
        if (replaces !== null) end(tx, replaces)
        if (refreshVersion !== undefined) {
          // Locks the user, so that a change at this moment finds the session and ends it.
          const [user] = await tx.query("SELECT FROM users WHERE username = $1 AND refresh_version = $2 FOR SHARE", [
            username,
            refreshVersion,
          ])
          if (!user) throw new DomainError("bad_login")
        }
        tx.send(
          "INSERT INTO sessions (id_hash, username, expires_at, opened_at, address) VALUES ($1, $2, $3, $4, $5)",
          [idHash, username, expiresAt, openedAt, address],
        )
      }),
    async find(idHash, now) {
      const session = await find(idHash)
      return session !== null && session.expiresAt > now ? session : null
    },
    list: (username, now) =>
      client.query<OpenSession>(
        `SELECT ${sessionColumns}, opened_at AS "openedAt", address FROM sessions
         WHERE expires_at > $1 AND ($2::text IS NULL OR username = $2) ORDER BY username, expires_at DESC, id_hash`,
        [now, username],
      ),
    end: (idHash, entry) =>
      client.transaction(async (tx) => {
        writeAudit(tx, entry)
        end(tx, idHash)
      }),
    async prune(now) {
      // Checked without a lock first: there is rarely anything to prune.
      const [expired] = await client.query("SELECT FROM sessions WHERE expires_at <= $1 LIMIT 1", [now])
      if (!expired) return
      await client.transaction(async (tx) => {
        lockAccounts(tx)
        tx.send("DELETE FROM sessions WHERE expires_at <= $1", [now])
      })
    },
    async accessChanges() {
      const [row] = await client.query<{ count: number }>("SELECT count FROM access_changes")
      if (!row) throw new Error("the row of access_changes is missing")
      return row.count
    },
  }
}

function end(tx: Transaction, idHash: string) {
  lockAccounts(tx)
  tx.send("DELETE FROM sessions WHERE id_hash = $1", [idHash])
}
