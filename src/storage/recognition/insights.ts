import { type Calendar, type DayRange, monthsOf } from "../../domain/calendar.ts"
import { DatabaseDamaged } from "../../domain/damage.ts"
import { maxValue } from "../../domain/ledger/ledger.ts"
import type {
  DepartmentRecognition,
  PersonRecognition,
  RecapFigures,
  RecognitionSum,
} from "../../domain/recognition/model.ts"
import type { InsightStore } from "../../domain/recognition/ports.ts"
import { isRecognition } from "../../domain/recognition/recognitions.ts"
import { type Database, type Reads, single } from "../database.ts"
import { fields, type SQL, select, sql } from "../sql.ts"
import { balances, erasures, ledgerState, notes, transactions, users } from "../tables.ts"
import { bestWords } from "./public-words.ts"
import { createRecognitionTable, type Recognitions } from "./recognition-table.ts"

const transaction = fields({
  id: transactions.id,
  senderId: transactions.fromId,
  receiverId: transactions.userId,
  value: transactions.value,
  date: transactions.date,
  kind: transactions.kind,
  reverses: transactions.reverses,
  tags: sql<string>`coalesce(${notes.tags}, '')`, // words, separated by one space
})
const erasure = fields({ id: erasures.transactionId })
const department = fields({ id: users.id, dept: users.dept })
const person = fields({
  id: users.id,
  username: users.username,
  name: users.name,
  dept: users.dept,
  avatar: users.avatar,
  balance: sql<number>`coalesce(${balances.value}, 0)`,
  earned: sql<number>`coalesce(${balances.earned}, 0)`,
})

/** Rows of one read: 1 to 2 ms on SQLite, and as long to decode an answer of PostgreSQL. */
const rowsAtOnce = 1000

/**
 * `InsightStore`. The first question reads the ledger into memory, each further one reads the
 * transactions since. The answer is computed from memory, in time slices. Queries in the database would read the whole
 * ledger for each question.
 * The app asks the first question when a superuser opens the administration, not the server at its start, because many
 * never look at insights.
 */
export function createInsightStore(db: Database, calendar: Calendar): InsightStore {
  const table = createRecognitionTable(calendar)
  let throughId = 0
  let erasuresKnown = 0
  let reading: Promise<void> | undefined

  return {
    participation: async (days, signal) => participation(await upToDate(signal), days),
    departments: async (days, signal) => departments(await upToDate(signal), db.until(signal), days),
    tags: async (days, signal) => tags(await upToDate(signal), days),
    people: async (days, signal) => people(await upToDate(signal), db.until(signal), days),
    ofPeople: async (userIds, days, signal) => ofPeople(await upToDate(signal), userIds, days),
    recap: async (userId, days, signal) => recap(await upToDate(signal), userId, days),
    bestWords: (between, limit, signal) => bestWords(db.until(signal), between, limit),
  }

  /** What is read into memory serves everybody, so it is read to its end even if the first who asked has gone. */
  async function upToDate(signal: AbortSignal | undefined): Promise<Recognitions> {
    // Of one moment, so that the erasures are of transactions up to this end, which are read before they forget their tags.
    const [state, erased] = await db.snapshot([
      sql<{ end: number }>`SELECT ${ledgerState.lastId} AS "end" FROM ${ledgerState}`,
      sql<{ count: number }>`SELECT count(*) AS count FROM ${erasures}`,
    ])
    const [{ end }, { count }] = [single(state), single(erased)]
    while (throughId < end) {
      reading ??= readThrough(end).finally(() => {
        reading = undefined
      })
      await reading
    }
    if (count !== erasuresKnown) {
      for (const { id } of await db.all(select(erasure)`FROM ${erasures}`)) table.forgetTags(id)
      erasuresKnown = count
    }
    return table.recognitions(signal)
  }

  async function readThrough(end: number) {
    while (throughId < end) {
      const rows = await transactionsAfter(db, throughId)
      if (rows.length === 0)
        throw new DatabaseDamaged(`transaction ${end} is stored as the last one, but there is none after ${throughId}`)
      for (const row of rows) {
        if (isRecognition(row)) table.add(row)
        else if (row.reverses !== null) table.reverse(row.reverses, row.value)
        throughId = row.id
      }
    }
  }
}

/** Ids have no gaps. The bounds on notes keep a merge join from reading all of them each time. */
function transactionsAfter(db: Reads, id: number) {
  const last = id + rowsAtOnce
  return db.all(select(transaction)`FROM ${transactions}
    LEFT JOIN ${notes} ON ${notes.transactionId} = ${transactions.id}
      AND ${notes.transactionId} > ${id} AND ${notes.transactionId} <= ${last}
    WHERE ${transactions.id} > ${id} AND ${transactions.id} <= ${last} ORDER BY ${transactions.id}`)
}

/** All rows of a query, ascending by id, in parts. */
async function* inParts<Row extends { readonly id: number }>(db: Reads, after: (id: number) => SQL<Row>) {
  for (let rows = await db.all(after(0)); rows.length > 0; rows = await db.all(after(rows.at(-1)?.id ?? 0))) yield rows
}

async function participation(recognitions: Recognitions, days: DayRange) {
  const months = monthsOf(days).map(({ name, firstDay }) => ({
    firstDay,
    of: { month: name, senders: 0, receivers: 0, count: 0, value: 0 },
  }))
  // For each user, the number of the month, from 1, that last counted the user. One number is enough, because
  // recognitions ascend by date.
  const [senders, receivers] = [new Uint32Array(recognitions.userIds), new Uint32Array(recognitions.userIds)]
  const monthAt = advancing(months)
  await recognitions.visit(days, ({ days, senderIds, receiverIds, left }, at) => {
    const number = monthAt(days[at] ?? 0)
    const month = months[number]?.of
    if (!month) return
    const [senderId = 0, receiverId = 0] = [senderIds[at], receiverIds[at]]
    if (senders[senderId] !== number + 1) month.senders += 1
    if (receivers[receiverId] !== number + 1) month.receivers += 1
    senders[senderId] = number + 1
    receivers[receiverId] = number + 1
    addTo(month, left[at] ?? 0)
  })
  return months.map(({ of }) => of).filter(({ count }) => count > 0)
}

async function departments(recognitions: Recognitions, db: Reads, days: DayRange) {
  const names: string[] = []
  const numberOf = new Map<string, number>()
  const deptOf = new Uint32Array(recognitions.userIds)
  const everybody = (after: number) =>
    select(department)`FROM ${users} WHERE ${users.id} > ${after} ORDER BY ${users.id} LIMIT ${rowsAtOnce}`
  for await (const some of inParts(db, everybody))
    for (const { id, dept } of some) {
      const number = numberOf.get(dept) ?? names.push(dept) - 1
      numberOf.set(dept, number)
      deptOf[id] = number
    }

  const sums = new Map<number, Sum>()
  await recognitions.visit(days, ({ senderIds, receiverIds, left }, at) => {
    const [from = 0, to = 0] = [deptOf[senderIds[at] ?? 0], deptOf[receiverIds[at] ?? 0]]
    addTo(sumAt(sums, from * names.length + to), left[at] ?? 0)
  })
  return [...sums].map(
    ([pair, sum]): DepartmentRecognition => ({
      from: names[Math.floor(pair / names.length)] ?? "",
      to: names[pair % names.length] ?? "",
      ...sum,
    }),
  )
}

async function tags(recognitions: Recognitions, days: DayRange) {
  const months = monthsOf(days)
  const monthAt = advancing(months)
  const sums = new Map<string, Map<number, Sum>>()
  await recognitions.visit(days, ({ days, tagLists, left }, at) => {
    for (const tag of recognitions.tagsIn(tagLists[at] ?? 0)) {
      const ofTag = sums.get(tag) ?? new Map<number, Sum>()
      sums.set(tag, ofTag)
      addTo(sumAt(ofTag, monthAt(days[at] ?? 0)), left[at] ?? 0)
    }
  })
  return [...sums].flatMap(([tag, ofTag]) =>
    [...ofTag].map(([month, sum]) => ({ month: months[month]?.name ?? "", tag, ...sum })),
  )
}

async function people(recognitions: Recognitions, db: Reads, days: DayRange) {
  const sent = new Float64Array(recognitions.userIds)
  const lastReceived = new Int32Array(recognitions.userIds).fill(-1)
  await recognitions.visit(always, ({ days, receiverIds }, at) => {
    lastReceived[receiverIds[at] ?? 0] = days[at] ?? 0
  })
  await recognitions.visit(days, ({ senderIds, left }, at) => {
    const senderId = senderIds[at] ?? 0
    sent[senderId] = (sent[senderId] ?? 0) + (left[at] ?? 0)
  })
  const all: PersonRecognition[] = []
  const active = (after: number) =>
    select(person)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
      WHERE ${users.id} > ${after} AND ${users.deactivatedAt} IS NULL ORDER BY ${users.id} LIMIT ${rowsAtOnce}`
  for await (const some of inParts(db, active))
    for (const person of some) {
      const day = lastReceived[person.id] ?? -1
      all.push({ ...person, sent: limited(sent[person.id] ?? 0), lastReceived: day < 0 ? null : day })
    }
  return all
}

async function ofPeople(recognitions: Recognitions, userIds: readonly number[], range: DayRange) {
  const all = new Map(
    userIds.map((id) => [
      id,
      {
        ...{ received: { count: 0, value: 0 }, given: { count: 0, value: 0 } },
        ...{ lastReceived: noDay, lastGiven: noDay },
      },
    ]),
  )
  await recognitions.visit(always, ({ days, senderIds, receiverIds, left }, at) => {
    const [receiver, sender] = [all.get(receiverIds[at] ?? 0), all.get(senderIds[at] ?? 0)]
    if (!receiver && !sender) return
    const day = days[at] ?? 0
    const counts = day >= range.first && day <= range.last
    if (receiver) receiver.lastReceived = day
    if (sender) sender.lastGiven = day
    if (counts && receiver) addTo(receiver.received, left[at] ?? 0)
    if (counts && sender) addTo(sender.given, left[at] ?? 0)
  })
  return userIds.flatMap((id) => all.get(id) ?? [])
}

async function recap(recognitions: Recognitions, userId: number | null, range: DayRange): Promise<RecapFigures> {
  const [received, given] = [new Uint32Array(recognitions.userIds), new Uint32Array(recognitions.userIds)]
  const [receivedSum, givenSum] = [
    { count: 0, value: 0 },
    { count: 0, value: 0 },
  ]
  const months = monthsOf(range).map(({ name, firstDay }) => ({ firstDay, of: { month: name, received: 0, given: 0 } }))
  const monthAt = advancing(months)
  const tags = new Map<string, number>()
  let [firstId, lastId]: [number | null, number | null] = [null, null]

  await recognitions.visit(range, ({ ids, days, senderIds, receiverIds, tagLists, left }, at) => {
    const [senderId = 0, receiverId = 0] = [senderIds[at], receiverIds[at]]
    const [isReceived, isGiven] = [userId === null || receiverId === userId, userId === null || senderId === userId]
    if (!isReceived && !isGiven) return
    firstId ??= ids[at] ?? null
    lastId = ids[at] ?? null
    const month = months[monthAt(days[at] ?? 0)]?.of
    if (isReceived) {
      addTo(receivedSum, left[at] ?? 0)
      if (month) month.received += 1
      for (const tag of recognitions.tagsIn(tagLists[at] ?? 0)) tags.set(tag, (tags.get(tag) ?? 0) + 1)
      countAt(received, userId === null ? receiverId : senderId)
    }
    if (isGiven) {
      addTo(givenSum, left[at] ?? 0)
      if (month) month.given += 1
      countAt(given, userId === null ? senderId : receiverId)
    }
  })

  const people = [...received.keys()]
    .map((userId) => ({ userId, received: received[userId] ?? 0, given: given[userId] ?? 0 }))
    .filter(({ received, given }) => received + given > 0)
  return {
    received: { ...receivedSum, people: people.filter(({ received }) => received > 0).length },
    given: { ...givenSum, people: people.filter(({ given }) => given > 0).length },
    months: months.map(({ of }) => of).filter(({ received, given }) => received + given > 0),
    tags: [...tags].map(([tag, count]) => ({ tag, count })),
    people,
    firstId,
    lastId,
  }
}

function countAt(counts: Uint32Array, at: number) {
  counts[at] = (counts[at] ?? 0) + 1
}

const noDay: number | null = null

const always: DayRange = { first: 0, last: Number.POSITIVE_INFINITY }

const limited = (points: number): number => Math.min(points, maxValue)

type Sum = { -readonly [Key in keyof RecognitionSum]: number }

function addTo(sum: Sum, points: number) {
  sum.count += 1
  sum.value = limited(sum.value + points)
}

function sumAt(sums: Map<number, Sum>, key: number): Sum {
  const known = sums.get(key)
  if (known) return known
  const sum = { count: 0, value: 0 }
  sums.set(key, sum)
  return sum
}

/** Returns a function that finds the position of a day's month. Call that function with ascending days. */
function advancing(months: readonly { readonly firstDay: number }[]): (day: number) => number {
  let at = 0
  return (day) => {
    for (let next = months[at + 1]; next && next.firstDay <= day; next = months[at + 1]) at += 1
    return at
  }
}
