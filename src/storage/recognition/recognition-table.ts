import type { Calendar, DayRange } from "../../domain/calendar.ts"
import { createBudget } from "../budget.ts"

/** Recognitions that are visited at once, in about 100 µs. */
const visitsAtOnce = 8192

/**
 * The columns of the table, by position. The position of a recognition never changes; the arrays are replaced as the table
 * grows.
 */
interface Columns {
  readonly ids: Uint32Array
  readonly days: Uint32Array
  readonly senderIds: Uint32Array
  readonly receiverIds: Uint32Array
  /** The number of the recognition's combination of tags. */
  readonly tagLists: Uint32Array
  /** The points that no reversal has moved back. */
  readonly left: Float64Array
}

interface NewRecognition {
  readonly id: number
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  readonly date: number
  readonly tags: string
}

/** The recognitions that the table had at one moment. */
export interface Recognitions {
  /** One more than the highest user id: the length of an array by user. */
  readonly userIds: number
  /** Calls `each` for the recognitions of these days that have points left, ascending by id. All visits share a budget. */
  visit(days: DayRange, each: (columns: Columns, at: number) => void): Promise<void>
  tagsIn(list: number): readonly string[]
}

/** Recognitions in memory, ascending by id. Stored in columns, which take 28 bytes for each recognition. */
export function createRecognitionTable({ dayOf }: Pick<Calendar, "dayOf">, budget = createBudget()) {
  let length = 0
  let lastUserId = 0
  let columns = columnsOf(0)
  /** Each combination of tags, once; the first has none. */
  const tagLists: string[][] = [[]]
  const numberOfTags = new Map([["", 0]])

  return {
    /** Call it with ascending ids. */
    add({ id, senderId, receiverId, value, date, tags }: NewRecognition) {
      if (length === columns.ids.length) enlarge(Math.max(1024, Math.ceil(1.5 * length)))
      columns.ids[length] = id
      columns.days[length] = dayOf(date)
      columns.senderIds[length] = senderId
      columns.receiverIds[length] = receiverId
      columns.left[length] = value
      columns.tagLists[length] = numberOf(tags)
      lastUserId = Math.max(lastUserId, senderId, receiverId)
      length += 1
    },

    /** Does nothing when the transaction is not a recognition. */
    reverse(id: number, points: number) {
      const at = firstFrom(columns.ids, id)
      if (columns.ids[at] === id && at < length) columns.left[at] = (columns.left[at] ?? 0) - points
    },

    forgetTags(id: number) {
      const at = firstFrom(columns.ids, id)
      if (columns.ids[at] === id && at < length) columns.tagLists[at] = 0
    },

    /** The recognitions as of now. Visits end, and throw the reason, when the signal aborts. */
    recognitions(signal?: AbortSignal): Recognitions {
      const known = length
      return {
        userIds: lastUserId + 1,
        visit: (days, each) => visit(known, days, each, signal),
        tagsIn: (list) => tagLists[list] ?? [],
      }
    },
  }

  async function visit(
    known: number,
    { first, last }: DayRange,
    each: (columns: Columns, at: number) => void,
    signal: AbortSignal | undefined,
  ) {
    signal?.throwIfAborted()
    const end = Math.min(known, firstFrom(columns.days, last + 1))
    for (let from = firstFrom(columns.days, first); from < end; from += visitsAtOnce)
      await budget.spend(() => visitBetween(from, Math.min(from + visitsAtOnce, end), each), signal)
  }

  function visitBetween(from: number, to: number, each: (columns: Columns, at: number) => void) {
    const { left } = columns
    for (let at = from; at < to; at += 1) if (left[at] !== 0) each(columns, at)
  }

  function numberOf(text: string): number {
    const known = numberOfTags.get(text)
    if (known !== undefined) return known
    numberOfTags.set(text, tagLists.length)
    return tagLists.push(text.split(" ")) - 1
  }

  /** The first position in an ascending column whose value is at least `value`. */
  function firstFrom(column: Uint32Array, value: number): number {
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((column[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    return low
  }

  function enlarge(capacity: number) {
    const larger = columnsOf(capacity)
    larger.ids.set(columns.ids)
    larger.days.set(columns.days)
    larger.senderIds.set(columns.senderIds)
    larger.receiverIds.set(columns.receiverIds)
    larger.tagLists.set(columns.tagLists)
    larger.left.set(columns.left)
    columns = larger
  }
}

const columnsOf = (capacity: number) => ({
  ids: new Uint32Array(capacity),
  days: new Uint32Array(capacity),
  senderIds: new Uint32Array(capacity),
  receiverIds: new Uint32Array(capacity),
  tagLists: new Uint32Array(capacity),
  left: new Float64Array(capacity),
})
