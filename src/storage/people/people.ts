import { DomainError } from "../../domain/errors.ts"
import type { PeoplePage, PeopleSearch } from "../../domain/people/model.ts"
import { folded, searchKey, wordStart } from "../../domain/people/people-search.ts"
import type { PeopleStore, ProvisionedStore } from "../../domain/people/ports.ts"
import { lockAccounts } from "../auth/access.ts"
import { type Database, DuplicateKey, single, type Tx } from "../database.ts"
import { rowsAtOnce } from "../slices.ts"
import { and, fields, list, records, row, type SQL, select, sql, where } from "../sql.ts"
import { externalIds, users } from "../tables.ts"
import { user } from "./user-rows.ts"

const summary = fields({
  id: users.id,
  username: users.username,
  name: users.name,
  dept: users.dept,
  avatar: users.avatar,
})
const department = fields({ name: users.dept, people: sql<number>`count(*)` })
const withId = fields({ id: users.id })
const called = fields({ id: users.id, username: users.username, name: users.name })

const withoutKey = sql`FROM ${users} WHERE ${users.searchKey} IS NULL`

/** The search for people. */
export function createPeopleStore(db: Database): PeopleStore {
  return {
    async search(query) {
      for (;;) {
        const [unknown, found] = await db
          .reports(query.signal)
          .snapshot([select(withId)`${withoutKey} LIMIT 1`, matches(query)])
        if (unknown.length === 0) return pageOf(found, query.size)
        await fillSearchKeys()
      }
    },
    async departments(active = true) {
      const found = await db
        .reports()
        .all(select(department)`FROM ${users} ${where(isActive(active))} GROUP BY ${users.dept}`)
      return found.toSorted((a, b) => compare(folded(a.name), folded(b.name)) || compare(a.name, b.name))
    },
    async inactive() {
      const found = await db.all(select(withId)`FROM ${users} ${where(isActive(false))}`)
      return new Set(found.map(({ id }) => id))
    },
    summaries,
    fillSearchKeys,
  }

  function summaries(ids: readonly number[]) {
    return db.all(select(summary)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${users}
      WHERE ${users.id} = asked.value ORDER BY asked.key`)
  }

  async function pageOf(found: readonly Match[], size: number): Promise<PeoplePage> {
    const items = await summaries(found.slice(0, size).map(({ id }) => id))
    const last = found.length > size ? found[size - 1] : undefined
    return { items, next: last ? { ...last, isInnerMatch: last.isInnerMatch === 1 } : null }
  }

  async function fillSearchKeys() {
    while ((await db.write(fillSome)) === rowsAtOnce);
  }
}

interface Match {
  readonly isInnerMatch: 0 | 1
  readonly key: string
  readonly id: number
}

/** A page, and one more person if there is a next page. */
function matches({ words, dept, active, after, size }: PeopleSearch): SQL<Match> {
  const isBegun = words.map((word) => contains(wordStart + word))
  // Whether some word occurs only inside a word of the name. Without words, this is true of everybody.
  const isInner = words.length === 0 ? sql`1` : sql`CASE WHEN ${and(...isBegun)} THEN 0 ELSE 1 END`
  const conditions = [
    ...words.map(contains),
    dept === null ? undefined : sql`${users.dept} = ${dept}`,
    isActive(active),
    after === null
      ? undefined
      : sql`(${isInner}, ${users.searchKey}, ${users.id})
          > (${after.isInnerMatch ? 1 : 0}::bigint, ${after.key}::text, ${after.id}::bigint)`,
  ]
  return sql`SELECT ${isInner} AS "isInnerMatch", ${users.searchKey} AS key, ${users.id} AS id
    FROM ${users} ${where(...conditions)} ORDER BY "isInnerMatch", key, id LIMIT ${size + 1}`
}

const contains = (text: string) => sql`${users.searchKey} LIKE ${`%${text.replace(/[%_\\]/g, "\\$&")}%`} ESCAPE '\\'`

/** Undefined: everybody. */
const isActive = (active: boolean | null) =>
  active === null ? undefined : active ? sql`${users.deactivatedAt} IS NULL` : sql`${users.deactivatedAt} IS NOT NULL`

/** Returns how many were without a key, at most `rowsAtOnce`. */
async function fillSome(tx: Tx): Promise<number> {
  lockAccounts(tx)
  const some = await tx.all(select(called)`${withoutKey} ORDER BY ${users.id} LIMIT ${rowsAtOnce}`)
  const keys = some.map((each) => ({ id: each.id, key: searchKey(each) }))
  tx.send(sql`UPDATE ${users} SET search_key = known.key
    FROM ${records("known", keys, { id: "bigint", key: "text" })} WHERE ${users.id} = known.id`)
  return some.length
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
