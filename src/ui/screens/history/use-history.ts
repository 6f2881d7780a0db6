import { api } from "../../server/api.ts"
import { ask } from "../../server/ask.ts"
import { question } from "../../server/question.ts"
import { orderText, type View } from "./view.ts"

interface Asked {
  readonly username: string | null
  readonly user: string | null
  readonly from_user: string | null
  readonly order_by: string
  readonly page: number
  readonly size: number
}

/** The contract's page of everybody's history, or of one person's. */
export const useHistory = question(({ username, user, from_user, order_by, page, size }: Asked) => {
  const query = {
    order_by,
    page: String(page),
    size: String(size),
    ...(user !== null && { user }),
    ...(from_user !== null && { from_user }),
  }
  return ask(username === null ? api.transaction.get({ query }) : api.transaction({ username }).get({ query }))
})

export const pageAsked = ({ username, user, from_user, order, page, size }: View): Asked => ({
  username,
  user,
  from_user,
  order_by: orderText(order),
  page,
  size,
})

export type HistoryPage = NonNullable<ReturnType<typeof useHistory>["data"]>
export type Entry = HistoryPage["items"][number]
