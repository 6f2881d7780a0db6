import { DomainError, details } from "../../domain/errors.ts"
import { usernameCaseKey } from "../../domain/people/fields.ts"
import type { StoredCorrection } from "../../domain/people/model.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { type Database, exists, one, type Tx } from "../database.ts"
import { fields, list, row, type SQL, select, sql } from "../sql.ts"
import { renames, sessions, users } from "../tables.ts"
import { isConfusable, renameConfusables, userFields } from "./user-rows.ts"

const former = fields({ renameId: renames.id, formerUsername: renames.username, ...userFields })

/** Who had a username before. */
export function createFormerUsernames(
  db: Database,
): Pick<UserStore, "formerly" | "formerlyAmong" | "formerOf" | "renames"> {
  /** The latest change first. */
  const found = async (condition: SQL) => {
    const rows = await db.all(select(former)`FROM ${renames} CROSS JOIN ${users}
      WHERE ${condition} AND ${users.id} = ${renames.userId} AND ${users.erasedAt} IS NULL ORDER BY ${renames.id} DESC`)
    return rows.map(({ renameId: id, formerUsername: username, ...user }) => ({ id, username, user }))
  }
  return {
    async formerly(username, now) {
      const [latest] = await found(sql`${renames.username} = ${username} AND ${renames.until} > ${now}`)
      return latest?.user ?? null
    },
    formerlyAmong: (usernames, now) =>
      found(
        sql`${renames.username} IN (SELECT value FROM ${list("asked", usernames, "text")}) AND ${renames.until} > ${now}`,
      ),
    async formerOf(userId, now) {
      const rows = await found(sql`${renames.userId} = ${userId} AND ${renames.until} > ${now}`)
      return rows.map(({ username }) => username)
    },
    renames: (ids) => found(sql`${renames.id} IN (SELECT value FROM ${list("asked", ids, "bigint")})`),
  }
}

/** A username that somebody has or had, and the time in which it was nobody else's: from `since` to before `until`. */
export interface HeldUsername {
  readonly username: string
  readonly since: number
  readonly until: number
}

/**
 * The usernames of a person, as the rows of a table: those that the audit log may name them by. A username that another person
 * had before, or has since, is theirs in the time between.
 */
export const heldUsernames = (
  userId: number,
) => sql<HeldUsername>`SELECT held.username AS username, held.until AS until,
    coalesce((SELECT max(other.until) FROM ${renames} AS other
      WHERE other.username = held.username AND other.user_id <> ${userId} AND other.until < held.until), 0) AS since
  FROM (SELECT ${users.username} AS username, ${Number.MAX_SAFE_INTEGER}::bigint AS until FROM ${users}
      WHERE ${users.id} = ${userId}
    UNION ALL SELECT ${renames.username}, max(${renames.until}) FROM ${renames}
      WHERE ${renames.userId} = ${userId} GROUP BY ${renames.username}) AS held`

const isKeyOf = (usernames: readonly string[]) =>
  sql`${renames.usernameKey} IN (SELECT value FROM ${list("keys", usernames.map(usernameCaseKey), "text")})`

/**
 * Refuses former usernames of others than `userId`. Call `lockAccounts` first.
 * @throws DomainError `username_taken`, naming one if there are several
 */
export async function refuseFormer(tx: Tx, usernames: readonly string[], at: number, userId = 0) {
  const taken = await tx.first(sql<{ username: string }>`SELECT ${renames.username} AS username FROM ${renames}
    WHERE ${isKeyOf(usernames)} AND ${renames.until} > ${at} AND ${renames.userId} <> ${userId} LIMIT 1`)
  if (taken === null) return
  const detail = usernames.length === 1 ? undefined : `${details.username_taken}: ${taken.username}`
  throw new DomainError("username_taken", { detail })
}

/**
 * Makes way for a new username: its owner keeps the former one, and the sessions. The row of the user is not changed yet. Call
 * `lockAccounts` first.
 * @throws DomainError `username_taken`, `username_lookalike`
 */
export async function changeUsername(
  tx: Tx,
  userId: number,
  { username, at, until }: NonNullable<StoredCorrection["renamed"]>,
) {
  const { before } = await one(
    tx,
    sql<{ before: string }>`SELECT ${users.username} AS before FROM ${users} WHERE ${users.id} = ${userId}`,
  )
  if (await exists(tx, sql`${users} WHERE ${users.username} = ${username}`)) throw new DomainError("username_taken")
  await refuseFormer(tx, [username], at, userId)
  if (await isConfusable(tx, "username", username, userId)) throw new DomainError("username_lookalike")
  renameConfusables(tx, "username", [{ id: userId, before, after: username }])
  tx.send(sql`UPDATE ${sessions} SET username = ${username} WHERE ${sessions.username} = ${before}`)
  const kept = { userId, username: before, usernameKey: usernameCaseKey(before), until }
  tx.send(sql`INSERT INTO ${renames} ${row(renames, kept)}`)
}
