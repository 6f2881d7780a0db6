import type { Allowance, Audience, ListedAllowance, NewAllowance } from "../domain/allowances/model.ts"
import type { AllowanceStore } from "../domain/allowances/ports.ts"
import { writeAudit } from "./audit.ts"
import { type Database, one, type Reads, type Tx } from "./database.ts"
import { remember } from "./idempotency.ts"
import { columnsOf, fields, list, returning, row, type SQL, select, set, sql } from "./sql.ts"
import { allowanceMembers, allowanceRuns, allowances, balances, users } from "./tables.ts"

/** An allowance without the ids of the people whom it names. */
const listed = {
  ...columnsOf(allowances, "removedAt"),
  lastRunAt: sql<number | null>`(SELECT max(${allowanceRuns.begunAt}) FROM ${allowanceRuns}
    WHERE ${allowanceRuns.allowanceId} = ${allowances.id})`,
}
/** The ids of the people whom an allowance names, as a JSON array. */
const userIds = sql<string>`(SELECT '[' || coalesce(string_agg(user_id::text, ',' ORDER BY user_id), '') || ']'
  FROM ${allowanceMembers} WHERE ${allowanceMembers.allowanceId} = ${allowances.id})`
const listedAllowance = fields(listed)
const allowance = fields({ ...listed, userIds })
const newAllowance = fields({ id: allowances.id })

const run = fields(columnsOf(allowanceRuns))
const member = fields({
  id: users.id,
  username: users.username,
  name: users.name,
  balance: sql<number>`coalesce(${balances.value}, 0)`,
  earned: sql<number>`coalesce(${balances.earned}, 0)`,
})

const present = sql`${allowances} WHERE ${allowances.removedAt} IS NULL`

/** `allowances.audience` of one that names people. */
const named = sql`'{"named":true}'`
/** `audience` of one for a department. Compared as text, because a damaged one may be no JSON. */
export const audienceOfDept = (dept: string): string => JSON.stringify({ dept })

export function createAllowanceStore(db: Database): AllowanceStore {
  return {
    list: () => db.all(select(listedAllowance)`FROM ${present} ORDER BY ${allowances.id}`),
    listFor: ({ id, dept }) =>
      db.all(select(listedAllowance)`FROM ${present} AND CASE ${allowances.audience}
        WHEN '{"everyone":true}' THEN TRUE
        WHEN ${named} THEN EXISTS (SELECT 1 FROM ${allowanceMembers}
          WHERE ${allowanceMembers.allowanceId} = ${allowances.id} AND ${allowanceMembers.userId} = ${id})
        ELSE ${allowances.audience} = ${audienceOfDept(dept)}
      END ORDER BY ${allowances.id}`),
    async usernamesOf(id) {
      const people = await db.all(
        sql<{ username: string }>`SELECT ${users.username} AS username
          FROM ${allowanceMembers} CROSS JOIN ${users} WHERE ${users.id} = ${allowanceMembers.userId}
            AND ${allowanceMembers.allowanceId} = ${id} ORDER BY ${allowanceMembers.userId}`,
      )
      return people.map(({ username }) => username)
    },
    find: (id) => find(db, id),
    create: (created, audit, once) =>
      db.write(async (tx) => {
        writeAudit(tx, audit)
        const { id } = await one(
          tx,
          returning(newAllowance)`INSERT INTO ${allowances} ${row(allowances, stored(created))}`,
        )
        saveNamed(tx, id, created.audience)
        return remember(tx, once, { ...created, id, lastRunAt: null })
      }),
    update: (id, change) =>
      db.write(async (tx) => {
        tx.send(sql`SELECT 1 FROM ${allowances} WHERE ${allowances.id} = ${id} FOR UPDATE`)
        const before = await find(tx, id)
        if (before === null) return null
        const { after, audit } = change(before)
        const { id: _, lastRunAt: __, ...changed } = after
        const { audience, ...others } = stored(changed)
        const columns = "damaged" in audience ? others : { ...others, audience } // what is damaged stays for `verify`
        tx.send(sql`UPDATE ${allowances} SET ${set(allowances, columns)} WHERE ${allowances.id} = ${id}`)
        if (after.audience !== before.audience) saveNamed(tx, id, after.audience)
        writeAudit(tx, audit)
        return after
      }),
    remove: (id, removedAt, audit) =>
      db.write(async (tx) => {
        const removed = await tx.run(sql`UPDATE ${allowances} SET ${set(allowances, { removedAt })}
          WHERE ${allowances.id} = ${id} AND ${allowances.removedAt} IS NULL`)
        if (removed > 0) writeAudit(tx, audit)
        return removed > 0
      }),
    begin: ({ allowanceId, period, firstDay, begunAt, dueAt }, audit, once) =>
      db.write(async (tx) => {
        // Locked, so that a change at the same moment is seen whole or not at all.
        tx.send(sql`SELECT 1 FROM ${allowances} WHERE ${allowances.id} = ${allowanceId} FOR SHARE`)
        const begun = await tx.first(returning(run)`
          INSERT INTO ${allowanceRuns} (allowance_id, period, first_day, begun_at, value, mode, audience, reason)
          SELECT ${allowances.id}, ${period}::text, ${firstDay}::text, ${begunAt}::bigint, value, mode,
            CASE audience WHEN ${named} THEN '{"userIds":' || ${userIds} || '}' ELSE audience END, reason
          FROM ${allowances} WHERE ${allowances.id} = ${allowanceId} AND ${allowances.removedAt} IS NULL
            AND (${dueAt}::bigint IS NULL OR (${allowances.isActive} = 1 AND ${allowances.dueFrom} <= ${dueAt}))
          ON CONFLICT DO NOTHING`)
        if (begun === null) return null
        writeAudit(tx, audit)
        return remember(tx, once, begun)
      }),
    runOf: (allowanceId, { period, firstDay }) =>
      db.first(select(run)`FROM ${allowanceRuns} WHERE ${allowanceRuns.allowanceId} = ${allowanceId}
        AND ${allowanceRuns.period} = ${period} AND ${allowanceRuns.firstDay} = ${firstDay}`),
    unfinished: () =>
      db.all(select(run)`FROM ${allowanceRuns} WHERE ${allowanceRuns.finishedAt} IS NULL ORDER BY ${allowanceRuns.id}`),
    runs: (allowanceId, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      db.all(select(run)`FROM ${allowanceRuns} WHERE ${allowanceRuns.allowanceId} = ${allowanceId}
        AND ${allowanceRuns.id} < ${before} ORDER BY ${allowanceRuns.id} DESC LIMIT ${limit}`),
    receivers: (audience, afterId, limit) =>
      db.all(select(member)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
        WHERE ${users.id} > ${afterId} AND ${users.deactivatedAt} IS NULL ${andIn(audience)}
        ORDER BY ${users.id} LIMIT ${limit}`),
  }
}

async function find(reads: Reads, id: number): Promise<Allowance | null> {
  const found = await reads.first(select(allowance)`FROM ${present} AND ${allowances.id} = ${id}`)
  if (found === null) return null
  const { userIds, audience, ...rest } = found
  return { ...rest, audience: "named" in audience ? { userIds: JSON.parse(userIds) as number[] } : audience }
}

/** An allowance as its row has it: whom it names is in `allowance_members`. */
const stored = ({ audience, ...rest }: NewAllowance): Omit<ListedAllowance, "id" | "lastRunAt"> => ({
  ...rest,
  audience: "userIds" in audience ? { named: true } : audience,
})

function saveNamed(tx: Tx, id: number, audience: Allowance["audience"]) {
  tx.send(sql`DELETE FROM ${allowanceMembers} WHERE ${allowanceMembers.allowanceId} = ${id}`)
  if ("userIds" in audience)
    tx.send(sql`INSERT INTO ${allowanceMembers} (allowance_id, user_id)
      SELECT ${id}::bigint, value FROM ${list("named", audience.userIds, "bigint")}`)
}

function andIn(audience: Audience): SQL {
  if ("everyone" in audience) return sql``
  if ("dept" in audience) return sql`AND ${users.dept} = ${audience.dept}`
  return sql`AND ${users.id} IN (SELECT value FROM ${list("named", audience.userIds, "bigint")})`
}
