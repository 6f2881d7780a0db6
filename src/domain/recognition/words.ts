import type { Party, TransactionEntry } from "../ledger/model.ts"
import type { ResponseStore } from "./ports.ts"
import { reasonReaders } from "./recognitions.ts"

/** A reason that everybody may read. */
export interface Words {
  /** The id of the feed's entry. */
  readonly recognitionId: number
  readonly text: string
  readonly from: Party
  readonly to: Party
  readonly date: number
}

export const hasPublicReason = (transaction: Pick<TransactionEntry, "note" | "senderId" | "receiverId">): boolean =>
  (transaction.note?.reason ?? "") !== "" && reasonReaders(transaction) === null

/** The words of these transactions that everybody may read: those with the most responses first, then the longest. */
export async function nicestWords(
  responses: Pick<ResponseStore, "to">,
  transactions: readonly TransactionEntry[],
): Promise<Words[]> {
  // A group thanks several people with the same words.
  const readable = new Map(transactions.filter(hasPublicReason).map((entry) => [entryIdOf(entry), entry]))
  const responsesTo = await responses.to([...readable.keys()], 0)
  const warmthOf = (id: number): number => {
    const { reactions = [], replies = 0 } = responsesTo.get(id) ?? {}
    return reactions.reduce((sum, { count }) => sum + count, replies)
  }
  return [...readable]
    .map(([id, { note, sender, receiver, date }]) => ({
      warmth: warmthOf(id),
      words: { recognitionId: id, text: note?.reason ?? "", from: sender, to: receiver, date },
    }))
    .sort((one, other) => other.warmth - one.warmth || other.words.text.length - one.words.text.length)
    .map(({ words }) => words)
}

/** The id of the feed's entry to which a transaction belongs. */
export const entryIdOf = ({ id, group, addsTo }: Pick<TransactionEntry, "id" | "group" | "addsTo">): number =>
  addsTo ?? group ?? id
