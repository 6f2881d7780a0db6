import type { IdentityStore } from "../../../domain/store.ts"
import { writeAudit } from "../audit.ts"
import type { Client } from "../database/client.ts"
import { lockAccounts } from "../people/lock.ts"

export function createIdentityStore(client: Client): IdentityStore {
  return {
    async find(issuer, subject) {
      const [found] = await client.query<{ userId: number }>(
        `SELECT user_id AS "userId" FROM identities WHERE issuer = $1 AND subject = $2`,
        [issuer, subject],
      )
      return found?.userId ?? null
    },
    link: ({ issuer, subject, userId, linkedAt }, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const linked = await tx.query(
          `INSERT INTO identities (issuer, subject, user_id, linked_at)
           SELECT $1, $2, id, $3 FROM users WHERE id = $4 AND deactivated_at IS NULL ON CONFLICT DO NOTHING RETURNING 1`,
          [issuer, subject, linkedAt, userId],
        )
        if (linked.length > 0) writeAudit(tx, entry)
        return linked.length > 0
      }),
    unlink: (userId, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const { length } = await tx.query("DELETE FROM identities WHERE user_id = $1 RETURNING 1", [userId])
        if (length > 0) writeAudit(tx, entry)
        return length
      }),
  }
}
