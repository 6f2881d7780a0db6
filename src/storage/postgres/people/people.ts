import { DomainError } from "../../../domain/errors.ts"
import type { PersonSummary, User } from "../../../domain/model.ts"
import type { PeopleStore, ProvisionedStore } from "../../../domain/store.ts"
import type { Log } from "../../../log.ts"
import { type ChangedUser, createDirectory, type IndexedUser } from "../../directory.ts"
import type { Client } from "../database/client.ts"
import { brokenConstraint } from "../database/errors.ts"
import { userColumns } from "./user-rows.ts"

const columns = "u.id, u.username, u.name, u.dept"
const indexed = `${columns}, u.deactivated_at AS "deactivatedAt"`

/** `PeopleStore`. */
export function createPeopleStore(client: Client, log: Log): PeopleStore {
  return createDirectory(
    {
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
    },
    log,
  )
}

/** `ProvisionedStore`: users as a provisioning directory (SCIM) asks for them. */
export function createProvisionedStore(client: Client): ProvisionedStore {
  return {
    async find(externalId) {
      const [found] = await client.query<{ userId: number }>(
        `SELECT user_id AS "userId" FROM external_ids WHERE external_id = $1`,
        [externalId],
      )
      return found?.userId ?? null
    },
    async externalIds(userIds) {
      const found = await client.query<{ userId: number; externalId: string }>(
        `SELECT user_id AS "userId", external_id AS "externalId" FROM external_ids WHERE user_id = ANY($1::bigint[])`,
        [userIds],
      )
      return new Map(found.map(({ userId, externalId }) => [userId, externalId]))
    },
    async setExternalId(userId, externalId) {
      if (externalId === null) {
        await client.change("DELETE FROM external_ids WHERE user_id = $1", [userId])
        return
      }
      try {
        await client.change(
          `INSERT INTO external_ids (user_id, external_id) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id`,
          [userId, externalId],
        )
      } catch (error) {
        throw brokenConstraint(error) === "external_ids_external_id" ? new DomainError("external_id_taken") : error
      }
    },
    async page(skip, limit) {
      const [[counted], users] = await Promise.all([
        client.query<{ total: number }>("SELECT count(*) AS total FROM users WHERE erased_at IS NULL"),
        client.query<User>(
          `SELECT ${userColumns} FROM users u WHERE erased_at IS NULL ORDER BY u.id LIMIT $2 OFFSET $1`,
          [skip, limit],
        ),
      ])
      return { users, total: counted?.total ?? 0 }
    },
  }
}
