import type { AuditEntry } from "../../domain/audit/ports.ts"
import { DomainError, invalid } from "../../domain/errors.ts"
import { hasLeft, type ManagedUser, nobody } from "../../domain/people/managers.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { managementDept } from "../../domain/people/roles.ts"
import { countOf, type Database, exists, type Reads, type Tx } from "../database.ts"
import { fields, list, type SQL, select, sql } from "../sql.ts"
import { audit, users } from "../tables.ts"

const managed = fields({ id: users.id, username: users.username, managerId: users.managerId })

export const createManagerReads = (db: Database): Pick<UserStore, "managersAbove" | "reportsOf" | "countReports"> => ({
  managersAbove: (userIds) => managersAbove(db, userIds),
  async reportsOf(userId, depth, limit) {
    const found = await db.all(depth === "direct" ? directReports(userId, limit) : allReports(userId, limit))
    return found.map(({ id }) => id)
  },
  countReports: (userId) =>
    countOf(db, sql`${users} WHERE ${users.managerId} = ${userId} AND ${users.deactivatedAt} IS NULL`),
})

const directReports = (userId: number, limit: number) => sql<{ id: number }>`SELECT ${users.id} AS id FROM ${users}
  WHERE ${users.managerId} = ${userId} AND ${users.deactivatedAt} IS NULL ORDER BY ${users.id} LIMIT ${limit}`

/** Ends in a circle too, because UNION adds nobody twice. Nobody reports to a person who has left. */
const allReports = (userId: number, limit: number) => sql<{ id: number }>`WITH RECURSIVE team (id) AS (
    SELECT ${users.id} FROM ${users} WHERE ${users.managerId} = ${userId} AND ${users.deactivatedAt} IS NULL
    UNION
    SELECT ${users.id} FROM team JOIN ${users} ON ${users.managerId} = team.id AND ${users.deactivatedAt} IS NULL
  ) SELECT id FROM team WHERE id <> ${userId} LIMIT ${limit}`

/** These users and everybody above them. */
export const managersAbove = (reads: Reads, userIds: readonly number[]): Promise<ManagedUser[]> =>
  reads.all(select(managed)`FROM ${users} WHERE ${users.id} IN (
    WITH RECURSIVE above (id) AS (
      SELECT value FROM ${list("asked", userIds, "bigint")}
      UNION
      SELECT ${users.managerId} FROM above JOIN ${users} ON ${users.id} = above.id
        WHERE ${users.managerId} IS NOT NULL
    ) SELECT id FROM above)`)

/**
 * Refuses a manager who has left, or who reports to the user. Call `lockAccounts` first: then no other change can close a
 * circle together with this one.
 * @throws DomainError `invalid`, `manager_cycle`
 */
export async function checkManager(tx: Tx, userId: number, managerId: number): Promise<void> {
  if (await exists(tx, sql`${users} WHERE ${users.id} = ${managerId} AND ${users.deactivatedAt} IS NOT NULL`))
    throw invalid("manager", hasLeft)
  if ((await managersAbove(tx, [managerId])).some(({ id }) => id === userId)) throw new DomainError("manager_cycle")
}

/**
 * Those who report to somebody who leaves report to that person's manager from then on. If that manager deactivates the account
 * and is no superuser, they report to the next manager above, because nobody gets a team by the duty `people`. `entry` says who
 * deactivates it.
 */
export function handOverReports(tx: Pick<Tx, "send">, leaverId: number, entry: AuditEntry | undefined) {
  const who = entry?.way === "http" ? entry.who : null
  const next = sql`SELECT CASE WHEN next.username = ${who}::text AND next.dept <> ${managementDept} THEN next.manager_id
      ELSE next.id END
    FROM ${users} AS leaver JOIN ${users} AS next ON next.id = leaver.manager_id WHERE leaver.id = ${leaverId}`
  if (entry !== undefined)
    tx.send(sql`INSERT INTO ${audit} (at, action, who, whom, way, address, count, detail, before_values, after_values)
      SELECT ${entry.at}::bigint, 'manager_changed', ${entry.who}::text, ${users.username}, ${entry.way}::text,
        ${entry.address}::text, 1, leaver.username || ' -> ' || coalesce(heir.username, ${nobody}::text),
        ${managerAs(sql`leaver.username`)}, ${managerAs(sql`heir.username`)}
      FROM ${users} JOIN ${users} AS leaver ON leaver.id = ${users.managerId} LEFT JOIN ${users} AS heir ON heir.id = (${next})
      WHERE leaver.id = ${leaverId} ORDER BY ${users.id}`)
  tx.send(sql`UPDATE ${users} SET manager_id = (${next}) WHERE ${users.managerId} = ${leaverId}`)
}

/** A username as the values of an entry have it. No username has a backslash. */
const managerAs = (username: SQL) =>
  sql`'{"manager":' || coalesce('"' || replace(${username}, '"', '\\"') || '"', 'null') || '}'`
