import type { HistoryPageQuery, OrderField, TransactionRecord } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { Page } from "../../../domain/paging.ts"
import { createBoundedCache } from "../../../support/bounded-cache.ts"
import { createTimeSlices, type Reading } from "../../budget.ts"
import type { Reader } from "../database/reader.ts"
import { createByUsername } from "./by-username.ts"
import { createByValue } from "./by-value.ts"
import { countOf, createLists, type Direction, firstOf, type Ids, type List } from "./lists.ts"
import { createListOwners, createRows } from "./records.ts"

/** Transactions in cached pages. Some 250 bytes each, with the JSON that HTTP makes of them. */
const maxCached = 131_072

/** Dates never go backwards, so their order is the order of ids. */
const orders = { date: "id", value: "value", user: "receiver", from_user: "sender" } as const
type Order = (typeof orders)[OrderField]

/** The order of the transactions from one user to another, which all have the same sender and the same receiver. */
const orderInPair: Record<Order, "id" | "value"> = { id: "id", value: "value", receiver: "id", sender: "id" }

/**
 * `LedgerStore.page`, read from the history index (blocks.ts): a filter selects some lists. Their counts are stored;
 * only the transactions from one user to another are counted by reading. `longestMs` bounds how long a page blocks the
 * event loop.
 *
 * Entries between two positions of a list change only by an erasure, which changes a username. So pages by date are
 * cached (20 µs instead of 400), and a repeated query gets the same array.
 */
export function createPages(
  { client, read }: Pick<Reader, "client" | "read">,
  longestMs?: number,
): Pick<LedgerStore, "page" | "pageWithBalance"> {
  const lists = createLists(client)
  const owners = createListOwners(client, lists)
  const rows = createRows(client)
  const byValue = createByValue(client, lists)
  const byUsername = createByUsername(lists, owners)
  const inTimeSlices = createTimeSlices(read, longestMs)
  const cache = createBoundedCache<string, readonly TransactionRecord[]>(maxCached, (items) => items.length)

  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")

  return {
    page: (query) =>
      inTimeSlices(
        settled(() => pageOf(query)),
        query.signal,
      ),
    pageWithBalance: (userId, query) =>
      inTimeSlices(
        settled(() => withBalance(userId, query)),
        query.signal,
      ),
  }

  /** A page is as of its first slice, and so is the balance. */
  function* withBalance(userId: number, query: HistoryPageQuery) {
    const { value } = balance.get(userId) ?? { value: 0 }
    return { ...(yield* pageOf({ ...query, participantId: userId })), balance: value }
  }

  /** An erasure between two time slices changes the order of usernames, so the page is then read again. */
  function* settled<T>(read: () => Reading<T>): Reading<T> {
    for (;;) {
      const erasures = owners.erasures()
      const found = yield* read()
      if (owners.erasures() === erasures) return found
    }
  }

  function* pageOf(query: HistoryPageQuery): Reading<Page<TransactionRecord>> {
    const selection = owners.select(query)
    if (selection === null) return { items: [], total: 0 }
    const order = query.order ? orders[query.order.field] : "id"
    const descends = query.order?.descending === true
    const of = "lists" in selection ? selection.lists : []
    // From one user to another: the shorter list is read completely, because lists or counters of pairs would make each transfer slower.
    const pair =
      "lists" in selection ? null : yield* firstOf(lists.idsInCommon(selection.sent, selection.received, "up"))
    const total = pair ? pair.length : countOf(of)
    const near = Math.min(total, (query.page - 1) * query.size)
    const far = Math.min(total, near + query.size)
    const [from, to] = descends ? [total - far, total - near] : [near, far]

    const listed = order === "id" && !pair ? of.map(({ ownerId, side }) => side + ownerId).join() : null
    const cacheKey = listed && `${owners.erasures()} ${listed} ${from} ${to} ${descends}`
    const cached = cacheKey ? cache.get(cacheKey) : undefined
    if (cached) return { items: cached, total }
    const inOrder = pair && orderInPair[order] === "value" ? rows.byValue(pair) : pair
    const items = rows.of(inOrder?.slice(from, to) ?? (yield* idsBetween(of, order, from, to))).map(owners.named)
    if (descends) items.reverse()
    if (cacheKey) cache.set(cacheKey, Object.freeze(items))
    return { items, total }
  }

  /** Ids from number `from` (the first is 0) up to but not including `to` in this order, read from the nearer end. */
  function* idsBetween(of: readonly List[], order: Order, from: number, to: number): Reading<number[]> {
    if (from === to) return []
    if (order === "value") return yield* byValue(of, from, to)
    const read = (direction: Direction, skip: number): Ids =>
      order === "id" ? lists.idsIn(of, direction, skip) : byUsername(of, order, direction, skip)
    const after = countOf(of) - to
    return from <= after
      ? yield* firstOf(read("up", from), to - from)
      : (yield* firstOf(read("down", after), to - from)).reverse()
  }
}
