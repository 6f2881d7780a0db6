import type { Recognition, RecognitionQuery } from "../../domain/recognition/model.ts"
import type { Database, Reads, SharedReads } from "../database.ts"
import { matchingIds, readFollowed, readRecognitions } from "../ledger/entries.ts"
import { rowsAtOnce } from "../slices.ts"
import { raw, type SQL, sql } from "../sql.ts"
import { transactions, users } from "../tables.ts"
import type { LedgerEntries } from "./occasions.ts"
import { isOwnEntry } from "./recognitions.ts"

/** The recognitions of a department with at most this many people are read person by person. */
const fewPeople = 50

/** The newest recognitions of a larger department are nearly always among this many newest transactions. */
const newestToRead = 10_000

/** `LedgerEntries`. */
export function createRecognitionStore(db: Database, few = fewPeople, recent = newestToRead): LedgerEntries {
  return {
    async newest(query) {
      const { dept, participantIds, noteMatches, limit } = query
      const isLong = noteMatches !== undefined || dept !== undefined
      const reads = isLong ? db.reports(query.signal) : db.until(query.signal)
      const [one, other = one] = participantIds
      const together = [partsOf(one, other)]
      if (dept === undefined) return newest(reads, query, together)
      const members = one === other ? await membersOf(reads, dept, few) : null
      if (members !== null && (one === undefined || !members.includes(one)))
        return newest(reads, query, listsWith(members, one))
      if (members !== null) return newest(reads, query, together)
      // The search reads the notes of everybody anyway.
      if (one !== undefined || noteMatches) return newest(reads, query, together, inDept(dept))
      const found = await newest(reads, query, together, inDept(dept), isRecent(query.before, recent))
      if (found.length === limit) return found
      const { ids, since } = await activeMembersOf(reads, dept, query)
      return newest(reads, query, listsWith(ids), sql`${transactions.id} >= ${since}`)
    },
    async find(id) {
      const found = await db.first(sql<{ id: number }>`SELECT
        CASE WHEN ${transactions.addsTo} > 0 THEN ${transactions.addsTo} ELSE ${transactions.id} END AS id
        FROM ${transactions} WHERE ${transactions.id} = ${id}`)
      return found === null ? null : ((await readRecognitions(db, [found.id]))[0] ?? null)
    },
    async between(after, through, limit) {
      const behind = await db.all(sql<{ id: number }>`SELECT ${transactions.id} FROM ${transactions}
        WHERE ${transactions.id} > ${after} AND ${transactions.id} <= ${through}
        ORDER BY ${transactions.id} LIMIT ${limit}`)
      return readFollowed(
        db,
        behind.map((row) => row.id),
      )
    },
  }
}

/** Of a group several transfers may be found: to two people who are asked for, or who are in the department. Its first stands for all. */
async function newest(
  reads: SharedReads,
  query: RecognitionQuery,
  lists: readonly (readonly SQL[])[],
  ...within: readonly SQL[]
): Promise<Recognition[]> {
  const { noteMatches, limit, signal } = query
  const conditions = [isOwnEntry, isOlder(query.before), ...within]
  return readRecognitions(reads, await matchingIds(reads, { noteMatches, limit, signal }, lists, conditions, entryId))
}

/** Null when there are more than `few`. */
async function membersOf(reads: Reads, dept: string, few: number): Promise<number[] | null> {
  const found = await reads.all(
    sql<{ id: number }>`SELECT ${users.id} FROM ${users} WHERE ${users.dept} = ${dept} LIMIT ${few + 1}`,
  )
  return found.length > few ? null : found.map(({ id }) => id)
}

/**
 * The members whose newest recognition is among the newest ones of the department. Several may share one. Only they can have
 * taken part in those, which are the transactions `since` an id. They are read some at a time, between which others are answered.
 */
async function activeMembersOf(reads: Reads, dept: string, { before, limit }: RecognitionQuery) {
  const newestOf = (own: SQL) => sql`coalesce((SELECT ${entryId} FROM ${transactions}
    WHERE ${own} AND ${isOwnEntry} AND ${isOlder(before) ?? raw("true")} ORDER BY ${transactions.id} DESC LIMIT 1), 0)`
  const members: { readonly id: number; readonly newest: number }[] = []
  for (let last = 0; ; ) {
    const rows = await reads.all(sql<{ id: number; received: number; sent: number }>`SELECT ${users.id},
        ${newestOf(sql`${transactions.userId} = ${users.id}`)} AS received,
        ${newestOf(sql`${transactions.fromId} = ${users.id}`)} AS sent
      FROM ${users} WHERE ${users.dept} = ${dept} AND ${users.id} > ${last} ORDER BY ${users.id} LIMIT ${rowsAtOnce}`)
    members.push(...rows.map(({ id, received, sent }) => ({ id, newest: Math.max(received, sent) })))
    if (rows.length < rowsAtOnce) break
    last = rows.at(-1)?.id ?? last
  }
  const newest = [...new Set(members.map((member) => member.newest))].sort((one, other) => other - one)
  const since = Math.max(1, newest[limit - 1] ?? 1)
  return { ids: members.filter((member) => member.newest >= since).map(({ id }) => id), since }
}

/** The first transfer of the group, or the transfer itself. */
const entryId = sql`coalesce(${transactions.groupId}, ${transactions.id})`

/** Older than the entry of this transaction. */
const isOlder = (before: number | undefined): SQL | undefined =>
  before === undefined
    ? undefined
    : sql`${transactions.id} < coalesce(
        (SELECT named.group_id FROM ${transactions} AS named WHERE named.id = ${before}), ${before})`

const isRecent = (before: number | undefined, recent: number): SQL =>
  before === undefined
    ? sql`${transactions.id} > (SELECT max(newest.id) FROM ${transactions} AS newest) - ${recent}`
    : sql`${transactions.id} >= ${before - recent}`

/** Counting keeps PostgreSQL from reading all transactions of the department first. */
const inDept = (dept: string): SQL => sql`(
  EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} IN (${transactions.userId}, ${transactions.fromId})
    AND ${users.dept} = ${dept})
  OR ${transactions.groupId} IS NOT NULL AND (SELECT count(*) FROM ${transactions} AS other
    JOIN ${users} ON ${users.id} = other.user_id WHERE other.group_id = ${transactions.groupId} AND ${users.dept} = ${dept}) > 0)`

/** Of a group, the first transfer. The transfers to one person need no such condition: a group has one of them. */
const isFirst = sql`(${transactions.groupId} IS NULL OR ${transactions.groupId} = ${transactions.id})`

/** The recognitions of everybody, of one person or of two, each part read from one index: of two, from that of the second. */
function partsOf(one?: number, other?: number): SQL[] {
  if (one === undefined || other === undefined) return [isFirst]
  if (one === other) return [sql`${transactions.userId} = ${one}`, sql`${transactions.fromId} = ${one} AND ${isFirst}`]
  return [
    sql`+${transactions.userId} = ${one} AND ${transactions.fromId} = ${other}`,
    sql`${transactions.userId} = ${other} AND +${transactions.fromId} = ${one}`,
    sql`${transactions.userId} = ${other} AND ${transactions.groupId} IS NOT NULL AND (
      SELECT count(*) FROM ${transactions} AS too
      WHERE too.group_id = ${transactions.groupId} AND too.user_id = ${one}) > 0`,
  ]
}

/** A list for each of these people, of what they took part in with `one` if there is such a person. */
const listsWith = (people: readonly number[], one?: number): SQL[][] => people.map((id) => partsOf(one ?? id, id))
