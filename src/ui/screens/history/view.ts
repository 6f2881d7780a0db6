import { addresses, withQuery } from "../../addresses.ts"
import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"
import type { Me } from "../../session.ts"
import { cellSeparator } from "../../texts/format.ts"

const orderFields = ["date", "from_user", "user", "value"] as const
export type OrderField = (typeof orderFields)[number]

export const sizes = [25, 50, 100] as const
export const periods = [30, 90, 365] as const
export const charts = ["balance", "points"] as const

/** The parameters of the history's address, named like the server's. */
export interface View {
  /** The owner of the history; null for everybody's, which only superusers see. */
  readonly username: string | null
  /** Receiver and sender; null for anybody. */
  readonly user: string | null
  readonly from_user: string | null
  readonly order: { readonly field: OrderField; readonly isDescending: boolean }
  /** Starts at 1. */
  readonly page: number
  readonly size: number
  /** The number of days in the chart. */
  readonly days: (typeof periods)[number]
  readonly chart: (typeof charts)[number]
}

type Query = Readonly<Record<string, string | undefined>>

/** Invalid parameters get their defaults. */
export function viewOf(query: Query, { username, role }: Me): View {
  const field = orderFields.find((one) => one === query.order_by?.replace(/^-/, ""))
  const page = Number(query.page)
  return {
    username: query.username ?? (role === "superuser" ? null : username),
    user: query.user ?? null,
    from_user: query.from_user ?? null,
    order: field
      ? { field, isDescending: query.order_by?.startsWith("-") ?? false }
      : { field: "date", isDescending: true },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: sizes.find((one) => one === Number(query.size)) ?? sizes[0],
    days: periods.find((one) => one === Number(query.days)) ?? periods[0],
    chart: charts.find((one) => one === query.chart) ?? charts[0],
  }
}

/** The history's address with changed parameters; a change of the filters returns to the first page. */
export function urlOf(query: Query, change: Query): string {
  const isOfChart = Object.keys(change).every((key) => key === "days" || key === "chart")
  return withQuery(addresses.history, { ...query, ...(!isOfChart && { page: undefined }), ...change })
}

/** The parameter `order_by`; the default is newest first. */
export const orderText = ({ field, isDescending }: View["order"]): string => `${isDescending ? "-" : ""}${field}`

/** The address of the filtered transactions as CSV. */
export const csvUrl = ({ user, from_user }: View, { username }: Query): string =>
  withQuery("/api/v1/transactions.csv", {
    username,
    user: user ?? undefined,
    from_user: from_user ?? undefined,
    separator: cellSeparator(),
  })

interface HistoryRequest {
  readonly username: string | null
  readonly user: string | null
  readonly from_user: string | null
  readonly order_by: string
  readonly page: number
  readonly size: number
}

/** A page of everybody's history, or of one person's (docs/interface.md, "Transactions"). */
export const useHistory = createQuery(({ username, user, from_user, order_by, page, size }: HistoryRequest) => {
  const query = {
    order_by,
    page: String(page),
    size: String(size),
    ...(user !== null && { user }),
    ...(from_user !== null && { from_user }),
  }
  return request(username === null ? api.transaction.get({ query }) : api.transaction({ username }).get({ query }))
})

export const pageRequest = ({ username, user, from_user, order, page, size }: View): HistoryRequest => ({
  username,
  user,
  from_user,
  order_by: orderText(order),
  page,
  size,
})

export type HistoryPage = NonNullable<ReturnType<typeof useHistory>["data"]>
export type Transaction = HistoryPage["items"][number]

interface EntriesRequest extends Pick<HistoryRequest, "username" | "user" | "from_user" | "size"> {
  /** One more than the highest id on the page. */
  readonly before: number
}

/** What the pages lack: kinds, reasons and reversals. By date, they are those of the page that ends before an id. */
export const useEntries = createQuery(({ username, user, from_user, before, size }: EntriesRequest) =>
  request(
    api.api.v1.transactions.get({
      query: {
        before: String(before),
        size: String(size),
        ...(username !== null && { username }),
        ...(user !== null && { user }),
        ...(from_user !== null && { from_user }),
      },
    }),
  ),
)

export const entriesRequest = ({ username, user, from_user }: View, items: readonly Transaction[]): EntriesRequest => ({
  username,
  user,
  from_user,
  before: 1 + Math.max(0, ...items.map(({ id }) => id)),
  size: Math.max(1, items.length),
})

export type Entry = NonNullable<ReturnType<typeof useEntries>["data"]>["items"][number]

type DaysRequest = Pick<View, "username" | "days">

/** Points per day of one person, with the balance; for everybody without it. */
export const useDays = createQuery(({ username, days }: DaysRequest) =>
  request(
    api.api.v1.stats.get({
      query: { days: String(days), ...(username === null ? { scope: "all" } : { username }) },
    }),
  ),
)

export const daysRequest = ({ username, days }: View): DaysRequest => ({ username, days })

type DaysData = NonNullable<ReturnType<typeof useDays>["data"]>

/** A day in UTC, for the chart and its rows. */
export interface Day {
  readonly day: string
  /** Null for everybody's history. */
  readonly balance: number | null
  readonly received: number | null
  readonly given: number
  readonly count: number
}

export const toDays = ({ days }: DaysData): Day[] =>
  days.map((one) =>
    "balance" in one
      ? {
          day: one.day,
          balance: one.balance,
          received: one.received.points,
          given: one.sent.points,
          count: one.received.count + one.sent.count,
        }
      : { day: one.day, balance: null, received: null, given: one.points, count: one.count },
  )
