import { DomainError, details } from "../../domain/errors.ts"
import type { Once } from "../../domain/idempotency/ports.ts"
import { emailKey } from "../../domain/people/fields.ts"
import { inCircles } from "../../domain/people/managers.ts"
import type { NewUser, User, UserChanges } from "../../domain/people/model.ts"
import { searchKey } from "../../domain/people/people-search.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { writeManyAudits } from "../audit.ts"
import { lockAccounts, lockLedger, setActive } from "../auth/access.ts"
import { type Database, DuplicateKey, exists, type Tx } from "../database.ts"
import { remember } from "../idempotency.ts"
import { insertJobs } from "../jobs.ts"
import { slicesOf } from "../slices.ts"
import { columnsOf, fields, list, records, returning, rows, select, set, setFrom, sql, typesOf } from "../sql.ts"
import { users } from "../tables.ts"
import { refuseFormer } from "./former-usernames.ts"
import { managersAbove } from "./managers.ts"
import { addConfusables, findConfusable, newRow, renameConfusables, user } from "./user-rows.ts"

/** An import may have 20,000 rows. */
const patienceMs = 60_000

/** Thrown to roll back an import, because a user has changed since it was planned. */
class Outdated extends Error {}

/** Creates and changes many users in one commit. */
export function createUserMerge(db: Database): Pick<UserStore, "matching" | "merge" | "named"> {
  return {
    matching: ({ usernames, emails }) =>
      db.all(select(user)`FROM ${users}
        WHERE ${users.username} IN (SELECT value FROM ${list("names", usernames, "text")})
          OR ${users.emailKey} IN (SELECT value FROM ${list("keys", emails.map(emailKey), "text")})
        ORDER BY ${users.id}`),
    named: (names) =>
      db.all(select(user)`FROM ${users}
        WHERE ${users.name} IN (SELECT value FROM ${list("names", names, "text")}) ORDER BY ${users.id}`),
    async merge(changes, once) {
      try {
        await db.write((tx) => apply(tx, changes, once), { patienceMs })
        return true
      } catch (error) {
        if (error instanceof Outdated || error instanceof DuplicateKey) return false
        throw error
      }
    },
  }
}

async function apply(
  tx: Tx,
  { create, update, managers = [], entries, jobs }: UserChanges,
  once: Once<true> | undefined,
) {
  if (update.some(changesActive)) lockLedger(tx)
  lockAccounts(tx)
  for (const some of slicesOf(create)) await insertUsers(tx, some, entries[0]?.at ?? 0)
  for (const some of slicesOf(update)) await updateUsers(tx, some)
  const managed: number[] = []
  for (const some of slicesOf(managers)) managed.push(...(await setManagers(tx, some)))
  // Behind all updates: those who report to somebody who leaves are handed over only once.
  for (const { before, after } of update.filter(changesActive)) {
    setActive(tx, before.id, after.deactivatedAt, entries[0])
    await tx.flush()
  }
  await checkManagers(tx, managed)
  for (const some of slicesOf(entries)) {
    writeManyAudits(tx, some)
    await tx.flush()
  }
  for (const some of slicesOf(jobs)) {
    insertJobs(tx, some)
    await tx.flush()
  }
  await remember(tx, once, true)
}

const created = fields({ id: users.id, username: users.username, name: users.name })

async function insertUsers(tx: Tx, newUsers: readonly NewUser[], at: number) {
  await refuseFormer(
    tx,
    newUsers.map(({ username }) => username),
    at,
  )
  const added = await tx.all(returning(created)`INSERT INTO ${users} ${rows(users, newUsers.map(newRow))}`)
  addConfusables(tx, added)
  const taken = await findConfusable(tx, added)
  // Names the refused row, because an import has many.
  if (taken) throw new DomainError("username_lookalike", { detail: `${details.username_lookalike}: ${taken.username}` })
}

type Update = UserChanges["update"][number]

async function updateUsers(tx: Tx, updates: readonly Update[]) {
  const ids = updates.map(({ before }) => before.id)
  const stored = await tx.all(
    select(user)`FROM ${users} WHERE ${users.id} IN (SELECT value FROM ${list("asked", ids, "bigint")})`,
  )
  const byId = new Map(stored.map((each) => [each.id, each]))
  if (!updates.every(({ before }) => isUnchanged(before, byId.get(before.id)))) throw new Outdated()

  const changed = updates.map(({ after }) => ({
    ...after,
    emailKey: emailKey(after.email),
    searchKey: searchKey(after),
  }))
  tx.send(sql`UPDATE ${users} SET ${setFrom("changed", imported)}
    FROM ${records("changed", changed, typesOf({ id: users.id, ...imported }))} WHERE ${users.id} = changed.id`)
  for (const { before, after } of updates)
    if (after.duties.length < before.duties.length)
      tx.send(sql`UPDATE ${users} SET ${set(users, { duties: after.duties })} WHERE ${users.id} = ${before.id}`)
  const renamed = updates.filter(({ before, after }) => before.name !== after.name)
  renameConfusables(
    tx,
    "name",
    renamed.map(({ before, after }) => ({ id: before.id, before: before.name, after: after.name })),
  )
}

type Managers = NonNullable<UserChanges["managers"]>

const changedId = fields({ id: users.id })

/** Returns the ids of the people. */
async function setManagers(tx: Tx, managers: Managers): Promise<number[]> {
  const changed = await tx.all(returning(changedId)`UPDATE ${users} SET manager_id = manager.id
    FROM ${records("changed", managers, { username: "text", manager: "text" })}, ${users} AS manager
    WHERE ${users.username} = changed.username AND manager.username = changed.manager`)
  if (changed.length !== managers.length) throw new Outdated() // somebody was erased
  return changed.map(({ id }) => id)
}

/** @throws Outdated when a manager has left, or somebody would report to themselves */
async function checkManagers(tx: Tx, ids: readonly number[]) {
  for (const some of slicesOf(ids)) {
    const hasLeft = await exists(
      tx,
      sql`${list("asked", some, "bigint")} CROSS JOIN ${users} JOIN ${users} AS manager ON manager.id = ${users.managerId}
        WHERE ${users.id} = asked.value AND manager.deactivated_at IS NOT NULL`,
    )
    const above = await managersAbove(tx, some)
    if (hasLeft || inCircles(new Map(above.map(({ id, managerId }) => [id, managerId]))).size > 0) throw new Outdated()
  }
}

/** What an import may change, besides duties, whether the account is active, and who is its manager. */
const imported = columnsOf(
  users,
  ...([
    "id",
    "username",
    "usernameKey",
    "password",
    "accessVersion",
    "keptToken",
    "deactivatedAt",
    "erasedAt",
    "celebrates",
    "managerId",
    "duties",
  ] as const),
)

const changesActive = ({ before, after }: Update): boolean => before.deactivatedAt !== after.deactivatedAt

const isUnchanged = (before: User, now: User | undefined): boolean =>
  now !== undefined && planned.every((field) => Bun.deepEquals(before[field], now[field]))

/** What an import was planned for. */
const { emailKey: _, searchKey: __, ...known } = imported
const planned = [
  ...(Object.keys(known) as (keyof typeof known)[]),
  ...(["username", "deactivatedAt", "managerId", "duties"] as const),
]
