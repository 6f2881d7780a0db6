import type { Transaction } from "../model.ts"

/** What feed, wall, leaderboards and totals show; the ledger, the contract's stream and exports have everything. */
export const isRecognition = ({ senderId, receiverId }: Pick<Transaction, "senderId" | "receiverId">): boolean =>
  senderId !== receiverId
