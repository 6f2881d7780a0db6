import type { Recognition, RecognitionQuery } from "../../domain/recognition/model.ts"
import type { Database, SharedReads } from "../database.ts"
import { matchingIds, readFollowed, readRecognitions } from "../ledger/entries.ts"
import { type SQL, sql } from "../sql.ts"
import { transactions, users } from "../tables.ts"
import type { LedgerEntries } from "./occasions.ts"
import { isOwnEntry } from "./recognitions.ts"

/** The newest recognitions of a department are nearly always among this many newest transactions. */
const newestToRead = 10_000

/** `LedgerEntries`. */
export function createRecognitionStore(db: Database, recent = newestToRead): LedgerEntries {
  return {
    async newest(query) {
      const { dept, participantIds, limit } = query
      const isLong = query.noteMatches !== undefined || dept !== undefined
      const reads = isLong ? db.reports(query.signal) : db.until(query.signal)
      const parts = partsOf(participantIds)
      const conditions = [isOwnEntry, isOlder(query.before)]
      if (dept === undefined) return newest(reads, query, parts, conditions)
      const isOfDept = [...conditions, inDept(dept)]
      if (participantIds.length > 0) return newest(reads, query, parts, isOfDept)
      const found = await newest(reads, query, parts, [...isOfDept, isRecent(query.before, recent)])
      return found.length === limit ? found : newest(reads, query, partsOfDept(dept), conditions)
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

/** Several transfers of one group may be found: to two people who are asked for, or who are in the department. */
async function newest(
  reads: SharedReads,
  { noteMatches, limit, signal }: RecognitionQuery,
  parts: readonly SQL[],
  conditions: readonly (SQL | undefined)[],
): Promise<Recognition[]> {
  const found = new Map<number, Recognition>()
  for (let before: number | undefined; ; ) {
    const ids = await matchingIds(reads, { noteMatches, limit, signal, before }, parts, conditions)
    for (const recognition of await readRecognitions(reads, ids)) found.set(recognition.id, recognition)
    if (found.size >= limit || ids.length < limit) return [...found.values()].slice(0, limit)
    before = ids.at(-1)
  }
}

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

const inDept = (dept: string): SQL => sql`(
  EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} IN (${transactions.userId}, ${transactions.fromId})
    AND ${users.dept} = ${dept})
  OR ${transactions.groupId} IS NOT NULL AND EXISTS (SELECT 1 FROM ${transactions} AS other
    JOIN ${users} ON ${users.id} = other.user_id WHERE other.group_id = ${transactions.groupId} AND ${users.dept} = ${dept}))`

/** Of a group, the first transfer. The transfers to one person need no such condition: a group has one of them. */
const isFirst = sql`(${transactions.groupId} IS NULL OR ${transactions.groupId} = ${transactions.id})`

/** The transactions of these participants, each part read from one index. */
function partsOf(participantIds: readonly number[]): SQL[] {
  const [one, other = one] = [...new Set(participantIds)]
  if (one === undefined || other === undefined) return [isFirst]
  const received = (id: number) => sql`${transactions.userId} = ${id}`
  if (one === other) return [received(one), sql`${transactions.fromId} = ${one} AND ${isFirst}`]
  return [
    sql`${received(one)} AND ${transactions.fromId} = ${other}`,
    sql`${received(other)} AND ${transactions.fromId} = ${one}`,
    sql`${received(one)} AND ${transactions.groupId} IS NOT NULL AND EXISTS (SELECT 1 FROM ${transactions} AS too
      WHERE too.group_id = ${transactions.groupId} AND too.user_id = ${other})`,
  ]
}

/** The transactions of everybody in a department. */
function partsOfDept(dept: string): SQL[] {
  const members = sql`SELECT ${users.id} FROM ${users} WHERE ${users.dept} = ${dept}`
  return [sql`${transactions.userId} IN (${members})`, sql`${transactions.fromId} IN (${members}) AND ${isFirst}`]
}
