import type { Calendar } from "../../../domain/calendar.ts"
import { maxValue } from "../../../domain/ledger/ledger.ts"
import type { DayRange, PersonRecognition, RecognitionSum, TransactionKind } from "../../../domain/model.ts"
import { monthsOf } from "../../../domain/recognition/periods.ts"
import { isRecognition } from "../../../domain/recognition/recognitions.ts"
import type { InsightStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createTimeSlices, type Reading } from "../database/time-slices.ts"

/** Rows read between two pauses. */
const rowsAtOnce = 500
/** Recognitions in memory that are visited between two pauses. */
const visitsAtOnce = 16_384

interface Row {
  readonly id: number
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  readonly date: number
  readonly kind: TransactionKind
  readonly reverses: number | null
  readonly tags: string
}

/**
 * `InsightStore`. The first question reads the whole ledger into memory, 28 bytes a recognition; each further one reads what is
 * new and then only visits memory, which takes some 10 ms for a million. Everything runs in time slices.
 */
export function createInsightStore({ client }: Pick<Connection, "client">, calendar: Calendar): InsightStore {
  const inTimeSlices = createTimeSlices(client)
  const table = createTable(calendar)
  let throughId = 0
  let erasuresKnown = 0
  let reading: Promise<void> | undefined

  const lastId = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const rowsBehind = client.prepare<Row, [number]>(
    `SELECT id, from_id AS senderId, user_id AS receiverId, value, date, kind, reverses, coalesce(tags, '') AS tags
     FROM transactions LEFT JOIN notes ON transaction_id = id WHERE id > ? ORDER BY id LIMIT ${rowsAtOnce}`,
  )
  const erasureCount = client.prepare<{ count: number }, []>("SELECT count(*) AS count FROM erasures")
  const erased = client.prepare<{ id: number }, []>("SELECT transaction_id AS id FROM erasures")
  const someDepts = client.prepare<{ id: number; dept: string }, [number]>(
    `SELECT id, dept FROM users WHERE id > ? ORDER BY id LIMIT ${rowsAtOnce}`,
  )
  const somePeople = client.prepare<Omit<PersonRecognition, "sent" | "lastReceived">, [number]>(
    `SELECT id, username, name, dept, avatar, coalesce(value, 0) AS balance FROM users LEFT JOIN balances ON user_id = id
     WHERE id > ? AND deactivated_at IS NULL ORDER BY id LIMIT ${rowsAtOnce}`,
  )

  return {
    participation: (days) => answer(participation(days)),
    departments: (days) => answer(departments(days)),
    tags: (days) => answer(tags(days)),
    people: (days) => answer(people(days)),
  }

  async function answer<T>(question: Reading<T>): Promise<T> {
    while (throughId < (lastId.get()?.id ?? 0)) {
      reading ??= inTimeSlices(readNew()).finally(() => {
        reading = undefined
      })
      await reading
    }
    forgetErased()
    return inTimeSlices(question)
  }

  function* readNew(): Reading<void> {
    for (;;) {
      const rows = rowsBehind.all(throughId)
      for (const row of rows) {
        if (isRecognition(row)) table.add(row)
        else if (row.reverses !== null) table.reverse(row.reverses, row.value)
        throughId = row.id
      }
      if (rows.length < rowsAtOnce) return
      yield
    }
  }

  function forgetErased() {
    const count = erasureCount.get()?.count ?? 0
    if (count === erasuresKnown) return
    for (const { id } of erased.all()) table.forgetTags(id)
    erasuresKnown = count
  }

  function* participation(days: DayRange) {
    const months = monthsOf(days).map(({ name, firstDay }) => ({
      firstDay,
      of: { month: name, senders: 0, receivers: 0, count: 0, value: 0 },
    }))
    // The month in which each person was last counted: recognitions ascend by date.
    const [senders, receivers] = [new Map<number, unknown>(), new Map<number, unknown>()]
    let at = 0
    yield* table.visit(days, ({ day, senderId, receiverId, left }) => {
      for (let next = months[at + 1]; next && next.firstDay <= day; next = months[at + 1]) at += 1
      const month = months[at]?.of
      if (!month) return
      if (senders.get(senderId) !== month) month.senders += 1
      if (receivers.get(receiverId) !== month) month.receivers += 1
      senders.set(senderId, month)
      receivers.set(receiverId, month)
      addTo(month, left)
    })
    return months.map(({ of }) => of).filter(({ count }) => count > 0)
  }

  function* departments(days: DayRange) {
    const deptOf = new Map<number, string>()
    yield* inParts(someDepts.all.bind(someDepts), ({ id, dept }) => deptOf.set(id, dept))
    const sums = createSums()
    yield* table.visit(days, ({ senderId, receiverId, left }) =>
      sums.add(deptOf.get(senderId) ?? "", deptOf.get(receiverId) ?? "", left),
    )
    return sums.all().map(([from, to, sum]) => ({ from, to, ...sum }))
  }

  function* tags(days: DayRange) {
    const months = monthsOf(days)
    const sums = createSums()
    let at = 0
    yield* table.visit(days, ({ day, tags, left }) => {
      for (let next = months[at + 1]; next && next.firstDay <= day; next = months[at + 1]) at += 1
      for (const tag of tags) sums.add(months[at]?.name ?? "", tag, left)
    })
    return sums.all().map(([month, tag, sum]) => ({ month, tag, ...sum }))
  }

  function* people(days: DayRange) {
    const sent = new Map<number, number>()
    const lastReceived = new Map<number, number>()
    yield* table.visit(always, ({ day, senderId, receiverId, left }) => {
      lastReceived.set(receiverId, day)
      if (day >= days.first && day <= days.last) sent.set(senderId, limited((sent.get(senderId) ?? 0) + left))
    })
    const all: PersonRecognition[] = []
    yield* inParts(somePeople.all.bind(somePeople), (person) =>
      all.push({ ...person, sent: sent.get(person.id) ?? 0, lastReceived: lastReceived.get(person.id) ?? null }),
    )
    return all
  }
}

const always: DayRange = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

const limited = (points: number): number => Math.min(points, maxValue)

function addTo(sum: { -readonly [Key in keyof RecognitionSum]: number }, points: number) {
  sum.count += 1
  sum.value = limited(sum.value + points)
}

/** Sums by two texts. */
function createSums() {
  const sums = new Map<string, Map<string, { count: number; value: number }>>()
  return {
    add(one: string, other: string, points: number) {
      const row = sums.get(one) ?? new Map<string, { count: number; value: number }>()
      sums.set(one, row)
      const sum = row.get(other) ?? { count: 0, value: 0 }
      row.set(other, sum)
      addTo(sum, points)
    },
    all: () => [...sums].flatMap(([one, row]) => [...row].map(([other, sum]) => [one, other, sum] as const)),
  }
}

/** Rows by ascending id, in time slices. */
function* inParts<T extends { readonly id: number }>(
  read: (after: number) => readonly T[],
  visit: (row: T) => void,
): Reading<void> {
  for (let rows = read(0); ; rows = read(rows.at(-1)?.id ?? 0)) {
    for (const row of rows) visit(row)
    if (rows.length < rowsAtOnce) return
    yield
  }
}

/** A recognition of which something is left. */
interface Visited {
  readonly day: number
  readonly senderId: number
  readonly receiverId: number
  readonly left: number
  readonly tags: readonly string[]
}

/** Recognitions by ascending id, in columns, because these are compact. */
function createTable({ dayOf }: Calendar) {
  let length = 0
  let ids = new Uint32Array(0)
  let days = new Uint32Array(0)
  let senders = new Uint32Array(0)
  let receivers = new Uint32Array(0)
  let tags = new Uint32Array(0)
  let left = new Float64Array(0)
  /** Each combination of tags, once; the first has none. */
  const tagLists: string[][] = [[]]
  const numberOfTags = new Map([["", 0]])

  return {
    add(row: Row) {
      if (length === ids.length) enlarge(Math.max(1024, 2 * length))
      ids[length] = row.id
      days[length] = dayOf(row.date)
      senders[length] = row.senderId
      receivers[length] = row.receiverId
      left[length] = row.value
      tags[length] = numberOf(row.tags)
      length += 1
    },

    /** Does nothing when the transaction is no recognition. */
    reverse(id: number, points: number) {
      const at = positionOf(id)
      if (at !== null) left[at] = (left[at] ?? 0) - points
    },

    forgetTags(id: number) {
      const at = positionOf(id)
      if (at !== null) tags[at] = 0
    },

    *visit({ first, last }: DayRange, each: (recognition: Visited) => void): Reading<void> {
      const end = length
      for (let at = 0; at < end; at += 1) {
        if (at % visitsAtOnce === visitsAtOnce - 1) yield
        const [day = 0, points = 0] = [days[at], left[at]]
        if (points === 0 || day < first || day > last) continue
        each({
          day,
          senderId: senders[at] ?? 0,
          receiverId: receivers[at] ?? 0,
          left: points,
          tags: tagLists[tags[at] ?? 0] ?? [],
        })
      }
    },
  }

  function numberOf(text: string): number {
    const known = numberOfTags.get(text)
    if (known !== undefined) return known
    numberOfTags.set(text, tagLists.length)
    return tagLists.push(text.split(" ")) - 1
  }

  function positionOf(id: number): number | null {
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] ?? 0) < id) low = middle + 1
      else high = middle
    }
    return ids[low] === id && low < length ? low : null
  }

  function enlarge(capacity: number) {
    ids = enlarged(ids, capacity)
    days = enlarged(days, capacity)
    senders = enlarged(senders, capacity)
    receivers = enlarged(receivers, capacity)
    tags = enlarged(tags, capacity)
    const larger = new Float64Array(capacity)
    larger.set(left)
    left = larger
  }
}

function enlarged(column: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(column)
  return larger
}
