import type { IdentityStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"

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
