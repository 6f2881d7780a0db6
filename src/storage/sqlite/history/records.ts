import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { HistoryFilter, Transaction, TransactionRecord } from "../../../domain/ledger/model.ts"
import { selectionOf } from "../../../domain/ledger/transaction-list.ts"
import { currentTick } from "../../../domain/ticks.ts"
import { createNameCache } from "../people/names.ts"
import type { Direction, List, Lists, ListsOfUser } from "./lists.ts"

/** Transactions by id. */
export function createRows(client: Database) {
  const columns = `t.id, t.user_id AS receiverId, t.from_id AS senderId, t.value, t.date, t.kind, t.group_id AS "group", t.adds_to AS addsTo`
  // CROSS JOIN keeps the order of the ids that were asked for.
  const asked = "json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value"
  const some = client.prepare<Transaction, [string]>(`SELECT ${columns} FROM ${asked}`)
  const sorted = client.prepare<{ id: number }, [string]>(`SELECT t.id FROM ${asked} ORDER BY t.value, t.id`)

  return {
    /**
     * In the order of `ids`. Throws when one is missing: otherwise a page from a damaged file would look right, only
     * shorter.
     */
    of(ids: readonly number[]): Transaction[] {
      const found = some.all(JSON.stringify(ids))
      if (found.length !== ids.length) throw new DatabaseDamaged("a transaction that a list names is missing")
      return found
    },
    /** These ids, sorted by value, then id. */
    byValue: (ids: readonly number[]): number[] => sorted.all(JSON.stringify(ids)).map(({ id }) => id),
  }
}

/** What a filter selects: all of some lists, or what one user sent and another received. */
export type Selected = { readonly lists: readonly List[] } | { readonly sent: List; readonly received: List }

/** Users that one statement reads. */
const usersAtOnce = 64

const ends = `user_id AS ownerId, received_count AS receivedCount, last_received AS lastReceived,
  sent_count AS sentCount, last_sent AS lastSent, self_count AS selfCount, last_self AS lastSelf`

/** The ends of the lists of a user, as `balances` has them. */
export type Ends = Record<
  "receivedCount" | "lastReceived" | "sentCount" | "lastSent" | "selfCount" | "lastSelf",
  number
>

export type ListOwners = ReturnType<typeof createListOwners>

/** What the history needs to know about users: their names and the ends of their lists. */
export function createListOwners(client: Database, lists: Lists) {
  const id = client.prepare<{ id: number }, [string]>("SELECT id FROM users WHERE username = ?")
  const endOfAll = client.prepare<Pick<List, "count" | "last">, []>(
    "SELECT transaction_count AS count, last_id AS last FROM ledger_state",
  )
  const endsOfUser = client.prepare<Ends, [number]>(`SELECT ${ends} FROM balances WHERE user_id = ?`)
  const endsInOrder = { up: inOrderOf(">", "ASC"), down: inOrderOf("<", "DESC") }
  const sorted = client.prepare<{ id: number }, [string]>(
    "SELECT users.id FROM json_each(?) JOIN users ON users.id = json_each.value ORDER BY username",
  )
  const erased = client.prepare<{ count: number }, []>(
    "SELECT count(*) AS count FROM users WHERE erased_at IS NOT NULL",
  )
  const usernames = createNameCache(client, "username")
  let [checkedIn, erasures] = [-1, 0]

  return {
    select,
    listsOf,
    /** How many people were erased, as of the current tick. Cached usernames are valid until it changes. */
    erasures: erasuresSeen,

    /** The transaction with the usernames of sender and receiver. */
    named(transaction: Transaction): TransactionRecord {
      erasuresSeen()
      const { receiverId, senderId } = transaction
      return { ...transaction, receiverUsername: usernames.of(receiverId), senderUsername: usernames.of(senderId) }
    },

    /** These users in the order of their usernames. */
    sorted: (userIds: readonly number[]): number[] => sorted.all(JSON.stringify(userIds)).map(({ id }) => id),

    /** The lists of everybody who has transactions, in the order of usernames, or in reverse. */
    *inOrder(direction: Direction): Iterable<ListsOfUser> {
      // A blob sorts after every text.
      let after: string | Uint8Array | undefined = direction === "up" ? "" : new Uint8Array(0)
      while (after !== undefined) {
        const found = endsInOrder[direction].all(after)
        for (const row of found) yield listsOf(row.ownerId, row)
        after = found.length < usersAtOnce ? undefined : found.at(-1)?.username
      }
    },
  }

  /** Null when nothing can match. */
  function select(filter: HistoryFilter): Selected | null {
    const selection = selectionOf(filter, (username) => id.get(username)?.id)
    if (selection === null) return null
    if (selection.kind === "all") {
      const end = endOfAll.get()
      return { lists: [lists.of({ ownerId: 0, side: "all" }, end?.count, end?.last)] }
    }
    if (selection.kind === "pair") {
      const { sent, self } = listsOf(selection.sender)
      if (selection.sender === selection.receiver) return { lists: [self] }
      return { sent, received: listsOf(selection.receiver).received }
    }
    const { received, sent, self } = listsOf(selection.user)
    return {
      lists: { received: [received, self], sent: [sent, self], participant: [received, sent, self] }[selection.kind],
    }
  }

  function listsOf(ownerId: number, found: Partial<Ends> | null = endsOfUser.get(ownerId)): ListsOfUser {
    const { receivedCount, lastReceived, sentCount, lastSent, selfCount, lastSelf } = found ?? {}
    return {
      ownerId,
      received: lists.of({ ownerId, side: "received" }, receivedCount, lastReceived),
      sent: lists.of({ ownerId, side: "sent" }, sentCount, lastSent),
      self: lists.of({ ownerId, side: "self" }, selfCount, lastSelf),
    }
  }

  function erasuresSeen(): number {
    if (checkedIn === currentTick()) return erasures
    checkedIn = currentTick()
    const { count } = erased.get() ?? { count: 0 }
    if (count !== erasures) usernames.clear() // nothing else changes a username
    erasures = count
    return erasures
  }

  /** CROSS JOIN makes SQLite read `users` first. In the other order it would have to sort. */
  function inOrderOf(comparison: string, direction: string) {
    return client.prepare<Ends & { readonly ownerId: number; readonly username: string }, [string | Uint8Array]>(
      `SELECT username, ${ends} FROM users CROSS JOIN balances ON user_id = users.id
       WHERE username ${comparison} ? ORDER BY username ${direction} LIMIT ${usersAtOnce}`,
    )
  }
}
