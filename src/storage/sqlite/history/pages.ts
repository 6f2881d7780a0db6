import { createBoundedCache } from "../../../bounded-cache.ts"
import type { OrderField, Page, PageQuery, TransactionRecord } from "../../../domain/model.ts"
import type { LedgerStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import type { Side } from "./blocks.ts"
import { createByUsername } from "./by-username.ts"
import { createByValue } from "./by-value.ts"
import {
  createLists,
  createTimeSlices,
  idsBetween,
  type List,
  type Order,
  type Participant,
  participantCount,
  type Reading,
} from "./lists.ts"
import { createPeople, createRows } from "./records.ts"

/** Transactions in cached pages. Some 250 bytes each, with the JSON that HTTP makes of them. */
const maxCached = 131_072

/** Reads ids from number `from`, the first being 0, up to but not including `to`, ascending. */
type ReadIds = (from: number, to: number) => Reading<readonly number[]>

/** A part of the ledger that can be read in every order; ties are in the order of ids. */
interface History {
  readonly count: number
  /** The part's name in the keys of the cache; null for the transactions from one user to another, which are not cached. */
  readonly list: string | null
  readonly by: Readonly<Record<"id" | "receiver" | "sender" | "value", ReadIds>>
}

/** Dates never go backwards, so their order is the order of ids. */
const orders: Record<OrderField, keyof History["by"]> = {
  date: "id",
  value: "value",
  user: "receiver",
  from_user: "sender",
}

/**
 * `LedgerStore.page`, read from the history index (blocks.ts): a filter selects one list or two. Their counts are stored;
 * only the count of a pair of users is found by reading. `longestMs` bounds how long a page holds the event loop.
 *
 * What is between two positions of a list never changes, so pages in the order of dates are cached (400 µs become 20) and a repeated query
 * gets the same array.
 */
export function createPages({ client }: Pick<Connection, "client">, longestMs?: number): LedgerStore["page"] {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const byValue = createByValue(client, lists)
  const byUsername = createByUsername(lists, people)
  const inTimeSlices = createTimeSlices(client, longestMs)
  const cache = createBoundedCache<string, readonly TransactionRecord[]>(maxCached, (items) => items.length)
  const state = client.prepare<Pick<List, "count" | "last">, []>(
    "SELECT transaction_count AS count, last_id AS last FROM ledger_state",
  )

  return (query) => inTimeSlices(pageOf(query))

  function* pageOf(query: PageQuery): Reading<Page<TransactionRecord>> {
    const history = yield* historyOf(query)
    if (history === null) return { items: [], total: 0 }
    const { count: total, list } = history
    const order = query.order ? orders[query.order.field] : "id"
    const descends = query.order?.descending === true
    const near = Math.min(total, (query.page - 1) * query.size)
    const far = Math.min(total, near + query.size)
    const [from, to] = descends ? [total - far, total - near] : [near, far]

    const cacheKey = order === "id" && list !== null ? `${list} ${from} ${to} ${descends}` : null
    const cached = cacheKey === null ? undefined : cache.get(cacheKey)
    if (cached) return { items: cached, total }
    const items = from === to ? [] : rows.of(yield* history.by[order](from, to)).map(people.named)
    if (descends) items.reverse()
    if (cacheKey !== null) cache.set(cacheKey, Object.freeze(items))
    return { items, total }
  }

  /** Null when a named user does not exist, or the participant takes no part in what is named. */
  function* historyOf(query: PageQuery): Reading<History | null> {
    const selection = people.selectionOf(query)
    if (selection === null) return null
    if (selection.kind === "all") return everything()
    if (selection.kind === "pair")
      return yield* pair(people.participant(selection.sender), people.participant(selection.receiver))
    const participant = people.participant(selection.owner)
    return selection.kind === "side" ? oneSide(participant, selection.side) : bothSides(participant)
  }

  function everything(): History {
    const list = lists.of({ ownerId: 0, side: "all" }, state.get() ?? { count: 0, last: 0 })
    return historyIn("all", [list], list.count, {
      id: (direction, skip) => lists.idsIn(list, direction, skip),
      receiver: byUsername.everything("received"),
      sender: byUsername.everything("sent"),
    })
  }

  function oneSide(participant: Participant, side: Side): History {
    const list = participant[side]
    const byId: Order = (direction, skip) => lists.idsIn(list, direction, skip)
    const byOther = byUsername.ofSide(participant, side)
    return historyIn(`${side} ${list.ownerId}`, [list], list.count, {
      id: byId,
      receiver: side === "received" ? byId : byOther,
      sender: side === "sent" ? byId : byOther,
    })
  }

  function bothSides(participant: Participant): History {
    const { received, sent } = participant
    return historyIn(`both ${received.ownerId}`, [received, sent], participantCount(participant), {
      id: (direction, skip) => lists.idsOfParticipant(participant, direction, skip),
      receiver: byUsername.ofParticipant(participant, "received"),
      sender: byUsername.ofParticipant(participant, "sent"),
    })
  }

  function historyIn(
    list: string,
    of: readonly List[],
    count: number,
    by: Record<"id" | "receiver" | "sender", Order>,
  ): History {
    const readIn =
      (order: Order): ReadIds =>
      (from, to) =>
        idsBetween(order, count, from, to)
    return {
      count,
      list,
      by: {
        id: readIn(by.id),
        receiver: readIn(by.receiver),
        sender: readIn(by.sender),
        value: (from, to) => byValue(of, count, from, to),
      },
    }
  }

  /** Read completely, along the shorter of the two lists: lists or counters of pairs would cost each transfer more. */
  function* pair(sender: Participant, receiver: Participant): Reading<History> {
    const isSelf = sender.sent.ownerId === receiver.received.ownerId
    const ids: number[] = []
    for (const id of isSelf && sender.selfCount === 0 ? [] : lists.idsInCommon(sender.sent, receiver.received, "up")) {
      if (id === undefined) yield
      else ids.push(id)
    }
    const sliceOf = (sorted: () => readonly number[]): ReadIds =>
      // biome-ignore lint/correctness/useYield: it needs no pause
      function* (from, to) {
        return sorted().slice(from, to)
      }
    const byId = sliceOf(() => ids)
    const byValue = sliceOf(() => rows.byValue(ids))
    return { count: ids.length, list: null, by: { id: byId, receiver: byId, sender: byId, value: byValue } }
  }
}
