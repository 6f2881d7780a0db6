import { createBoundedCache } from "../../../bounded-cache.ts"
import type { OrderField, Page, PageQuery, Transaction, TransactionRecord } from "../../../domain/model.ts"
import type { LedgerStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import type { Side } from "./blocks.ts"
import { createByUsername } from "./by-username.ts"
import { createByValue } from "./by-value.ts"
import { createLists, type List, type Participant, participantCount } from "./lists.ts"
import { createPeople } from "./people.ts"
import { createRows } from "./rows.ts"
import { selectionOf } from "./selection.ts"
import { createTimeSlices, type Reading } from "./time-slices.ts"

/** Transactions in cached pages. Some 250 bytes each, with the JSON that HTTP makes of them. */
const maxCached = 131_072

/** A part of the ledger, readable in every order; ties are in the order of ids. */
interface History {
  readonly count: number
  /** Identifies a list that only grows; null where there is none. */
  readonly list: string | null
  /** Each gives ids from number `from`, the first being 0, up to but not including number `to`, ascending. */
  readonly by: Readonly<
    Record<"id" | "receiver" | "sender" | "value", (from: number, to: number) => Reading<readonly number[]>>
  >
}

/** Dates never go backwards: their order is that of ids. */
const orders: Record<OrderField, keyof History["by"]> = {
  date: "id",
  value: "value",
  user: "receiver",
  from_user: "sender",
}

/**
 * Pages of the ledger, read from the history index (blocks.ts) with what a query keeps as a list, or two. The count of a
 * list is stored; only that of a pair of users is found by reading. `longestMs` bounds how long a page holds the event loop.
 *
 * What is between two places of a list never changes, so such pages are cached (400 µs become 20): whoever asks again gets
 * the same array.
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

    const place = order === "id" && list !== null ? `${list} ${from} ${to} ${descends}` : null
    const cached = place === null ? undefined : cache.get(place)
    if (cached) return { items: cached, total }
    const items = from === to ? [] : rows.of(yield* history.by[order](from, to)).map(named)
    if (descends) items.reverse()
    if (place !== null) cache.set(place, Object.freeze(items))
    return { items, total }
  }

  /** Null when a named user does not exist, or the participant has no part in what is named. */
  function* historyOf(query: PageQuery): Reading<History | null> {
    const selection = selectionOf(people, query)
    if (selection === null) return null
    if (selection.kind === "all") return everything()
    if (selection.kind === "pair") return yield* pair(selection)
    const participant = people.participant(selection.owner)
    return selection.kind === "side" ? oneSide(participant, selection.side) : bothSides(participant)
  }

  function everything(): History {
    const list = lists.of({ ownerId: 0, side: "all" }, state.get() ?? { count: 0, last: 0 })
    const { count } = list
    return {
      count,
      list: "all",
      by: {
        id: (from, to) => lists.slice(list, from, to),
        receiver: (from, to) => byUsername.slice(byUsername.everything("received"), count, from, to),
        sender: (from, to) => byUsername.slice(byUsername.everything("sent"), count, from, to),
        value: (from, to) => byValue([list], count, from, to),
      },
    }
  }

  function oneSide(participant: Participant, side: Side): History {
    const list = participant[side]
    const { count } = list
    const byId = (from: number, to: number) => lists.slice(list, from, to)
    const byOther = (from: number, to: number) =>
      byUsername.slice(byUsername.ofSide(participant, side), count, from, to)
    return {
      count,
      list: `${side} ${list.ownerId}`,
      by: {
        id: byId,
        receiver: side === "received" ? byId : byOther,
        sender: side === "sent" ? byId : byOther,
        value: (from, to) => byValue([list], count, from, to),
      },
    }
  }

  function bothSides(participant: Participant): History {
    const { received, sent } = participant
    const count = participantCount(participant)
    const grouped = (side: Side) => (from: number, to: number) =>
      byUsername.slice(byUsername.ofParticipant(participant, side), count, from, to)
    return {
      count,
      list: `both ${received.ownerId}`,
      by: {
        id: (from, to) => lists.participantSlice(participant, from, to),
        receiver: grouped("received"),
        sender: grouped("sent"),
        value: (from, to) => byValue([received, sent], count, from, to),
      },
    }
  }

  /** Read whole, along the shorter of the two lists: lists or counters of pairs would cost each transfer more. */
  function* pair({ sender, receiver }: { readonly sender: number; readonly receiver: number }): Reading<History> {
    const [from, to] = [people.participant(sender), people.participant(receiver)]
    const ids: number[] = []
    for (const id of sender === receiver && from.selfCount === 0
      ? []
      : lists.idsInCommon(from.sent, to.received, "up")) {
      if (id === undefined) yield
      else ids.push(id)
    }
    const slice = (of: () => readonly number[]) =>
      // biome-ignore lint/correctness/useYield: it needs no pause
      function* (from: number, to: number) {
        return of().slice(from, to)
      }
    const byId = slice(() => ids)
    return {
      count: ids.length,
      list: null,
      by: { id: byId, receiver: byId, sender: byId, value: slice(() => rows.byValue(ids)) },
    }
  }

  function named(transaction: Transaction): TransactionRecord {
    const { receiverId, senderId } = transaction
    return {
      ...transaction,
      receiverUsername: people.usernameOf(receiverId),
      senderUsername: people.usernameOf(senderId),
    }
  }
}
