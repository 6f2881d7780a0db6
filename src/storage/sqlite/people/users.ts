import type { User } from "../../../domain/people/model.ts"
import type { UserStore } from "../../../domain/people/ports.ts"
import type { EraseNotes } from "../../people/erase.ts"
import { decodedUser, userColumns } from "../../people/user-rows.ts"
import { createUsers } from "../../people/users.ts"
import { list, sql } from "../../sql.ts"
import { erasures, notes, transactions } from "../../tables.ts"
import type { Connection } from "../database/connection.ts"
import type { Reader } from "../database/reader.ts"
import { createLists } from "../history/lists.ts"
import { createListOwners } from "../history/records.ts"

export function createUserStore(connection: Connection): UserStore {
  const users = createUsers(connection.database, createEraseNotes(connection))
  return {
    ...users,
    byUsername: createFindUser(connection.reader),
    revision: () => connection.reader.read(() => `${connection.reader.version()}`),
    async erase(...erasure) {
      await users.erase(...erasure)
      await connection.scrub()
    },
  }
}

/** Users in memory, about 1 KB each; beyond this number all are dropped. */
const maxCached = 10_000

/**
 * `UserStore.byUsername`, with users in memory until anything is written that invalidates them. Each request asks for two to
 * four users, and reading one costs as much as appending a transaction (2 µs; from memory 0.1).
 */
function createFindUser({ client, read, isCurrent, version }: Reader): UserStore["byUsername"] {
  const find = client.prepare<Record<string, unknown>, [string]>(`SELECT ${userColumns} FROM users WHERE username = ?`)
  const cached = new Map<string, User>()
  let cachedVersion = -1

  return async (username) => (isCurrent() ? valid().get(username) : undefined) ?? read(() => found(username))

  function valid(): ReadonlyMap<string, User> {
    if (version() !== cachedVersion || cached.size > maxCached) cached.clear()
    cachedVersion = version()
    return cached
  }

  function found(username: string): User | null {
    const row = find.get(username)
    if (row === null) return null
    const user = Object.freeze(decodedUser(row))
    cached.set(username, user)
    return user
  }
}

/**
 * Finds the transactions of a person in the history index. The reason of an allowance or a reversal was written by somebody
 * else. All receivers of a group share one reason.
 */
function createEraseNotes({ writer }: Pick<Connection, "writer">): EraseNotes {
  const lists = createLists(writer)
  const owners = createListOwners(writer, lists)

  return async (tx, userId, at, reasons) => {
    const { sent, self, received } = owners.listsOf(userId)
    for (const ids of lists.idsIn(reasons === "all" ? [sent, self, received] : [sent, self], "up"))
      await tx.run(sql`INSERT INTO ${erasures} (transaction_id, erased_at)
        SELECT ${transactions.id}, ${at} FROM (
            SELECT value AS id FROM ${list("listed", ids, "bigint")}
            UNION
            SELECT other.id FROM ${list("listed", ids, "bigint")}
              CROSS JOIN ${transactions} AS own ON own.id = listed.value
              CROSS JOIN ${transactions} AS other ON other.group_id = own.group_id
            WHERE ${reasons === "all"}
          ) AS asked
          CROSS JOIN ${notes} ON ${notes.transactionId} = asked.id
          CROSS JOIN ${transactions} ON ${transactions.id} = asked.id
        WHERE ${reasons === "all"} OR ${transactions.kind} IN ('transfer', 'grant')`)
  }
}
