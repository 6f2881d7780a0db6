import { maxSessions } from "../../domain/auth/model.ts"
import type { SessionStore } from "../../domain/auth/ports.ts"
import { DomainError } from "../../domain/errors.ts"
import { writeAudit } from "../audit.ts"
import { countOf, type Database, exists, one, type Tx } from "../database.ts"
import { cacheByTick, createVersions } from "../gather.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, list, row, select, set, sql } from "../sql.ts"
import { accessChanges, pushDevices, sessions, users } from "../tables.ts"
import { lockAccounts } from "./access.ts"

const session = { idHash: sessions.idHash, username: sessions.username, expiresAt: sessions.expiresAt }
const openSession = fields(columnsOf(sessions, "providedBy"))

/** A session that one process ends has ended in all. */
export function createSessionStore(db: Database, versions = createVersions(db)): SessionStore {
  const find = cacheByTick(db, versions, {
    columns: session,
    join: (idHashes) =>
      sql`${sessions} ON ${sessions.idHash} IN (SELECT value FROM ${list("asked", idHashes, "text")})`,
    key: "idHash",
  })

  return {
    open: (opened, replaces, refreshVersion) =>
      db.write(async (tx) => {
        if (replaces !== null) lockAccounts(tx)
        await endOldest(tx, opened.username, replaces)
        if (refreshVersion !== undefined) {
          // Locks the user, so that a change at this moment finds the session and ends it.
          const isCurrent = await exists(
            tx,
            sql`${users}
            WHERE ${users.username} = ${opened.username} AND ${users.refreshVersion} = ${refreshVersion} FOR SHARE`,
          )
          if (!isCurrent) throw new DomainError("bad_login")
        }
        tx.send(sql`INSERT INTO ${sessions} ${row(sessions, opened)}`)
        if (replaces === null) return
        // Whoever logs in again in the same browser still gets notifications there.
        const { idHash: sessionHash, expiresAt: endsAt, username } = opened
        tx.send(sql`UPDATE ${pushDevices} SET ${set(pushDevices, { sessionHash, endsAt })}
          WHERE ${pushDevices.sessionHash} = ${replaces}
            AND ${pushDevices.userId} = (SELECT ${users.id} FROM ${users} WHERE ${users.username} = ${username})`)
        end(tx, replaces)
      }),
    async find(idHash, now) {
      const found = await find(idHash)
      return found !== null && found.expiresAt > now ? found : null
    },
    list: (username, now) =>
      db.all(select(openSession)`FROM ${sessions}
        WHERE ${sessions.expiresAt} > ${now} AND (${username}::text IS NULL OR ${sessions.username} = ${username})
        ORDER BY ${sessions.username}, ${sessions.expiresAt} DESC, ${sessions.idHash}`),
    ofLogin: (providedBy, now) =>
      db.all(select(fields(session))`FROM ${sessions}
        WHERE ${sessions.providedBy} = ${providedBy} AND ${sessions.expiresAt} > ${now} ORDER BY ${sessions.idHash}`),
    end: (idHash, entry) =>
      db.write(async (tx) => {
        writeAudit(tx, entry)
        end(tx, idHash)
      }),
    prune: (now) => prune(db, { table: sessions, condition: sql`${sessions.expiresAt} <= ${now}` }, lockAccounts),
    async accessChanges() {
      const { count } = await one(db, sql<{ count: number }>`SELECT count FROM ${accessChanges}`)
      return count
    },
  }
}

function end(tx: Tx, idHash: string) {
  lockAccounts(tx)
  tx.send(sql`DELETE FROM ${sessions} WHERE ${sessions.idHash} = ${idHash}`)
}

/**
 * Makes room for one more session. On PostgreSQL, log-ins at the same moment may go beyond the limit; the next one ends the
 * surplus.
 */
async function endOldest(tx: Tx, username: string, replaced: string | null) {
  const others = sql`${sessions}
    WHERE ${sessions.username} = ${username} AND ${sessions.idHash} IS DISTINCT FROM ${replaced}::text`
  const count = await countOf(tx, others)
  const surplus = count - (maxSessions - 1)
  if (surplus <= 0) return
  lockAccounts(tx)
  tx.send(sql`DELETE FROM ${sessions} WHERE ${sessions.idHash} IN (
    SELECT ${sessions.idHash} FROM ${others}
    ORDER BY coalesce(${sessions.openedAt}, 0), ${sessions.expiresAt} LIMIT ${surplus})`)
}
