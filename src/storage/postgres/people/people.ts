import type { PersonSummary } from "../../../domain/model.ts"
import type { PeopleStore } from "../../../domain/store.ts"
import { type ChangedUser, createDirectory, type IndexedUser } from "../../directory.ts"
import type { Client } from "../database/client.ts"

const columns = "u.id, u.username, u.name, u.dept"
const indexed = `${columns}, u.deactivated_at AS "deactivatedAt"`

/** `PeopleStore`. */
export function createPeopleStore(client: Client): PeopleStore {
  return createDirectory({
    async newestRevision() {
      const [row] = await client.query<{ revision: number }>(
        "SELECT coalesce(max(revision), 0) AS revision FROM people_changes",
      )
      return row?.revision ?? 0
    },
    usersAfter: (id, limit) =>
      client.query<IndexedUser>(`SELECT ${indexed} FROM users u WHERE u.id > $1 ORDER BY u.id LIMIT $2`, [id, limit]),
    changedAfter: (revision, limit) =>
      client.query<ChangedUser>(
        `SELECT c.revision, ${indexed} FROM people_changes c JOIN users u ON u.id = c.user_id
         WHERE c.revision > $1 ORDER BY c.revision LIMIT $2`,
        [revision, limit],
      ),
    summaries: (ids) =>
      client.query<PersonSummary>(
        `SELECT ${columns}, u.avatar FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, place)
           JOIN users u ON u.id = asked.id ORDER BY asked.place`,
        [ids],
      ),
  })
}
