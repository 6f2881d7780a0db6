import type { Party, TransactionEntry } from "../ledger/model.ts"
import { reasonReaders } from "../ledger/reason-readers.ts"
import type { Store } from "../store.ts"
import type { WordsWithin } from "./ports.ts"

/** A reason that everybody may read. */
export interface Words {
  /** The id of the feed's entry. */
  readonly recognitionId: number
  readonly text: string
  readonly from: Party
  readonly to: Party
  readonly date: number
}

/** Some words out of many. */
export interface BestOf {
  /** Those with the most responses first; with equally many, the longest, then the newest. */
  readonly words: readonly Words[]
  readonly longest: Words | null
}

export const noWords: BestOf = { words: [], longest: null }

const hasPublicReason = (transaction: Pick<TransactionEntry, "note" | "senderId" | "receiverId">): boolean =>
  (transaction.note?.reason ?? "") !== "" && reasonReaders(transaction) === null

const wordsOf = (entry: TransactionEntry): Words => ({
  recognitionId: entryIdOf(entry),
  text: entry.note?.reason ?? "",
  from: entry.sender,
  to: entry.receiver,
  date: entry.date,
})

/** The id of the feed's entry to which a transaction belongs. */
export const entryIdOf = ({ id, group, addsTo }: Pick<TransactionEntry, "id" | "group" | "addsTo">): number =>
  addsTo ?? group ?? id

/** Some words out of many are at most so many. */
const maxWords = 3

/** The best words among recognitions, or among what one person received. */
export async function bestIn(
  { insights, ledger }: Pick<Store, "insights" | "ledger">,
  within: WordsWithin,
  signal: AbortSignal | undefined,
): Promise<BestOf> {
  const { warmest, longest } = await insights.bestWords(within, maxWords, signal)
  const found = await ledger.entriesWith([...warmest, ...(longest === null ? [] : [longest])])
  const readable = new Map(found.filter(hasPublicReason).map((entry) => [entry.id, wordsOf(entry)])) // not those erased since
  return { words: warmest.flatMap((id) => readable.get(id) ?? []), longest: readable.get(longest ?? 0) ?? null }
}
