import { createBoundedCache } from "../../../bounded-cache.ts"
import type { OrderField, Page, PageQuery, TransactionRecord } from "../../../domain/model.ts"
import type { LedgerStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createByUsername } from "./by-username.ts"
import { createByValue } from "./by-value.ts"
import {
  countOf,
  createLists,
  createTimeSlices,
  type Direction,
  firstOf,
  type Ids,
  type List,
  type Reading,
} from "./lists.ts"
import { createPeople, createRows } from "./records.ts"

/** Transactions in cached pages. Some 250 bytes each, with the JSON that HTTP makes of them. */
const maxCached = 131_072

/** Dates never go backwards, so their order is the order of ids. */
const orders = { date: "id", value: "value", user: "receiver", from_user: "sender" } as const

type Order = (typeof orders)[OrderField]

/**
 * `LedgerStore.page`, read from the history index (blocks.ts): a filter selects some lists. Their counts are stored; only the
 * transactions from one user to another are counted by reading. `longestMs` bounds how long a page holds the event loop.
 *
 * What is between two positions of a list never changes, so pages in the order of dates are cached (400 µs become 20) and a
 * repeated query gets the same array.
 */
export function createPages({ client }: Pick<Connection, "client">, longestMs?: number): LedgerStore["page"] {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const byValue = createByValue(client, lists)
  const byUsername = createByUsername(lists, people)
  const inTimeSlices = createTimeSlices(client, longestMs)
  const cache = createBoundedCache<string, readonly TransactionRecord[]>(maxCached, (items) => items.length)

  return (query) => inTimeSlices(pageOf(query))

  function* pageOf(query: PageQuery): Reading<Page<TransactionRecord>> {
    const selection = people.select(query)
    if (selection === null) return { items: [], total: 0 }
    const order = query.order ? orders[query.order.field] : "id"
    const descends = query.order?.descending === true
    if (selection.kind === "pair") {
      // Read completely, along the shorter of the two lists: lists or counters of pairs would cost each transfer more.
      const ids = yield* firstOf(lists.idsInCommon(selection.sent, selection.received, "up"), Number.POSITIVE_INFINITY)
      const { from, to } = rangeOf(query, ids.length)
      return { items: itemsOf((order === "value" ? rows.byValue(ids) : ids).slice(from, to)), total: ids.length }
    }
    const of = selection.lists
    const total = countOf(of)
    const { from, to } = rangeOf(query, total)
    const key =
      order === "id" ? JSON.stringify([of.map(({ ownerId, side }) => side + ownerId), from, to, descends]) : null
    const cached = key === null ? undefined : cache.get(key)
    if (cached) return { items: cached, total }
    const items = itemsOf(yield* idsBetween(of, order, from, to))
    if (key !== null) cache.set(key, Object.freeze(items))
    return { items, total }

    function itemsOf(ids: readonly number[]): TransactionRecord[] {
      const items = rows.of(ids).map(people.named)
      return descends ? items.reverse() : items
    }
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

/** The positions of a page among so many in ascending order. */
function rangeOf({ order, page, size }: PageQuery, total: number) {
  const near = Math.min(total, (page - 1) * size)
  const far = Math.min(total, near + size)
  return order?.descending ? { from: total - far, to: total - near } : { from: near, to: far }
}
