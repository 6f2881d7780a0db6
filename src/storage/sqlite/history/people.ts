import type { Database } from "bun:sqlite"
import type { Side } from "./blocks.ts"
import type { Direction, Lists, Participant, SideList } from "./lists.ts"

/** Usernames in memory; all are dropped beyond that. About 100 bytes each. */
const maxUsernames = 20_000

/** Lists that one statement reads. */
const listsAtOnce = 64

export type People = ReturnType<typeof createPeople>

/** What the history needs of users: their names and the ends of their lists. */
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
  const someLists = {
    received: { up: someListsOf("received", ">", "ASC"), down: someListsOf("received", "<", "DESC") },
    sent: { up: someListsOf("sent", ">", "ASC"), down: someListsOf("sent", "<", "DESC") },
  }
  const usernames = new Map<number, string>()

  return {
    idOf: (name: string): number | null => id.get(name)?.id ?? null,

    /** Cached, since it never changes: 100 names took 60 of the 100 µs of a page. */
    usernameOf(userId: number): string {
      const known = usernames.get(userId)
      if (known !== undefined) return known
      const found = username.get(userId)
      if (!found) throw new Error(`user ${userId}, whom a transaction names, is missing`)
      if (usernames.size >= maxUsernames) usernames.clear()
      usernames.set(userId, found.username)
      return found.username
    },

    participant(ownerId: number): Participant {
      const { received = 0, lastReceived = 0, sent = 0, lastSent = 0, self = 0 } = ends.get(ownerId) ?? {}
      return {
        received: lists.of({ ownerId, side: "received" }, { count: received, last: lastReceived }),
        sent: lists.of({ ownerId, side: "sent" }, { count: sent, last: lastSent }),
        selfCount: self,
      }
    },

    /** These users in the order of their usernames. */
    sorted: (userIds: readonly number[]): number[] => sorted.all(JSON.stringify(userIds)).map(({ id }) => id),

    /** What each user received or sent, in the order of usernames, without the empty lists. */
    *lists(side: Side, direction: Direction): Generator<SideList> {
      // A blob sorts behind every text.
      let after: string | Uint8Array = direction === "up" ? "" : new Uint8Array(0)
      for (;;) {
        const found = someLists[side][direction].all(after)
        for (const { ownerId, count, last } of found) yield lists.of({ ownerId, side }, { count, last })
        const end = found.at(-1)
        if (!end || found.length < listsAtOnce) return
        after = end.username
      }
    },
  }

  /** CROSS JOIN keeps SQLite from another order of the tables, for which it would have to sort. */
  function someListsOf(side: Side, comparison: string, direction: string) {
    return client.prepare<{ username: string; ownerId: number; count: number; last: number }, [string | Uint8Array]>(
      `SELECT username, user_id AS ownerId, ${side}_count AS count, last_${side} AS last
       FROM users CROSS JOIN balances ON user_id = id
       WHERE username ${comparison} ? AND ${side}_count > 0 ORDER BY username ${direction} LIMIT ${listsAtOnce}`,
    )
  }
}
