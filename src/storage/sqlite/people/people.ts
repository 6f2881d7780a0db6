import type { PersonSummary } from "../../../domain/model.ts"
import type { PeopleStore } from "../../../domain/store.ts"
import { type ChangedUser, createDirectory, type IndexedUser } from "../../directory.ts"
import type { Connection } from "../database/connection.ts"

/** `PeopleStore`. */
export function createPeopleStore({ client }: Pick<Connection, "client">): PeopleStore {
  const columns = "users.id, username, name, dept, deactivated_at AS deactivatedAt"
  const byId = client.prepare<IndexedUser, [number, number]>(
    `SELECT ${columns} FROM users WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const changed = client.prepare<ChangedUser, [number, number]>(
    `SELECT revision, ${columns} FROM people_changes JOIN users ON users.id = user_id
     WHERE revision > ? ORDER BY revision LIMIT ?`,
  )
  const newest = client.prepare<{ revision: number | null }, []>("SELECT max(revision) AS revision FROM people_changes")
  const faces = client.prepare<PersonSummary, [string]>(
    `SELECT users.id, username, name, dept, avatar FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )

  return createDirectory({
    newestRevision: () => newest.get()?.revision ?? 0,
    usersAfter: (id, limit) => byId.all(id, limit),
    changedAfter: (revision, limit) => changed.all(revision, limit),
    summaries: (ids) => faces.all(JSON.stringify(ids)),
  })
}
