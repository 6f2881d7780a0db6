import type { AuditEntry, AuditStore } from "../domain/audit/ports.ts"
import type { Database, Tx } from "./database.ts"
import { prune } from "./pruning.ts"
import { columnsOf, fields, row, select, sql } from "./sql.ts"
import { audit, auditRetention } from "./tables.ts"

const entry = fields(columnsOf(audit))

export const createAuditStore = (db: Database): AuditStore => ({
  append: (entries) => db.write(async (tx) => writeAudit(tx, ...entries)),
  async list({ user = null, action = null, since = 0, limit }) {
    const newest = await db.all(select(entry)`FROM ${audit}
      WHERE (${user}::text IS NULL OR ${audit.who} = ${user} OR ${audit.whom} = ${user})
        AND (${action}::text IS NULL OR ${audit.action} = ${action}) AND ${audit.at} >= ${since}
      ORDER BY ${audit.id} DESC LIMIT ${limit}`)
    return newest.toReversed()
  },
  prune: (before) =>
    prune(db, { table: audit, condition: sql`${audit.at} < ${before}` }, (tx) =>
      tx.send(sql`UPDATE ${auditRetention} SET since = ${before} WHERE ${auditRetention.since} < ${before}`),
    ),
})

/** Writes audit entries in the commit of the change that they describe. */
export function writeAudit(tx: Pick<Tx, "send">, ...entries: readonly (AuditEntry | undefined)[]) {
  for (const written of entries) if (written !== undefined) tx.send(sql`INSERT INTO ${audit} ${row(audit, written)}`)
}
