import { addresses } from "../../addresses.ts"
import { withQuery } from "../../query.ts"
import type { Me } from "../../session.ts"
import { cellSeparator } from "../../texts/format.ts"

export const orderFields = ["date", "from_user", "user", "value"] as const
export type OrderField = (typeof orderFields)[number]

export const sizes = [25, 50, 100] as const
export const periods = [30, 90, 365] as const
export const charts = ["balance", "points"] as const

/** What the address of the history asks for; names as the server's parameters have them. */
export interface View {
  /** Whose history; null: everybody's, which superusers see. */
  readonly username: string | null
  /** Receiver and sender, null for anybody. */
  readonly user: string | null
  readonly from_user: string | null
  readonly order: { readonly field: OrderField; readonly isDescending: boolean }
  /** From 1. */
  readonly page: number
  readonly size: number
  /** How many days the chart goes back. */
  readonly days: (typeof periods)[number]
  readonly chart: (typeof charts)[number]
}

type Query = Readonly<Record<string, string | undefined>>

/** What cannot be understood counts as not said. */
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

/** Address of the same history otherwise; other entries begin with their first page. */
export function urlOf(query: Query, change: Query): string {
  const isOfChart = Object.keys(change).every((key) => key === "days" || key === "chart")
  return withQuery(addresses.history, { ...query, ...(!isOfChart && { page: undefined }), ...change })
}

/** As the server takes it; the usual order is the newest first. */
export const orderText = ({ field, isDescending }: View["order"]): string => `${isDescending ? "-" : ""}${field}`

/** What the filters leave, as a file. */
export const csvUrl = ({ user, from_user }: View, { username }: Query): string =>
  withQuery("/api/v1/transactions.csv", {
    username,
    user: user ?? undefined,
    from_user: from_user ?? undefined,
    separator: cellSeparator(),
  })
