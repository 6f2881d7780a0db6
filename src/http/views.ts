import type { HistoryPage } from "../domain/ledger.ts"
import type { TransactionRecord, User } from "../domain/store.ts"
import type { TokenPair } from "../domain/tokens.ts"
import { isoDate } from "../stream/frames.ts"

/** The only place that names fields of responses (contract, Payload shapes). */
export const userView = ({ name, username, dept, avatar, bio, currency }: User) => ({
  name,
  username,
  dept,
  avatar,
  bio,
  currency,
})

export const userViewWithBalance = (user: User, balance: number) => ({ ...userView(user), balance })

export const tokenView = ({ accessToken, refreshToken }: TokenPair) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: "bearer" as const,
})

export const transactionView = (transaction: TransactionRecord) => ({
  id: transaction.id,
  value: transaction.value,
  date: isoDate(transaction.date),
  user: transaction.receiverUsername,
  from_user: transaction.senderUsername,
  user_id: transaction.receiverId,
  from_id: transaction.senderId,
})

export const pageView = ({ items, total, page, size }: HistoryPage) => ({
  items: items.map(transactionView),
  total,
  page,
  size,
})
