import type { AuditEntry, AuditStore, AuditValues, EntryOf } from "../domain/audit/ports.ts"
import { joinedProfiles } from "../domain/people/changes.ts"
import { type Database, largestOf, type Tx } from "./database.ts"
import { prune } from "./pruning.ts"
import { columnsOf, fields, row, select, set, sql } from "./sql.ts"
import { audit, auditRetention, renames, users } from "./tables.ts"

const entry = fields(columnsOf(audit))

/** How many entries one statement looks at: a millisecond or two. */
const idsAtOnce = 500

export const createAuditStore = (db: Database): AuditStore => ({
  append: (entries) => db.write(async (tx) => writeAudit(tx, ...entries)),
  async list({ user = null, action = null, since = 0, limit }) {
    const newest = await db.all(select(entry)`FROM ${audit}
      WHERE (${user}::text IS NULL OR ${audit.who} IN ${namesOf(user)} OR ${audit.whom} IN ${namesOf(user)})
        AND (${action}::text IS NULL OR ${audit.action} = ${action}) AND ${audit.at} >= ${since}
      ORDER BY ${audit.id} DESC LIMIT ${limit}`)
    return newest.toReversed()
  },
  async *slices({ who = null, action = null, since = 0, until = Number.MAX_SAFE_INTEGER }, before) {
    const reads = db.reports()
    const last = await largestOf(reads, audit.id)
    for (let top = Math.min(before ?? last + 1, last + 1); top > 1; top -= idsAtOnce) {
      yield await reads.all(select(entry)`FROM ${audit}
        WHERE ${audit.id} < ${top} AND ${audit.id} >= ${top - idsAtOnce}
          AND (${who}::text IS NULL OR ${audit.who} IN ${namesOf(who)}) AND (${action}::text IS NULL OR ${audit.action} = ${action})
          AND ${audit.at} >= ${since} AND ${audit.at} < ${until} ORDER BY ${audit.id} DESC`)
    }
  },
  prune: (before) =>
    prune(db, { table: audit, condition: sql`${audit.at} < ${before}` }, (tx) =>
      tx.send(sql`UPDATE ${auditRetention} SET since = ${before} WHERE ${auditRetention.since} < ${before}`),
    ),
})

/** A username, and those that its present owner had before. */
const namesOf = (username: string | null) => sql`(SELECT ${username}::text UNION ALL
  SELECT ${renames.username} FROM ${users} CROSS JOIN ${renames}
    WHERE ${users.username} = ${username} AND ${renames.userId} = ${users.id})`

/** The entry about a change of a thing. */
export const entryOf = <Thing>(entry: EntryOf<Thing>, before: Thing, after: Thing): AuditEntry =>
  typeof entry === "function" ? entry(before, after) : entry

/**
 * Writes audit entries in the commit of the change that they describe. An entry that equals an earlier one of the same minute joins
 * it: the earlier one gets the new time and a higher count.
 */
export function writeAudit(tx: Pick<Tx, "send">, ...entries: readonly (AuditEntry | undefined)[]) {
  for (const written of entries) {
    if (written === undefined) continue
    const { at, action, who, whom, way, address, count, detail } = written
    const [before, after] = [jsonOf(written.before), jsonOf(written.after)]
    const equal = sql`(SELECT max(id) FROM ${recent(written)} WHERE ${isOfSame(written)}
      AND detail IS NOT DISTINCT FROM ${detail}::text
      AND before_values IS NOT DISTINCT FROM ${before}::text AND after_values IS NOT DISTINCT FROM ${after}::text)`
    tx.send(sql`UPDATE ${audit} SET at = ${at}, count = count + ${count} WHERE ${audit.id} = ${equal}`)
    tx.send(sql`INSERT INTO ${audit} (at, action, who, whom, way, address, count, detail, before_values, after_values)
      SELECT ${at}::bigint, ${action}::text, ${who}::text, ${whom}::text, ${way}::text, ${address}::text, ${count}::bigint,
        ${detail}::text, ${before}::text, ${after}::text WHERE ${equal} IS NULL`)
  }
}

/** The same for the entries of one change of many people. None of them equals another entry. */
export function writeManyAudits(tx: Pick<Tx, "send">, entries: readonly AuditEntry[]) {
  for (const written of entries) tx.send(sql`INSERT INTO ${audit} ${row(audit, written)}`)
}

/**
 * Writes an entry about what people changed in their own profile (`isOwnProfile`). It joins the newest entry about the profile, if
 * they made that in this minute (`joinedProfiles`), so that nobody fills the log with their own words.
 */
export async function writeProfileAudit(tx: Tx, written: AuditEntry) {
  const newest = await tx.first(select(entry)`FROM ${audit}
    WHERE ${audit.id} = (SELECT max(id) FROM ${recent(written)}) AND ${isOfSame(written)} AND detail IS NULL`)
  if (newest === null) return writeAudit(tx, written)
  const { id, at, count, before, after } = joinedProfiles(newest, written)
  await tx.run(sql`UPDATE ${audit} SET ${set(audit, { at, count, before, after })} WHERE ${audit.id} = ${id}`)
}

/** How many entries are compared with a new one. */
const comparedEntries = 50

/** The newest entries of the same minute with the same action about the same person, as a table. */
const recent = ({ at, action, whom }: AuditEntry) =>
  sql`(SELECT * FROM ${audit} WHERE action = ${action} AND coalesce(whom, '') = ${whom ?? ""}
    AND at >= ${minuteOf(at)} AND at <= ${at} ORDER BY at DESC, id DESC LIMIT ${comparedEntries}) AS recent`

/** Whether the same actor made an entry, in the same way. */
const isOfSame = ({ who, whom, way, address }: AuditEntry) =>
  sql`who IS NOT DISTINCT FROM ${who}::text AND whom IS NOT DISTINCT FROM ${whom}::text AND way = ${way}
    AND address IS NOT DISTINCT FROM ${address}::text`

const minuteOf = (at: number): number => at - (at % 60_000)

const jsonOf = (values: AuditValues | null): string | null => values && JSON.stringify(values)
