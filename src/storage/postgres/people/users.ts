import type { Erasure, User } from "../../../domain/people/model.ts"
import type { UserStore } from "../../../domain/people/ports.ts"
import type { Database, Tx } from "../../database.ts"
import { decodedUser, userColumns } from "../../people/user-rows.ts"
import { createUsers, emptyPockets, pocketsByUser } from "../../people/users.ts"
import { sql } from "../../sql.ts"
import { erasures, notes, transactions } from "../../tables.ts"
import type { Client } from "../database/client.ts"
import { cacheByTick, createRevision, gatherByTick } from "../database/gather.ts"

/** `UserStore`. A change takes effect in every process at once. */
export function createUserStore(client: Client, database: Database): UserStore {
  const gathered = gatherByTick((userIds: readonly number[]) => pocketsByUser(database, userIds))
  const pocketsOf = async (userId: number) => (await gathered(userId)) ?? emptyPockets

  return {
    ...createUsers(database, eraseNotes),
    byUsername: cacheByTick<User>(client, {
      columns: userColumns,
      join: "users ON users.username = ANY($1)",
      key: "username",
      decode: decodedUser,
    }),
    revision: createRevision(client),
    pocketsOf,
    balanceOf: async (userId) => (await pocketsOf(userId)).balance,
  }
}

/**
 * The reason of an allowance or a reversal was written by somebody else. All receivers of a group share one reason. Another
 * erasure may erase the same note.
 */
async function eraseNotes(tx: Tx, userId: number, at: number, reasons: Exclude<Erasure["reasons"], "none">) {
  tx.send(sql`INSERT INTO ${erasures} (transaction_id, erased_at)
    SELECT ${notes.transactionId}, ${at}::bigint FROM ${notes}
      JOIN ${transactions} ON ${transactions.id} = ${notes.transactionId}
    WHERE CASE WHEN ${reasons}::text = 'all' THEN ${transactions.fromId} = ${userId} OR ${transactions.userId} = ${userId}
      ELSE ${transactions.fromId} = ${userId} AND ${transactions.kind} IN ('transfer', 'grant') END
    ON CONFLICT DO NOTHING`)
  if (reasons === "all")
    tx.send(sql`INSERT INTO ${erasures} (transaction_id, erased_at)
      SELECT ${notes.transactionId}, ${at}::bigint FROM ${transactions} AS own
        JOIN ${transactions} AS other ON other.group_id = own.group_id
        JOIN ${notes} ON ${notes.transactionId} = other.id
      WHERE own.user_id = ${userId}
      ON CONFLICT DO NOTHING`)
}
