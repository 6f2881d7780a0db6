import type { OrderField } from "../../domain/pages.ts"
import { sequenceOfAllByUsername, sequenceOfListByUsername, sequenceOfParticipantByUsername } from "./by-username.ts"
import { sequenceByValue } from "./by-value.ts"
import type { Columns } from "./columns.ts"
import type { Side, ValueList } from "./lists.ts"
import { idsOfPair } from "./pairs.ts"
import { countOf, type Ends, sequenceOfParticipant } from "./participant.ts"
import type { People } from "./people.ts"
import type { Rows } from "./rows.ts"
import { atOnce, type Reading, type Sequence, sequenceOf, sequenceOfList } from "./sequences.ts"

type Order = "byId" | "byReceiver" | "bySender" | "byValue"

/** The transactions that a query keeps, in each order that it may ask for; ties stand by id. */
export interface Kept extends Record<Order, () => Sequence> {
  /** Which list they are, of those that only grow; null for one that is made up anew. */
  readonly list: string | null
}

/** Dates never go backwards, so that theirs is the order of ids. */
export const orderOf: Record<OrderField, Order> = {
  date: "byId",
  value: "byValue",
  user: "byReceiver",
  from_user: "bySender",
}

export const everything = (people: People, all: ValueList, columns: Columns): Kept => ({
  list: "all",
  // Ids have no gaps: what stands where is known.
  byId: () => ({
    count: all.count,
    slice: (from, to) => atOnce(Array.from({ length: to - from }, (_, index) => from + 1 + index)),
  }),
  byReceiver: () => sequenceOfAllByUsername(people, "received", all.count),
  bySender: () => sequenceOfAllByUsername(people, "sent", all.count),
  byValue: () => sequenceByValue([all], all.count, () => columns.through(all.last)),
})

/** What a user received or sent, one of them. */
export function oneSide(people: People, ends: Ends, side: Side): Kept {
  const list = ends[side]
  const byId = () => sequenceOfList(list)
  const byOther = () => sequenceOfListByUsername(people, ends, side)
  return {
    list: `${side} ${ends.userId}`,
    byId,
    byReceiver: side === "received" ? byId : byOther,
    bySender: side === "sent" ? byId : byOther,
    byValue: () => sequenceByValue([list], list.count),
  }
}

/** What a user received or sent, both. */
export const bothSides = (people: People, ends: Ends): Kept => ({
  list: `both ${ends.userId}`,
  byId: () => sequenceOfParticipant(ends),
  byReceiver: () => sequenceOfParticipantByUsername(people, ends, "received"),
  bySender: () => sequenceOfParticipantByUsername(people, ends, "sent"),
  byValue: () => sequenceByValue([ends.received, ends.sent], countOf(ends)),
})

/** What one user sent to another, or to itself. */
export function* between(rows: Rows, sender: Ends, receiver: Ends): Reading<Kept> {
  const count = sender.userId === receiver.userId ? sender.selfCount : undefined
  const ids = yield* idsOfPair(sender.sent, receiver.received, count)
  const byId = () => sequenceOf(ids)
  return { list: null, byId, byReceiver: byId, bySender: byId, byValue: () => sequenceOf(rows.byValue(ids)) }
}
