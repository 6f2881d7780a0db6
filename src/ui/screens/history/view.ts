import { addresses, withQuery } from "../../addresses.ts"
import { dayMs, serviceToday } from "../../dates.tsx"
import { api, request } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import type { Me } from "../../session.ts"
import { cellSeparator } from "../../texts/format.ts"

const orderFields = ["date", "from_user", "user", "value"] as const
export type OrderField = (typeof orderFields)[number]

export const sizes = [25, 50, 100] as const
export const periods = [30, 90, 365] as const
export const charts = ["balance", "points"] as const

export const kinds = [
  "transfer",
  "grant",
  "allowance",
  "expiry",
  "redemption",
  "refund",
  "reversal",
  "occasion",
] as const
type Kind = (typeof kinds)[number]

/** Filters that only the filtered list supports. That list is always newest first and has no numbered pages. */
export const listFilters = ["kind", "tag", "q", "from", "to"] as const

/** The parameters of the history's address, named like the server's. */
export interface View {
  /** The owner of the history; null for everybody's, which only superusers see. */
  readonly username: string | null
  /** Receiver and sender; null for anybody. */
  readonly user: string | null
  readonly from_user: string | null
  readonly kind: Kind | null
  readonly tag: string | null
  /** Text in the reason. */
  readonly q: string | null
  /** First and last day of list and chart, in the service's time zone. */
  readonly from: string | null
  readonly to: string | null
  /** With one of `listFilters`, the list continues below this id instead of having numbered pages. */
  readonly before: string | null
  readonly order: { readonly field: OrderField; readonly isDescending: boolean }
  /** Starts at 1. */
  readonly page: number
  readonly size: number
  /** The number of days up to today that `from` stands for; null if the days are chosen by themselves, or all. */
  readonly days: (typeof periods)[number] | null
  readonly chart: (typeof charts)[number]
}

type Query = Readonly<Record<string, string | undefined>>

/** Invalid parameters get their defaults. */
export function viewOf(query: Query, { username, role }: Me): View {
  const field = orderFields.find((one) => one === query.order_by?.replace(/^-/, ""))
  const page = Number(query.page)
  const days = periods.find((one) => one === Number(query.days)) ?? null
  return {
    username: query.username ?? (role === "superuser" ? null : username),
    user: query.user ?? null,
    from_user: query.from_user ?? null,
    kind: kinds.find((one) => one === query.kind) ?? null,
    tag: query.tag ?? null,
    q: query.q ?? null,
    from: days === null ? (query.from ?? null) : daysBefore(serviceToday(), days - 1),
    to: days === null ? (query.to ?? null) : null,
    before: query.before ?? null,
    order: field
      ? { field, isDescending: query.order_by?.startsWith("-") ?? false }
      : { field: "date", isDescending: true },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: sizes.find((one) => one === Number(query.size)) ?? sizes[0],
    days,
    chart: charts.find((one) => one === query.chart) ?? charts[0],
  }
}

/** The history's address with changed parameters; a change of the filters returns to the first page. */
export function urlOf(query: Query, change: Query): string {
  const isOfChart = Object.keys(change).every((key) => key === "chart")
  return withQuery(addresses.history, {
    ...query,
    ...(!isOfChart && { page: undefined, before: undefined }),
    ...change,
  })
}

export const hasListFilter = (view: View): boolean => listFilters.some((name) => view[name] !== null)

/** A change for `urlOf` that removes all filters. */
export const noFilters = Object.fromEntries(
  ["user", "from_user", "days", ...listFilters].map((name) => [name, undefined]),
)

/** The parameters of the filters that are set. */
const filtersOf = (view: Pick<View, "user" | "from_user" | (typeof listFilters)[number]>) => {
  const { user, from_user, kind, tag, q, from, to } = view
  return {
    ...(user !== null && { user }),
    ...(from_user !== null && { from_user }),
    ...(kind !== null && { kind }),
    ...(tag !== null && { tag }),
    ...(q !== null && { q }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  }
}

/** The parameter `order_by`; a minus sign means descending. */
export const orderText = ({ field, isDescending }: View["order"]): string => `${isDescending ? "-" : ""}${field}`

/** The address of the filtered transactions as CSV. */
export const csvUrl = (view: View, { username }: Query): string =>
  withQuery("/api/v1/transactions.csv", {
    username,
    ...filtersOf(view),
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

/** A numbered page of everybody's history, or of one person's, with names, kinds and reasons. */
export const useHistory = createQuery(async ({ username, user, from_user, ...paging }: HistoryRequest) => {
  const query = {
    order_by: paging.order_by,
    page: String(paging.page),
    size: String(paging.size),
    ...(user !== null && { user }),
    ...(from_user !== null && { from_user }),
  }
  const page = await request(
    username === null ? api.transaction.get({ query }) : api.transaction({ username }).get({ query }),
  )
  if (page.kind !== "done") return page
  const ids = page.data.items.map(({ id }) => id)
  const entries = await entriesOf(ids)
  if (entries.kind !== "done") return entries
  const byId = new Map(entries.data.items.map((one) => [one.id, one]))
  const { total, size } = page.data
  const items = ids.map((id) => byId.get(id)).filter((one) => one !== undefined)
  return { kind: "done" as const, data: { items, total, page: page.data.page, size } }
})

async function entriesOf(ids: readonly number[]) {
  if (ids.length === 0) return { kind: "done" as const, data: { items: [], next: null } }
  return request(api.api.v1.transactions.get({ query: { ids: ids.join() } }))
}

export const pageRequest = ({ username, user, from_user, order, page, size }: View): HistoryRequest => ({
  username,
  user,
  from_user,
  order_by: orderText(order),
  page,
  size,
})

export type HistoryPage = NonNullable<ReturnType<typeof useHistory>["data"]>
export type Entry = HistoryPage["items"][number]

type ListRequest = Pick<View, "username" | "user" | "from_user" | (typeof listFilters)[number] | "before" | "size">

/** The transactions that match all filters, newest first, below the id `before`. */
export const useList = createQuery(({ username, before, size, ...filters }: ListRequest) =>
  request(
    api.api.v1.transactions.get({
      query: {
        ...filtersOf(filters),
        size: String(size),
        ...(before !== null && { before }),
        ...(username !== null && { username }),
      },
    }),
  ),
)

export const listRequest = ({
  username,
  user,
  from_user,
  kind,
  tag,
  q,
  from,
  to,
  before,
  size,
}: View): ListRequest => ({ username, user, from_user, kind, tag, q, from, to, before, size })

/** The longest span of the chart. The server counts it back from today. */
const maxDays = 366
/** The longest and the shortest span of the chart while no range is chosen. */
const defaultDays = 365
const minDays = 30

interface DaysRequest {
  readonly username: string | null
  readonly days: number
}

/** Points per day: of one person with the balance, or of everybody without it. */
export const useDays = createQuery(({ username, days }: DaysRequest) =>
  request(
    api.api.v1.stats.get({
      query: { days: String(days), ...(username === null ? { scope: "all" } : { username }) },
    }),
  ),
)

export function daysRequest({ username, from }: View): DaysRequest {
  const days = (Date.parse(serviceToday()) - Date.parse(from ?? "")) / dayMs + 1
  return { username, days: Number.isInteger(days) ? Math.min(Math.max(days, 1), maxDays) : defaultDays }
}

const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10)

type DaysData = NonNullable<ReturnType<typeof useDays>["data"]>

/** A day in the service's time zone, for the chart and its rows. */
export interface Day {
  readonly day: string
  /** Null for everybody's history. */
  readonly balance: number | null
  readonly received: number | null
  readonly given: number
  readonly count: number
}

/** The days of the range that is chosen; without one, from the first activity on, and at least a month. */
export function toDays({ days }: DaysData, { from, to }: Pick<View, "from" | "to">): Day[] {
  const all = days.map((one) =>
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
  const inRange = all.filter(({ day }) => (from === null || day >= from) && (to === null || day <= to))
  if (from !== null) return inRange
  const first = inRange.findIndex(({ count, balance }) => count > 0 || (balance ?? 0) > 0)
  return inRange.slice(Math.min(first < 0 ? inRange.length : first, Math.max(inRange.length - minDays, 0)))
}
