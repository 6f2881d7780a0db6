import { DomainError, details } from "../../../domain/errors.ts"
import type { NewUser, User, UserChanges } from "../../../domain/model.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { asJson } from "../../jobs.ts"
import { writeAudit } from "../audit.ts"
import { lockAccounts, lockLedger, setActive } from "../auth/sessions.ts"
import type { Client, Transaction } from "../database/client.ts"
import { brokenConstraint } from "../database/errors.ts"
import { remember } from "../ledger/idempotency-keys.ts"
import { sendJobs } from "../ledger/jobs.ts"
import { addConfusables, renameConfusables, userColumns } from "./user-rows.ts"

/** An import may have 20,000 rows. */
const patienceMs = 60_000

/** Thrown to roll back an import, because a user has changed since it was planned. */
class Outdated extends Error {}

/** Creates and changes many users in one commit, with one statement for each table. */
export function createUserMerge(client: Client): Pick<UserStore, "matching" | "merge"> {
  return {
    matching: ({ usernames, emails }) =>
      client.query<User>(
        `SELECT ${userColumns} FROM users u WHERE u.username = ANY($1) OR u.email_key = ANY($2) ORDER BY u.id`,
        [usernames, emails.map(emailKey)],
      ),
    async merge(changes, once) {
      try {
        await client.transaction(
          async (tx) => {
            await apply(tx, changes)
            await remember(tx, once, true)
          },
          { patienceMs },
        )
        return true
      } catch (error) {
        if (error instanceof Outdated || brokenConstraint(error) !== null) return false
        throw error
      }
    },
  }
}

async function apply(tx: Transaction, { create, update, entries, jobs }: UserChanges) {
  if (update.some(({ before, after }) => after.deactivatedAt !== before.deactivatedAt)) lockLedger(tx)
  lockAccounts(tx)
  await insertUsers(tx, create)
  await updateUsers(tx, update)
  writeAudit(tx, ...entries)
  sendJobs(tx, jobs)
}

async function insertUsers(tx: Transaction, users: readonly NewUser[]) {
  if (users.length === 0) return
  const created = await tx.query<Pick<User, "id" | "username" | "name">>(
    `INSERT INTO users (username, username_key, name, email, email_key, dept, currency, avatar, bio, password)
     SELECT username, username_key, name, email, email_key, dept, currency, avatar, bio, password
     FROM json_to_recordset($1::text::json) AS new (place int, username text, username_key text, name text, email text,
       email_key text, dept text, currency text, avatar text, bio text, password text) ORDER BY place
     RETURNING id, username, name`,
    [
      asJson(
        users.map((user, place) => ({
          ...user,
          place,
          username_key: usernameCaseKey(user.username),
          email_key: emailKey(user.email),
        })),
      ),
    ],
  )
  await addConfusables(tx, created)
  const [taken] = await tx.query<{ username: string }>(
    `SELECT u.username FROM confusables own
       JOIN confusables other ON other.kind = own.kind AND other.skeleton = own.skeleton AND other.user_id <> own.user_id
       JOIN users u ON u.id = own.user_id
     WHERE own.kind = 'username' AND own.user_id = ANY($1::bigint[]) ORDER BY u.id DESC LIMIT 1`,
    [created.map(({ id }) => id)],
  )
  // Names the refused row, because an import has many.
  if (taken) throw new DomainError("username_lookalike", `${details.username_lookalike}: ${taken.username}`)
}

async function updateUsers(tx: Transaction, updates: UserChanges["update"]) {
  if (updates.length === 0) return
  const changed = await tx.query(
    `UPDATE users u SET name = new.name, email = new.email, email_key = new.email_key, dept = new.dept,
       currency = new.currency, avatar = new.avatar, bio = new.bio, refresh_version = new.refresh_version
     FROM json_to_recordset($1::text::json) AS new (id bigint, name text, email text, email_key text, dept text,
         currency text, avatar text, bio text, refresh_version bigint)
       JOIN json_to_recordset($2::text::json) AS old (id bigint, name text, email text, dept text, currency text,
         avatar text, bio text, refresh_version bigint, deactivated_at bigint) USING (id)
     WHERE u.id = new.id
       AND (u.name, u.email, u.dept, u.currency, u.avatar, u.bio, u.refresh_version, u.deactivated_at)
       IS NOT DISTINCT FROM
       (old.name, old.email, old.dept, old.currency, old.avatar, old.bio, old.refresh_version, old.deactivated_at)
     RETURNING 1`,
    [asJson(updates.map(({ after }) => rowOf(after))), asJson(updates.map(({ before }) => rowOf(before)))],
  )
  if (changed.length < updates.length) throw new Outdated()
  for (const { before, after } of updates)
    if (after.deactivatedAt !== before.deactivatedAt) setActive(tx, before.id, after.deactivatedAt)
  const renamed = updates.filter(({ before, after }) => before.name !== after.name)
  if (renamed.length > 0)
    await renameConfusables(
      tx,
      renamed.map(({ before, after }) => ({ id: before.id, before: before.name, after: after.name })),
    )
}

const rowOf = ({ id, name, email, dept, currency, avatar, bio, refreshVersion, deactivatedAt }: User) => ({
  id,
  name,
  email,
  email_key: emailKey(email),
  dept,
  currency,
  avatar,
  bio,
  refresh_version: refreshVersion,
  deactivated_at: deactivatedAt,
})
