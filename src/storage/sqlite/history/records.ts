import type { Database } from "bun:sqlite"
import type { HistoryFilter, Transaction, TransactionRecord } from "../../../domain/model.ts"
import type { Side } from "./blocks.ts"
import type { Direction, Lists, Participant, SideList } from "./lists.ts"

/** Transactions by id. */
export function createRows(client: Database) {
  const columns = "t.id, t.user_id AS receiverId, t.from_id AS senderId, t.value, t.date, t.kind"
  // CROSS JOIN keeps the order of the ids that were asked for.
  const asked = "json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value"
  const some = client.prepare<Transaction, [string]>(`SELECT ${columns} FROM ${asked}`)
  const consecutive = client.prepare<Transaction, [number, number]>(
    `SELECT ${columns} FROM transactions AS t WHERE t.id BETWEEN ? AND ? ORDER BY t.id`,
  )
  const sorted = client.prepare<{ id: number }, [string]>(`SELECT t.id FROM ${asked} ORDER BY t.value, t.id`)

  return {
    /** In the order of `ids`. Throws when one is missing: from a damaged file, a shorter page would look right. */
    of(ids: readonly number[]): Transaction[] {
      const first = ids[0] ?? 0
      // For 50 rows 16 µs instead of 25; the first page of everything is always a range.
      const isRange = ids.every((id, index) => id === first + index)
      const found = isRange ? consecutive.all(first, first + ids.length - 1) : some.all(JSON.stringify(ids))
      if (found.length !== ids.length) throw new Error("a transaction that a list names is missing")
      return found
    },
    /** By value, then id. */
    byValue: (ids: readonly number[]): number[] => sorted.all(JSON.stringify(ids)).map(({ id }) => id),
  }
}

/** Which transactions a filter selects, by the lists that hold them: ids of users. */
export type Selection =
  | { readonly kind: "pair"; readonly sender: number; readonly receiver: number }
  | { readonly kind: "side"; readonly owner: number; readonly side: Side }
  | { readonly kind: "participant"; readonly owner: number }
  | { readonly kind: "all" }

/** Usernames in memory, about 100 bytes each; beyond this number all are dropped. */
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
    selectionOf,

    /** The transaction with the usernames of both. */
    named: (transaction: Transaction): TransactionRecord => ({
      ...transaction,
      receiverUsername: usernameOf(transaction.receiverId),
      senderUsername: usernameOf(transaction.senderId),
    }),

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

  /** Null when a named user does not exist, or the participant takes no part in what is named. */
  function selectionOf({ participantId, ...filter }: HistoryFilter): Selection | null {
    let receiver = filter.receiver === undefined ? undefined : id.get(filter.receiver)?.id
    let sender = filter.sender === undefined ? undefined : id.get(filter.sender)?.id
    if (filter.receiver !== undefined && receiver === undefined) return null
    if (filter.sender !== undefined && sender === undefined) return null
    if (participantId !== undefined && participantId !== receiver && participantId !== sender) {
      if (receiver === undefined && sender === undefined) return { kind: "participant", owner: participantId }
      if (receiver !== undefined && sender !== undefined) return null
      receiver ??= participantId
      sender ??= participantId
    }
    if (receiver === undefined)
      return sender === undefined ? { kind: "all" } : { kind: "side", owner: sender, side: "sent" }
    return sender === undefined
      ? { kind: "side", owner: receiver, side: "received" }
      : { kind: "pair", sender, receiver }
  }

  /** Cached, because a username never changes: 100 names took 60 of the 100 µs of a page. */
  function usernameOf(userId: number): string {
    const known = usernames.get(userId)
    if (known !== undefined) return known
    const found = username.get(userId)
    if (!found) throw new Error(`user ${userId}, whom a transaction names, is missing`)
    if (usernames.size >= maxUsernames) usernames.clear()
    usernames.set(userId, found.username)
    return found.username
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
