import type { EntryQuery, Party, TransactionEntry } from "../ledger/model.ts"
import type { LedgerStore } from "../ledger/ports.ts"
import type { ResponseStore } from "./ports.ts"
import { isRecognition, reasonReaders } from "./recognitions.ts"

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

export const hasPublicReason = (transaction: Pick<TransactionEntry, "note" | "senderId" | "receiverId">): boolean =>
  (transaction.note?.reason ?? "") !== "" && reasonReaders(transaction) === null

export const wordsOf = (entry: TransactionEntry): Words => ({
  recognitionId: entryIdOf(entry),
  text: entry.note?.reason ?? "",
  from: entry.sender,
  to: entry.receiver,
  date: entry.date,
})

/** The id of the feed's entry to which a transaction belongs. */
export const entryIdOf = ({ id, group, addsTo }: Pick<TransactionEntry, "id" | "group" | "addsTo">): number =>
  addsTo ?? group ?? id

/** Transactions that are read at once. */
const readAtOnce = 1000

/** The recognitions of one person, newest first, without those that were taken back; in parts, because there may be many. */
export async function* recognitionsIn(
  ledger: Pick<LedgerStore, "entries">,
  whose: Pick<EntryQuery, "receiver" | "sender" | "since" | "until" | "before" | "signal">,
): AsyncGenerator<readonly TransactionEntry[], void> {
  for (let before = whose.before; ; ) {
    const found = await ledger.entries({ ...whose, kind: "transfer", before, limit: readAtOnce })
    yield found.filter((entry) => isRecognition(entry) && entry.reversed < entry.value)
    if (found.length < readAtOnce) return
    before = found.at(-1)?.id
  }
}

/** The words that everybody may read among what one person received: the best `limit`, and the longest. */
export async function bestAmong(
  responses: Pick<ResponseStore, "to">,
  received: AsyncIterable<readonly TransactionEntry[]>,
  limit: number,
): Promise<BestOf> {
  let best: readonly Ranked[] = []
  let longest: Ranked | null = null
  for await (const some of received) {
    const readable = some.filter(hasPublicReason)
    const responsesTo = await responses.to(readable.map(entryIdOf), 0)
    const ranked = readable.map((entry): Ranked => {
      const words = wordsOf(entry)
      const { reactions = [], replies = 0 } = responsesTo.get(words.recognitionId) ?? {}
      const warmth = reactions.reduce((sum, { count }) => sum + count, replies)
      return { words, warmth, length: [...words.text].length }
    })
    best = [...best, ...ranked].sort(byWarmth).slice(0, limit)
    longest = ranked.reduce<Ranked | null>(
      (longest, one) => (one.length > (longest?.length ?? 0) ? one : longest),
      longest,
    )
  }
  return { words: best.map(({ words }) => words), longest: longest?.words ?? null }
}

interface Ranked {
  readonly words: Words
  /** How many responses there are. */
  readonly warmth: number
  /** In characters. */
  readonly length: number
}

/** The newest stay before others that are equal, because they come first. */
const byWarmth = (one: Ranked, other: Ranked): number => other.warmth - one.warmth || other.length - one.length
