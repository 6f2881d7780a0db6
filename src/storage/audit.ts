import type { AuditEntry, AuditStore, EntryOf } from "../domain/audit/ports.ts"
import { nextTick } from "../domain/ticks.ts"
import { type Database, largestOf, type Tx } from "./database.ts"
import { prune } from "./pruning.ts"
import { columnsOf, fields, row, select, sql } from "./sql.ts"
import { audit, auditRetention } from "./tables.ts"

const entry = fields(columnsOf(audit))

/** How many entries one statement looks at: a millisecond or two. */
const idsAtOnce = 1000

export const createAuditStore = (db: Database): AuditStore => ({
  append: (entries) => db.write(async (tx) => writeAudit(tx, ...entries)),
  async list({ user = null, action = null, since = 0, limit }) {
    const newest = await db.all(select(entry)`FROM ${audit}
      WHERE (${user}::text IS NULL OR ${audit.who} = ${user} OR ${audit.whom} = ${user})
        AND (${action}::text IS NULL OR ${audit.action} = ${action}) AND ${audit.at} >= ${since}
      ORDER BY ${audit.id} DESC LIMIT ${limit}`)
    return newest.toReversed()
  },
  async *slices({ who = null, action = null, since = 0, until = Number.MAX_SAFE_INTEGER }, before) {
    const last = await largestOf(db, audit.id)
    for (let top = Math.min(before ?? last + 1, last + 1); top > 1; top -= idsAtOnce) {
      yield await db.all(select(entry)`FROM ${audit}
        WHERE ${audit.id} < ${top} AND ${audit.id} >= ${top - idsAtOnce}
          AND (${who}::text IS NULL OR ${audit.who} = ${who}) AND (${action}::text IS NULL OR ${audit.action} = ${action})
          AND ${audit.at} >= ${since} AND ${audit.at} < ${until} ORDER BY ${audit.id} DESC`)
      await nextTick()
    }
  },
  prune: (before) =>
    prune(db, { table: audit, condition: sql`${audit.at} < ${before}` }, (tx) =>
      tx.send(sql`UPDATE ${auditRetention} SET since = ${before} WHERE ${auditRetention.since} < ${before}`),
    ),
})

/** The entry about a change of a thing. */
export const entryOf = <Thing>(entry: EntryOf<Thing>, before: Thing, after: Thing): AuditEntry =>
  typeof entry === "function" ? entry(before, after) : entry

/** Writes audit entries in the commit of the change that they describe. */
export function writeAudit(tx: Pick<Tx, "send">, ...entries: readonly (AuditEntry | undefined)[]) {
  for (const written of entries) if (written !== undefined) tx.send(sql`INSERT INTO ${audit} ${row(audit, written)}`)
}
