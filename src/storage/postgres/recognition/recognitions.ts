import type { Recognition, RecognitionQuery } from "../../../domain/recognition/model.ts"
import type { LedgerEntries } from "../../recognition/occasions.ts"
import { ownEntryCondition } from "../../recognition/recognitions.ts"
import type { Client } from "../database/client.ts"
import { matchingEntries, readFollowed, readRecognitions } from "../ledger/entries.ts"

/** The recognitions of a department with at most this many people are read person by person. */
const fewPeople = 500

/** The newest recognitions of a larger department are nearly always among this many newest transactions. */
const newestToRead = 10_000

/** `LedgerEntries`. */
export function createRecognitionStore(client: Client, few = fewPeople, recent = newestToRead): LedgerEntries {
  return {
    newest: (query) => matchingEntries(query, (before, limit) => newest({ ...query, before, limit })),
    async find(id) {
      const asked =
        "SELECT t.* FROM transactions t WHERE t.id = (SELECT CASE WHEN adds_to > 0 THEN adds_to ELSE id END FROM transactions WHERE id = $1)"
      const [found] = await readRecognitions(client, asked, "ASC", [id, 1])
      return found ?? null
    },
    between(after, through, limit) {
      const behind = "SELECT t.* FROM transactions t WHERE t.id > $1 AND t.id <= $2 ORDER BY t.id LIMIT $3"
      return readFollowed(client, behind, "ASC", [after, through, limit])
    },
  }

  async function newest(query: RecognitionQuery): Promise<Recognition[]> {
    const { dept, participantIds, limit, signal } = query
    const members = dept === undefined ? null : await membersOf(dept, signal)
    if (dept === undefined || members !== null || participantIds.length > 0) return read(query, members)
    const found = await read(query, null, `t.id >= least($1, (SELECT last_id + 1 FROM ledger_state)) - ${recent}`)
    return found.length === limit ? found : read(query, await activeMembersOf(dept, query))
  }

  /** `members` are the members of the department that have to be read; null: not known. */
  async function read(
    query: RecognitionQuery,
    members: readonly number[] | null,
    within = "TRUE",
  ): Promise<Recognition[]> {
    const { before, limit } = query
    const dept = query.dept ?? null
    const participantIds = [...new Set(query.participantIds)]
    const isOfMember = members !== null && participantIds.some((id) => members.includes(id))
    const isByMember = members !== null && !isOfMember && participantIds.length < 2
    if (members?.length === 0) return []

    const next = participantIds.length
    const newestWhere = (condition: string) =>
      `(SELECT t.* FROM transactions t WHERE ${condition} AND ${isRelevant(query)} AND ${isOlder(next + 1)} AND ${within}
        ORDER BY t.id DESC LIMIT $${next + 3})`
    const parts = isByMember
      ? conditionsWithMember(next).map(
          (condition) =>
            `(SELECT t.* FROM unnest($${next + 2}::bigint[]) AS m (id) CROSS JOIN LATERAL ${newestWhere(condition)} t)`,
        )
      : conditionsOf(next).map((condition) => newestWhere(`${condition} AND ${inDept(next + 2)}`))
    // Several members may have been thanked in one group.
    const found = `SELECT DISTINCT ON (coalesce(t.group_id, t.id)) t.* FROM (${parts.join(" UNION ALL ")}) t`
    return readRecognitions(client.until(query.signal), found, "DESC", [
      ...participantIds,
      before ?? Number.MAX_SAFE_INTEGER,
      isByMember ? members : isOfMember ? null : dept,
      limit,
    ])
  }

  /** Members whose newest recognition is among the newest ones of the department; several may share one. */
  async function activeMembersOf(dept: string, query: RecognitionQuery): Promise<number[]> {
    const newestWhere = (condition: string) =>
      `(SELECT coalesce(t.group_id, t.id) AS id FROM transactions t WHERE ${condition} AND ${isRelevant(query)} AND ${isOlder(2)}
        ORDER BY t.id DESC LIMIT 1)`
    const rows = await client.until(query.signal).query<{ id: number }>(
      `SELECT id FROM (
         SELECT m.id, dense_rank() OVER (ORDER BY newest.id DESC) AS place FROM users m CROSS JOIN LATERAL (
           SELECT max(t.id) AS id FROM (${conditionsWithMember(0).map(newestWhere).join(" UNION ALL ")}) t
         ) newest
         WHERE m.dept = $1 AND newest.id IS NOT NULL
       ) members
       WHERE place <= $3`,
      [dept, query.before ?? Number.MAX_SAFE_INTEGER, query.limit],
    )
    return rows.map(({ id }) => id)
  }

  /** Null when there are more than `few`. */
  async function membersOf(dept: string, signal: AbortSignal | undefined): Promise<number[] | null> {
    const rows = await client
      .until(signal)
      .query<{ id: number }>("SELECT id FROM users WHERE dept = $1 LIMIT $2", [dept, few + 1])
    return rows.length > few ? null : rows.map(({ id }) => id)
  }
}

const isRelevant = ({ noteMatches }: RecognitionQuery): string =>
  noteMatches
    ? `${ownEntryCondition} AND EXISTS (SELECT FROM notes n WHERE n.transaction_id = t.id)`
    : ownEntryCondition

/** Older than the entry of the transaction that the parameter names. */
const isOlder = (parameter: number): string =>
  `t.id < coalesce((SELECT group_id FROM transactions WHERE id = $${parameter}), $${parameter})`

/** OFFSET keeps the planner from reading all transactions of the department first. */
const inDept = (parameter: number): string =>
  `($${parameter}::text IS NULL
    OR EXISTS (SELECT FROM users WHERE users.id IN (t.user_id, t.from_id) AND dept = $${parameter})
    OR t.group_id IS NOT NULL AND EXISTS (SELECT FROM transactions o JOIN users ON users.id = o.user_id
      WHERE o.group_id = t.group_id AND dept = $${parameter} OFFSET 0))`

/** Of a group, the first transfer. The transfers to one person need no such condition: a group has one of them. */
const isFirst = "(t.group_id IS NULL OR t.group_id = t.id)"

const isThankedToo = (userId: string): string =>
  `t.group_id IS NOT NULL AND EXISTS (SELECT FROM transactions o WHERE o.group_id = t.group_id AND o.user_id = ${userId} OFFSET 0)`

/** Conditions for the participants `$1` and `$2`, each read from one index. */
function conditionsOf(participants: number): string[] {
  if (participants === 0) return [isFirst]
  if (participants === 1) return ["t.user_id = $1", `t.from_id = $1 AND ${isFirst}`]
  return conditionsBetween("$1", "$2")
}

/** The same, with a member `m` of the department as the other participant. */
const conditionsWithMember = (participants: number): string[] =>
  participants === 0 ? ["t.user_id = m.id", `t.from_id = m.id AND ${isFirst}`] : conditionsBetween("$1", "m.id")

const conditionsBetween = (one: string, other: string): string[] => [
  `t.user_id = ${one} AND t.from_id = ${other}`,
  `t.user_id = ${other} AND t.from_id = ${one}`,
  `t.user_id = ${one} AND ${isThankedToo(other)}`,
]
