import type { TransactionEntry } from "../../domain/ledger/model.ts"
import type { Added, FollowedTransaction, Recognition } from "../../domain/recognition/model.ts"
import { isOccasionId } from "../../domain/recognition/positions.ts"
import { list, sql } from "../sql.ts"
import { transactions } from "../tables.ts"

/** `isRecognition` of src/domain/recognition/recognitions.ts as SQL. */
export const isRecognition = sql`${transactions.kind} = 'transfer' AND ${transactions.userId} <> ${transactions.fromId}`

/** What reversals have left of a transaction. */
export const pointsLeft = sql`(${transactions.value} - (SELECT coalesce(sum(reversal.value), 0)::bigint
  FROM ${transactions} AS reversal WHERE reversal.reverses = ${transactions.id}))`

/** A recognition that is an entry of its own, or a part of one, and adds to no other. */
export const isOwnEntry = sql`${isRecognition} AND ${transactions.addsTo} IS NULL`

interface Addition {
  readonly recognitionId: number
  readonly senderId: number
  readonly receiverId: number
  /** Points that no reversal has moved back. */
  readonly left: number
}

/** The points that were added to these entries. */
export const additionsTo = (ids: readonly number[]) =>
  sql<Addition>`SELECT ${transactions.addsTo} AS "recognitionId", ${transactions.fromId} AS "senderId",
      ${transactions.userId} AS "receiverId", ${pointsLeft} AS "left"
    FROM ${list("asked", ids, "bigint")} CROSS JOIN ${transactions} WHERE ${transactions.addsTo} = asked.value
    ORDER BY ${transactions.id}`

/** The ids of the entries to which additions to these transactions belong. */
export const entryIdsOf = (entries: readonly TransactionEntry[]): readonly number[] => [
  ...new Set(entries.map(({ id, group }) => group ?? id)),
]

/** The ids of the entries to which these transactions add points, without occasions. */
export const adjustedBy = (entries: readonly TransactionEntry[]): readonly number[] => [
  ...new Set(entries.flatMap(({ addsTo }) => (addsTo === null || isOccasionId(addsTo) ? [] : addsTo))),
]

/** The groups of these transactions. */
export const groupsOf = (entries: readonly TransactionEntry[]): readonly number[] => [
  ...new Set(entries.flatMap(({ group }) => group ?? [])),
]

/** What entries of the feed consist of besides the transactions that were asked for. */
interface Related {
  /** All transfers of their groups, ascending. */
  readonly grouped: readonly TransactionEntry[]
  readonly additions: readonly Addition[]
}

/** The entries of the feed to which these recognitions belong, each once and in the same order. */
export function recognitionsOf(entries: readonly TransactionEntry[], related: Related): Recognition[] {
  const recognitionOf = among(related)
  const found = new Map<number, Recognition>()
  for (const entry of entries) {
    const recognition = recognitionOf(entry, entry.group)
    found.set(recognition.id, recognition)
  }
  return [...found.values()]
}

/**
 * The same for followers of all transactions: of a group, the first stands for all, and the others for themselves. `adjusted`:
 * the entries to which some of them add points.
 */
export function followedOf(
  entries: readonly TransactionEntry[],
  related: Related,
  adjusted: readonly Recognition[],
): FollowedTransaction[] {
  const recognitionOf = among(related)
  const byId = new Map(adjusted.map((recognition) => [recognition.id, recognition]))
  return entries.map((entry, index) => {
    const next = entries[index + 1]
    const isContinued = next?.addsTo === entry.addsTo && next.senderId === entry.senderId
    const adjusts = entry.addsTo === null || isContinued ? null : (byId.get(entry.addsTo) ?? null)
    return { ...recognitionOf(entry, entry.group === entry.id ? entry.group : null), adjusts }
  })
}

/** Returns a function that makes the entry of a transaction: of its whole group, or of itself alone. */
function among({ grouped, additions }: Related) {
  const membersOf = Map.groupBy(grouped, ({ group }) => group)
  const additionsTo = Map.groupBy(additions, ({ recognitionId }) => recognitionId)

  return (entry: TransactionEntry, group: number | null): Recognition => {
    const members = (group === null ? undefined : membersOf.get(group)) ?? [entry]
    const first = members[0] ?? entry
    return {
      ...first,
      occasion: null,
      reversed: members.reduce((sum, { reversed }) => sum + reversed, 0),
      receivers: members.map(({ id, receiverId, receiver, reversed }) => ({
        ...receiver,
        userId: receiverId,
        transactionId: id,
        reversed,
      })),
      added: addedIn(additionsTo.get(first.id) ?? []),
    }
  }
}

export function addedIn(additions: readonly Addition[]): Added {
  const points = new Map<number, number>()
  for (const { receiverId, left } of additions) points.set(receiverId, (points.get(receiverId) ?? 0) + left)
  const by = new Set(additions.filter(({ left }) => left > 0).map(({ senderId }) => senderId))
  return { value: Math.max(0, ...points.values()), by: [...by] }
}
