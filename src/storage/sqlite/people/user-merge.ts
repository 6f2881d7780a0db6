import type { Database } from "bun:sqlite"
import { getTableColumns, sql } from "drizzle-orm"
import { DomainError, details } from "../../../domain/errors.ts"
import type { NewUser, Once, UserChanges } from "../../../domain/model.ts"
import { emailKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import { createSetActive } from "../auth/sessions.ts"
import type { Connection } from "../database/connection.ts"
import { sqliteCodeOf } from "../database/errors.ts"
import { users } from "../database/schema.ts"
import type { Slices } from "../database/write.ts"
import { createRemember } from "../ledger/idempotency-keys.ts"
import { createJobInsert } from "../ledger/jobs.ts"
import { createConfusables, createUserInsert } from "./user-rows.ts"

const { emailKey: _, usernameKey: __, ...userFields } = getTableColumns(users)

/** Rows written in one time slice: 2 to 5 ms. */
const rowsInSlice = 128

/** Thrown to roll back an import, because a user has changed since it was planned. */
class Outdated extends Error {}

/** Creates and changes many users in one commit, in time slices. */
export function createUserMerge({
  db,
  writeInSlices,
}: Pick<Connection, "db" | "writeInSlices">): Pick<UserStore, "matching" | "merge"> {
  const among = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`

  return {
    matching: async ({ usernames, emails }) =>
      db
        .select(userFields)
        .from(users)
        .where(sql`${users.username} IN ${among(usernames)} OR ${users.emailKey} IN ${among(emails.map(emailKey))}`)
        .orderBy(users.id)
        .all(),
    merge: async (changes, once) => {
      try {
        await writeInSlices((client) => merging(client, changes, once))
        return true
      } catch (error) {
        if (error instanceof Outdated || sqliteCodeOf(error) === "SQLITE_CONSTRAINT_UNIQUE") return false
        throw error
      }
    },
  }
}

/** Uses raw SQL, because an import runs these statements 20,000 times. */
function* merging(client: Database, changes: UserChanges, once: Once<true> | undefined): Slices<void> {
  const writeAudit = createAuditWriter({ client })
  const confusables = createConfusables(client)
  const setActive = createSetActive(client)
  const insert = createUserInsert(client)
  const update = client.prepare(
    `UPDATE users SET name = ?, email = ?, email_key = ?, dept = ?, currency = ?, avatar = ?, bio = ?, refresh_version = ?
     WHERE id = ? AND name = ? AND email = ? AND dept = ? AND currency = ? AND avatar IS ? AND bio IS ?
       AND refresh_version = ? AND deactivated_at IS ?`,
  )

  yield* inSlices(changes.create, create)
  yield* inSlices(changes.update, updateFrom)
  yield* inSlices(changes.entries, writeAudit)
  yield* inSlices(changes.jobs, createJobInsert(client))
  createRemember(client)(once, true)

  function create(user: NewUser) {
    const { id, username, name } = insert(user)
    // Names the refused row, because an import has many.
    if (confusables.isTaken("username", username, id))
      throw new DomainError("username_lookalike", `${details.username_lookalike}: ${username}`)
    confusables.add(id, username, name)
  }

  function updateFrom({ before, after }: UserChanges["update"][number]) {
    const { name, email, dept, currency, avatar, bio, refreshVersion } = after
    const asItWas = [before.id, before.name, before.email, before.dept, before.currency, before.avatar, before.bio]
    const asItShallBe = [name, email, emailKey(email), dept, currency, avatar, bio, refreshVersion]
    const { changes } = update.run(...asItShallBe, ...asItWas, before.refreshVersion, before.deactivatedAt)
    if (changes === 0) throw new Outdated()
    if (name !== before.name) confusables.rename(before.id, before.name, name)
    if (after.deactivatedAt !== before.deactivatedAt) setActive(before.id, after.deactivatedAt)
  }
}

function* inSlices<T>(items: readonly T[], write: (item: T) => void): Slices<void> {
  for (const [index, item] of items.entries()) {
    write(item)
    if ((index + 1) % rowsInSlice === 0) yield
  }
}
