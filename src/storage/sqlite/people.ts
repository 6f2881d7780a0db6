import type { Database } from "bun:sqlite"
import type { List, Lists, Side } from "./lists.ts"
import type { Direction } from "./pairs.ts"
import type { Ends } from "./participant.ts"

/** Usernames kept in memory; all are forgotten where there would be more. About 100 bytes each. */
const maxKept = 20_000

/** Users of the one list that are read at once. */
const listsAtOnce = 64

export type People = ReturnType<typeof createPeople>

/** What pages have to know about users: names, and the ends of their lists. */
export function createPeople(client: Database, lists: Lists) {
  const id = client.prepare<{ id: number }, [string]>("SELECT id FROM users WHERE username = ?")
  const username = client.prepare<{ username: string }, [number]>("SELECT username FROM users WHERE id = ?")
  const sorted = client.prepare<{ id: number }, [string]>(
    "SELECT users.id FROM json_each(?) JOIN users ON users.id = json_each.value ORDER BY username",
  )
  const ends = client.prepare<Record<"received" | "lastReceived" | "sent" | "lastSent" | "self", number>, [number]>(
    `SELECT received_count AS received, last_received AS lastReceived, sent_count AS sent, last_sent AS lastSent,
       self_count AS self FROM balances WHERE user_id = ?`,
  )
  const chunk = {
    received: { up: chunkOf("received", ">", "ASC"), down: chunkOf("received", "<", "DESC") },
    sent: { up: chunkOf("sent", ">", "ASC"), down: chunkOf("sent", "<", "DESC") },
  }
  const usernames = new Map<number, string>()

  return {
    idOf: (name: string): number | null => id.get(name)?.id ?? null,

    /** Remembered, since it never changes: 100 names took 60 of the 100 µs of a page. */
    usernameOf(userId: number): string {
      const known = usernames.get(userId)
      if (known !== undefined) return known
      const found = username.get(userId)
      if (!found) throw new Error(`user ${userId}, whom a transaction names, is missing`)
      if (usernames.size >= maxKept) usernames.clear()
      usernames.set(userId, found.username)
      return found.username
    },

    endsOf(userId: number): Ends {
      const found = ends.get(userId)
      return {
        userId,
        received: lists.of("received", {
          ownerId: userId,
          count: found?.received ?? 0,
          last: found?.lastReceived ?? 0,
        }),
        sent: lists.of("sent", { ownerId: userId, count: found?.sent ?? 0, last: found?.lastSent ?? 0 }),
        selfCount: found?.self ?? 0,
      }
    },

    /** These users in the order of their usernames. */
    sorted: (userIds: readonly number[]): number[] => sorted.all(JSON.stringify(userIds)).map(({ id }) => id),

    /** What each user received or sent, without the empty lists, in the order of usernames. */
    *lists(side: Side, direction: Direction): Generator<List> {
      // A blob stands behind every text.
      let bound: string | Uint8Array = direction === "up" ? "" : new Uint8Array(0)
      for (;;) {
        const found = chunk[side][direction].all(bound)
        for (const { ownerId, count, last } of found) yield lists.of(side, { ownerId, count, last })
        const end = found.at(-1)
        if (!end || found.length < listsAtOnce) return
        bound = end.username
      }
    },
  }

  /** CROSS JOIN keeps SQLite from another order of the tables, for which it would have to sort. */
  function chunkOf(side: Side, comparison: string, direction: string) {
    return client.prepare<{ username: string; ownerId: number; count: number; last: number }, [string | Uint8Array]>(
      `SELECT username, user_id AS ownerId, ${side}_count AS count, last_${side} AS last
       FROM users CROSS JOIN balances ON user_id = id
       WHERE username ${comparison} ? AND ${side}_count > 0 ORDER BY username ${direction} LIMIT ${listsAtOnce}`,
    )
  }
}
