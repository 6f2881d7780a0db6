import type { Transaction } from "../store.ts"

/** What feed, wall, leaderboards and totals show; the ledger, the contract's stream and exports have everything. */
export const isRecognition = ({ senderId, receiverId }: Pick<Transaction, "senderId" | "receiverId">): boolean =>
  senderId !== receiverId

/** A transaction with all that people see of it. */
export interface Recognition extends Transaction {
  readonly sender: Party
  readonly receiver: Party
}

/** Sender or receiver as they are today. */
export interface Party {
  readonly username: string
  readonly name: string
  readonly avatar: string | null
}

export interface RecognitionQuery {
  /** Keep only what all of these take part in, as sender or receiver: nobody, one, or two of them. */
  readonly participantIds: readonly number[]
  /** Keep only lower ids. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Reading the ledger with what was said. */
export interface RecognitionStore {
  /** The newest first, at most `limit`; only what `isRecognition`. */
  newest(query: RecognitionQuery): Promise<Recognition[]>
  /** Every transaction, so that whoever follows knows each id: ascending behind `id`, at most `limit`. */
  after(id: number, limit: number): Promise<Recognition[]>
}
