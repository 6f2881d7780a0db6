import { DomainError } from "../../../domain/errors.ts"
import type { PersonSummary, User } from "../../../domain/model.ts"
import type { PeopleStore, ProvisionedStore } from "../../../domain/store.ts"
import type { Log } from "../../../log.ts"
import { type ChangedUser, createDirectory, type IndexedUser } from "../../directory.ts"
import type { Connection } from "../database/connection.ts"
import { sqliteCodeOf } from "../database/errors.ts"
import { userColumns } from "./user-rows.ts"

/** `PeopleStore`. */
export function createPeopleStore({ client }: Pick<Connection, "client">, log: Log): PeopleStore {
  const indexed = "users.id, username, name, dept, deactivated_at AS deactivatedAt"
  const byId = client.prepare<IndexedUser, [number, number]>(
    `SELECT ${indexed} FROM users WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const changed = client.prepare<ChangedUser, [number, number]>(
    `SELECT revision, ${indexed} FROM people_changes JOIN users ON users.id = user_id
     WHERE revision > ? ORDER BY revision LIMIT ?`,
  )
  const newest = client.prepare<{ revision: number | null }, []>("SELECT max(revision) AS revision FROM people_changes")
  const summaries = client.prepare<PersonSummary, [string]>(
    `SELECT users.id, username, name, dept, avatar FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )

  return createDirectory(
    {
      newestRevision: () => newest.get()?.revision ?? 0,
      usersAfter: (id, limit) => byId.all(id, limit),
      changedAfter: (revision, limit) => changed.all(revision, limit),
      summaries: (ids) => summaries.all(JSON.stringify(ids)),
    },
    log,
  )
}

/** `ProvisionedStore`: users as a provisioning directory (SCIM) asks for them. */
export function createProvisionedStore({ client, write }: Connection): ProvisionedStore {
  const byExternalId = client.prepare<{ userId: number }, [string]>(
    "SELECT user_id AS userId FROM external_ids WHERE external_id = ?",
  )
  const some = client.prepare<{ userId: number; externalId: string }, [string]>(
    `SELECT user_id AS userId, external_id AS externalId
     FROM json_each(?) AS asked CROSS JOIN external_ids ON user_id = asked.value`,
  )
  const remove = client.prepare<unknown, [number]>("DELETE FROM external_ids WHERE user_id = ?")
  const set = client.prepare<unknown, [number, string]>(
    `INSERT INTO external_ids (user_id, external_id) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id`,
  )
  const count = client.prepare<{ total: number }, []>("SELECT count(*) AS total FROM users WHERE erased_at IS NULL")
  const page = client.prepare<User, [number, number]>(
    `SELECT ${userColumns} FROM users WHERE erased_at IS NULL ORDER BY users.id LIMIT ? OFFSET ?`,
  )

  return {
    find: async (externalId) => byExternalId.get(externalId)?.userId ?? null,
    externalIds: async (userIds) =>
      new Map(some.all(JSON.stringify(userIds)).map(({ userId, externalId }) => [userId, externalId])),
    setExternalId: (userId, externalId) =>
      write(() => {
        try {
          if (externalId === null) remove.run(userId)
          else set.run(userId, externalId)
        } catch (error) {
          throw sqliteCodeOf(error) === "SQLITE_CONSTRAINT_UNIQUE" ? new DomainError("external_id_taken") : error
        }
      }),
    page: async (skip, limit) => ({ users: page.all(limit, skip), total: count.get()?.total ?? 0 }),
  }
}
