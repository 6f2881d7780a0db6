import type { TransactionEntry } from "../../domain/ledger/model.ts"
import type { Recognition } from "../../domain/recognition/model.ts"
import { sql } from "../sql.ts"
import { transactions } from "../tables.ts"

/** `isRecognition` of src/domain/recognition/recognitions.ts as SQL. */
export const isRecognition = sql`${transactions.kind} = 'transfer' AND ${transactions.userId} <> ${transactions.fromId}`

/** The same for transactions `t` in statements that do not pass the door, and `isFeedEntry` likewise. */
export const recognitionCondition = "t.kind = 'transfer' AND t.user_id <> t.from_id"
export const feedEntryCondition = `${recognitionCondition} AND (t.group_id IS NULL OR t.group_id = t.id)`

/** The groups of these transactions. */
export const groupsOf = (entries: readonly TransactionEntry[]): readonly number[] => [
  ...new Set(entries.flatMap(({ group }) => group ?? [])),
]

/**
 * The entries of the feed to which these recognitions belong, each once and in the same order. `grouped`: all transfers of
 * their groups, ascending.
 */
export function recognitionsOf(
  entries: readonly TransactionEntry[],
  grouped: readonly TransactionEntry[],
): Recognition[] {
  const membersOf = byGroup(grouped)
  const found = new Map<number, Recognition>()
  for (const entry of entries) {
    const recognition = recognitionOf(entry, membersOf.get(entry.group))
    found.set(recognition.id, recognition)
  }
  return [...found.values()]
}

/** The same for a stream of all transactions: of a group, the first stands for all, and the others for themselves. */
export function streamOf(entries: readonly TransactionEntry[], grouped: readonly TransactionEntry[]): Recognition[] {
  const membersOf = byGroup(grouped)
  return entries.map((entry) => recognitionOf(entry, entry.group === entry.id ? membersOf.get(entry.group) : undefined))
}

const byGroup = (grouped: readonly TransactionEntry[]) => Map.groupBy(grouped, ({ group }) => group)

function recognitionOf(entry: TransactionEntry, members: readonly TransactionEntry[] = [entry]): Recognition {
  return {
    ...(members[0] ?? entry),
    reversed: members.reduce((sum, { reversed }) => sum + reversed, 0),
    receivers: members.map(({ id, receiverId, receiver, reversed }) => ({
      ...receiver,
      userId: receiverId,
      transactionId: id,
      reversed,
    })),
  }
}
