import { type Calendar, type DayRange, monthsOf } from "../../domain/calendar.ts"
import { maxValue } from "../../domain/points.ts"
import type {
  DepartmentRecognition,
  PersonRecognition,
  RecapFigures,
  ReceivedFigures,
} from "../../domain/recognition/model.ts"
import type { InsightStore } from "../../domain/recognition/ports.ts"
import { type Database, one, type SharedReads, single } from "../database.ts"
import { firstIdsSince } from "../ledger/history.ts"
import { fields, list, raw, type SQL, select, sql } from "../sql.ts"
import { balances, notes, transactions, users } from "../tables.ts"
import { bestWords, bestWordsTo } from "./public-words.ts"
import { isRecognition, pointsLeft } from "./recognitions.ts"

/** People whom one statement reads. */
const peopleAtOnce = 1000

/**
 * `InsightStore`, added up by the database. Dates never go backwards, so the transactions of a month are a range of ids. A report
 * reads month by month: no statement takes long, others take their turns, and a report ends when its caller has left.
 */
export function createInsightStore(db: Database, calendar: Calendar): InsightStore {
  return {
    participation: async (days, signal) => {
      const found = await eachMonth(db.reports(signal), days, participation)
      return found.flatMap(({ month, rows: [row] }) =>
        row?.count ? [{ month, ...row, value: limited(row.value) }] : [],
      )
    },
    departments: async (days, signal) => {
      const sums = new Map<string, DepartmentRecognition>()
      for (const { rows } of await eachMonth(db.reports(signal), days, byDepartments))
        for (const { from, to, ...sum } of rows) {
          const key = JSON.stringify([from, to])
          sums.set(key, { from, to, ...added(sums.get(key), sum) })
        }
      return [...sums.values()]
    },
    tags: async (days, signal) => {
      const found = await eachMonth(db.reports(signal), days, (ids) => byTags(among(ids), ids))
      return found.flatMap(({ month, rows }) => [...tagSums(rows)].map(([tag, sum]) => ({ month, tag, ...sum })))
    },
    people: (days, signal) => people(db.reports(signal), days),
    ofPeople: (userIds, days, signal) => ofPeople(db.reports(signal), userIds, days),
    recap: (userId, days, signal) => recap(db.reports(signal), userId, days),
    received: async (userId, since, signal) => {
      const reads = db.reports(signal)
      const [first = 0] = await firstIdsSince(reads, [since])
      const ids = { first, end: Number.MAX_SAFE_INTEGER }
      const found = ofOne(transactions.userId, userId, ids)
      const [figures, tagged] = await reads.snapshot([peopleIn(found, fromId), byTags(found, ids)])
      return { ...single(figures), tags: [...tagSums(tagged)].map(([tag, { count }]) => ({ tag, count })) }
    },
    peopleWith: async (userId, by, { since, throughId }) => {
      const reads = db.reports()
      const [first = 0] = await firstIdsSince(reads, [since])
      const [side, other] = by === "received" ? [transactions.userId, fromId] : [transactions.fromId, toId]
      return (await one(reads, peopleIn(ofOne(side, userId, { first, end: throughId + 1 }), other))).people
    },
    bestWords: (within, limit, signal) =>
      within.receiverId === null
        ? bestWords(db.reports(signal), within, limit)
        : bestWordsTo(db.reports(signal), { ...within, receiverId: within.receiverId }, limit),
  }

  /** The transactions of these days, month by month. */
  async function monthsIn(reads: SharedReads, { first, last }: DayRange) {
    const months = monthsOf({ first, last })
    const starts = months.map(({ firstDay }) => calendar.startOf(Math.max(first, firstDay)))
    const ids = await firstIdsSince(reads, [...starts, calendar.startOf(last + 1)])
    return months.map(({ name }, index) => ({ month: name, first: ids[index] ?? 0, end: ids[index + 1] ?? 0 }))
  }

  async function eachMonth<Row>(reads: SharedReads, days: DayRange, query: (ids: Ids) => SQL<Row>) {
    const found: { readonly month: string; readonly rows: readonly Row[] }[] = []
    for (const { month, ...ids } of await monthsIn(reads, days))
      found.push({ month, rows: await reads.all(query(ids)) })
    return found
  }

  async function people(reads: SharedReads, days: DayRange): Promise<PersonRecognition[]> {
    const sent = new Map<number, Sum>()
    for (const { rows } of await eachMonth(reads, days, (ids) => byPerson(among(ids), fromId)))
      for (const { userId, ...sum } of rows) sent.set(userId, added(sent.get(userId), sum))
    const all: PersonRecognition[] = []
    for (let after = 0; ; ) {
      const some = await reads.all(select(
        person,
      )`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
        WHERE ${users.id} > ${after} AND ${users.deactivatedAt} IS NULL ORDER BY ${users.id} LIMIT ${peopleAtOnce}`)
      for (const { lastReceived, ...person } of some)
        all.push({ ...person, sent: sent.get(person.id)?.value ?? 0, lastReceived: dayOf(lastReceived) })
      if (some.length < peopleAtOnce) return all
      after = some.at(-1)?.id ?? 0
    }
  }

  async function ofPeople(reads: SharedReads, userIds: readonly number[], { first, last }: DayRange) {
    const [from = 0, end = 0] = await firstIdsSince(reads, [calendar.startOf(first), calendar.startOf(last + 1)])
    const ids = { first: from, end }
    const [received, given, newest] = await reads.snapshot([
      byEachOf(userIds, transactions.userId, ids),
      byEachOf(userIds, transactions.fromId, ids),
      newestOf(userIds),
    ])
    const [receivedBy, givenBy] = [received, given].map((rows) => new Map(rows.map((row) => [row.userId, row])))
    return newest.map(({ userId, lastReceived, lastGiven }) => ({
      received: added(receivedBy?.get(userId), none),
      given: added(givenBy?.get(userId), none),
      lastReceived: dayOf(lastReceived),
      lastGiven: dayOf(lastGiven),
    }))
  }

  async function recap(reads: SharedReads, userId: number | null, days: DayRange): Promise<RecapFigures> {
    const sums = { received: none, given: none }
    const months: { month: string; received: number; given: number }[] = []
    const people = new Map<number, { userId: number; received: number; given: number }>()
    const tags = new Map<string, number>()
    let [firstId, lastId]: [number | null, number | null] = [null, null]
    for (const { month, ...ids } of await monthsIn(reads, days)) {
      const [receivedIn, givenIn] =
        userId === null
          ? [among(ids), among(ids)]
          : [ofOne(transactions.userId, userId, ids), ofOne(transactions.fromId, userId, ids)]
      const [received, given, tagged] = await reads.snapshot([
        byPerson(receivedIn, userId === null ? toId : fromId),
        byPerson(givenIn, userId === null ? fromId : toId),
        byTags(receivedIn, ids),
      ])
      const of = { month, received: 0, given: 0 }
      for (const [side, rows] of Object.entries({ received, given }) as ["received" | "given", typeof received][])
        for (const { userId, first, last, ...sum } of rows) {
          const person = people.get(userId) ?? { userId, received: 0, given: 0 }
          person[side] += sum.count
          people.set(userId, person)
          of[side] += sum.count
          sums[side] = added(sums[side], sum)
          firstId = Math.min(firstId ?? first, first)
          lastId = Math.max(lastId ?? last, last)
        }
      if (of.received + of.given > 0) months.push(of)
      for (const [tag, { count }] of tagSums(tagged)) tags.set(tag, (tags.get(tag) ?? 0) + count)
    }
    const all = [...people.values()]
    return {
      received: { ...sums.received, people: all.filter(({ received }) => received > 0).length },
      given: { ...sums.given, people: all.filter(({ given }) => given > 0).length },
      months,
      tags: [...tags].map(([tag, count]) => ({ tag, count })),
      people: all,
      firstId,
      lastId,
    }
  }

  function dayOf(date: number | null): number | null {
    return date === null ? null : calendar.dayOf(date)
  }
}

/** Transactions from an id on, up to another one. */
interface Ids {
  readonly first: number
  readonly end: number
}

interface Sum {
  readonly count: number
  readonly value: number
}

const none: Sum = { count: 0, value: 0 }

/** A floating-point number is exact up to `maxValue`, and no sum of it overflows. */
const sum = raw("count(*) AS count, coalesce(sum(CAST(points AS double precision)), 0) AS value")

const limited = (points: number): number => Math.min(points, maxValue)

const added = (one: Sum = none, other: Sum): Sum => ({
  count: one.count + other.count,
  value: limited(one.value + other.value),
})

const idsIn = ({ first, end }: Ids) => sql`${transactions.id} >= ${first} AND ${transactions.id} < ${end}`

/**
 * The recognitions among these transactions that have points left. What was taken back is added up first, in one go. The plus
 * signs keep SQLite from reading all transactions in the order of an index.
 */
const among = (ids: Ids) => sql`(
  SELECT ${transactions.id}, +${transactions.fromId} AS from_id, +${transactions.userId} AS user_id,
    ${transactions.value} - coalesce(back.value, 0) AS points
  FROM ${transactions} LEFT JOIN (
    SELECT ${transactions.reverses} AS id, sum(${transactions.value})::bigint AS value FROM ${transactions}
    WHERE ${transactions.reverses} >= ${ids.first} AND ${transactions.reverses} < ${ids.end}
    GROUP BY ${transactions.reverses}
  ) AS back ON back.id = ${transactions.id}
  WHERE ${idsIn(ids)} AND ${isRecognition} AND ${transactions.value} > coalesce(back.value, 0)) AS found`

type Side = typeof transactions.userId | typeof transactions.fromId

/** The same, of one person, from the index of that side. */
const ofOne = (side: Side, userId: number, ids: Ids) => sql`(
  SELECT ${transactions.id}, ${transactions.fromId}, ${transactions.userId}, ${pointsLeft} AS points FROM ${transactions}
  WHERE ${side} = ${userId} AND ${idsIn(ids)} AND ${isRecognition} AND ${pointsLeft} > 0) AS found`

const [fromId, toId] = [raw("from_id"), raw("user_id")]

const participation = (ids: Ids) => sql<Sum & { readonly senders: number; readonly receivers: number }>`
  SELECT count(DISTINCT from_id) AS senders, count(DISTINCT user_id) AS receivers, ${sum} FROM ${among(ids)}`

const byDepartments = (ids: Ids) => sql<Sum & { readonly from: string; readonly to: string }>`
  SELECT sender.dept AS "from", receiver.dept AS "to", sum(count)::bigint AS count, sum(value) AS value
  FROM (SELECT from_id, user_id, ${sum} FROM ${among(ids)} GROUP BY from_id, user_id) AS pairs
    CROSS JOIN ${users} AS sender CROSS JOIN ${users} AS receiver
  WHERE sender.id = from_id AND receiver.id = user_id GROUP BY sender.dept, receiver.dept`

/** Sums by the person on one side, with the first and the last transaction. */
const byPerson = (found: SQL, person: SQL) =>
  sql<Sum & { readonly userId: number; readonly first: number; readonly last: number }>`
  SELECT ${person} AS "userId", ${sum}, min(id) AS first, max(id) AS last FROM ${found} GROUP BY ${person}`

/** How many people are on one side, with the first and the last transaction. */
const peopleIn = (found: SQL, person: SQL) =>
  sql<Omit<ReceivedFigures, "tags">>`
  SELECT count(DISTINCT ${person}) AS people, min(id) AS "firstId", max(id) AS "lastId" FROM ${found}`

interface TagsSum extends Sum {
  /** Words, separated by one space. */
  readonly tags: string
}

/** Sums by the tags that one recognition has together. The bounds on notes keep a merge join from reading all of them. */
const byTags = (found: SQL, { first, end }: Ids) => sql<TagsSum>`
  SELECT ${notes.tags} AS tags, ${sum} FROM ${found} CROSS JOIN ${notes}
  WHERE ${notes.transactionId} = found.id AND ${notes.transactionId} >= ${first} AND ${notes.transactionId} < ${end}
    AND ${notes.tags} <> '' GROUP BY ${notes.tags}`

function tagSums(rows: readonly TagsSum[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const { tags, ...sum } of rows) for (const tag of tags.split(" ")) sums.set(tag, added(sums.get(tag), sum))
  return sums
}

const byEachOf = (userIds: readonly number[], side: Side, ids: Ids) => sql<Sum & { readonly userId: number }>`
  SELECT user_id AS "userId", ${sum} FROM (
    SELECT asked.value AS user_id, ${pointsLeft} AS points FROM ${list("asked", userIds, "bigint")} CROSS JOIN ${transactions}
    WHERE ${side} = asked.value AND ${idsIn(ids)} AND ${isRecognition}
  ) AS found WHERE points > 0 GROUP BY user_id`

/** The date of the newest recognition that is left on this side of a person. */
const newest = (side: Side, userId: SQL) => sql<number | null>`(SELECT ${transactions.date} FROM ${transactions}
  WHERE ${side} = ${userId} AND ${isRecognition} AND ${pointsLeft} > 0 ORDER BY ${transactions.id} DESC LIMIT 1)`

const newestOf = (userIds: readonly number[]) => {
  const asked = sql`asked.value`
  return sql<{ readonly userId: number; readonly lastReceived: number | null; readonly lastGiven: number | null }>`
    SELECT ${asked} AS "userId", ${newest(transactions.userId, asked)} AS "lastReceived",
      ${newest(transactions.fromId, asked)} AS "lastGiven" FROM ${list("asked", userIds, "bigint")} ORDER BY asked.key`
}

const person = fields({
  id: users.id,
  username: users.username,
  name: users.name,
  dept: users.dept,
  avatar: users.avatar,
  balance: sql<number>`coalesce(${balances.value}, 0)`,
  earned: sql<number>`coalesce(${balances.earned}, 0)`,
  lastReceived: newest(transactions.userId, sql`${users.id}`),
})
