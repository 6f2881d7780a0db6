import type { IdentityStore } from "../../domain/auth/ports.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { writeAudit } from "../audit.ts"
import type { Database } from "../database.ts"
import { prune } from "../pruning.ts"
import { fields, records, select, sql } from "../sql.ts"
import { identities, loginSources, users } from "../tables.ts"
import { lockAccounts } from "./access.ts"

const linked = fields({ userId: identities.userId })
const used = fields({ usedAt: loginSources.usedAt })

/** The accounts at a single sign-on provider by which users log in. */
export function createIdentityStore(db: Database): IdentityStore {
  return {
    async find(issuer, subject) {
      const found = await db.first(
        select(
          linked,
        )`FROM ${identities} WHERE ${identities.issuer} = ${issuer} AND ${identities.subject} = ${subject}`,
      )
      return found?.userId ?? null
    },
    link: ({ issuer, subject, userId, linkedAt }, entry) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const added = await tx.run(sql`
          INSERT INTO ${identities} (issuer, subject, user_id, linked_at)
          SELECT ${issuer}::text, ${subject}::text, ${users.id}, ${linkedAt}::bigint FROM ${users}
          WHERE ${users.id} = ${userId} AND ${users.deactivatedAt} IS NULL ON CONFLICT DO NOTHING`)
        if (added > 0) writeAudit(tx, entry)
        return added > 0
      }),
    unlink: (userId, entry) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const removed = await tx.run(sql`DELETE FROM ${identities} WHERE ${identities.userId} = ${userId}`)
        if (removed > 0) writeAudit(tx, entry)
        return removed
      }),
  }
}

/** The part of `UserStore` about the addresses from which users have logged in. */
export function createSourcesOfLogins(db: Database) {
  return {
    async lastLoginFrom(userId, source) {
      const found = await db.first(
        select(used)`FROM ${loginSources}
          WHERE ${loginSources.userId} = ${userId} AND ${loginSources.source} = ${source}`,
      )
      return found?.usedAt ?? null
    },
    async saveLoginSources(logins) {
      // One statement cannot update a row twice, so of several log-ins from one source only the last is stored.
      const uses = [...new Map(logins.map((login) => [`${login.userId} ${login.source}`, login])).values()]
      await db.write(async (tx) =>
        tx.send(sql`
          INSERT INTO ${loginSources} (user_id, source, used_at)
          SELECT used."userId", used.source, used."usedAt"
          FROM ${records("used", uses, { userId: "bigint", source: "text", usedAt: "bigint" })}
            JOIN ${users} ON ${users.id} = used."userId" AND ${users.erasedAt} IS NULL
          WHERE true ON CONFLICT (user_id, source) DO UPDATE SET used_at = excluded.used_at`),
      )
    },
    pruneLoginSources: (usedBefore) =>
      prune(db, {
        table: loginSources,
        condition: sql`${loginSources.usedAt} < ${usedBefore}`,
      }),
  } satisfies Partial<UserStore>
}
