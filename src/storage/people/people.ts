import { DomainError } from "../../domain/errors.ts"
import type { PeopleStore, ProvisionedStore } from "../../domain/people/ports.ts"
import type { Log } from "../../support/log.ts"
import { type Database, DuplicateKey, largestOf, single } from "../database.ts"
import { fields, list, row, select, sql } from "../sql.ts"
import { externalIds, peopleChanges, users } from "../tables.ts"
import { createDirectory } from "./directory.ts"
import { user } from "./user-rows.ts"

const indexedColumns = {
  id: users.id,
  username: users.username,
  name: users.name,
  dept: users.dept,
  deactivatedAt: users.deactivatedAt,
}
const indexed = fields(indexedColumns)
const changed = fields({ revision: peopleChanges.revision, ...indexedColumns })
const summary = fields({
  id: users.id,
  username: users.username,
  name: users.name,
  dept: users.dept,
  avatar: users.avatar,
})

/** The search for people. */
export const createPeopleStore = (db: Database, log: Log): PeopleStore =>
  createDirectory(
    {
      newestRevision: () => largestOf(db, peopleChanges.revision),
      usersAfter: (id, limit) =>
        db.all(select(indexed)`FROM ${users} WHERE ${users.id} > ${id} ORDER BY ${users.id} LIMIT ${limit}`),
      changedAfter: (revision, limit) =>
        db.all(select(changed)`FROM ${peopleChanges} JOIN ${users} ON ${users.id} = ${peopleChanges.userId}
          WHERE ${peopleChanges.revision} > ${revision} ORDER BY ${peopleChanges.revision} LIMIT ${limit}`),
      summaries: (ids) =>
        db.all(select(summary)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${users}
          WHERE ${users.id} = asked.value ORDER BY asked.key`),
    },
    log,
  )

const owner = fields({ userId: externalIds.userId })
const externalId = fields({ userId: externalIds.userId, externalId: externalIds.externalId })

/** Users as a provisioning directory (SCIM) asks for them. */
export function createProvisionedStore(db: Database): ProvisionedStore {
  return {
    async find(id) {
      const found = await db.first(select(owner)`FROM ${externalIds} WHERE ${externalIds.externalId} = ${id}`)
      return found?.userId ?? null
    },
    async externalIds(userIds) {
      const found = await db.all(select(externalId)`FROM ${list("asked", userIds, "bigint")}
        CROSS JOIN ${externalIds} WHERE ${externalIds.userId} = asked.value`)
      return new Map(found.map((each) => [each.userId, each.externalId]))
    },
    async setExternalId(userId, id) {
      try {
        await db.write(async (tx) =>
          tx.send(
            id === null
              ? sql`DELETE FROM ${externalIds} WHERE ${externalIds.userId} = ${userId}`
              : sql`INSERT INTO ${externalIds} ${row(externalIds, { userId, externalId: id })}
                  ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id`,
          ),
        )
      } catch (error) {
        throw error instanceof DuplicateKey ? new DomainError("external_id_taken") : error
      }
    },
    async page(skip, limit, signal) {
      const present = sql`${users} WHERE ${users.erasedAt} IS NULL`
      const [counted, found] = await db
        .until(signal)
        .snapshot([
          sql<{ total: number }>`SELECT count(*) AS total FROM ${present}`,
          select(user)`FROM ${present} ORDER BY ${users.id} LIMIT ${limit} OFFSET ${skip}`,
        ])
      return { users: found, total: single(counted).total }
    },
  }
}
