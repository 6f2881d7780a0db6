import { Database } from "bun:sqlite"

/** Whose pages are measured: user names. */
export const viewers = ["admin", "busy", "quiet"] as const
export type Viewer = (typeof viewers)[number]

/** Of GET /transaction/; absent: everybody's. */
export interface Filter {
  readonly user?: string
  readonly from_user?: string
}

export const filters: readonly Filter[] = [
  {},
  { user: "busy" },
  { user: "quiet" },
  { from_user: "busy" },
  { from_user: "quiet" },
  { user: "quiet", from_user: "busy" },
  { user: "busy", from_user: "quiet" },
]

/** Values of `order_by`; the first is none. */
export const orders = ["", "user", "-user", "from_user", "-from_user", "value", "-value", "date", "-date"] as const

/** The query of one view, from `?`. */
export const queryOf = (filter: Filter, order = "", page = 1): string =>
  `?${new URLSearchParams({ ...filter, ...(order !== "" && { order_by: order }), page: `${page}` })}`

/** `user=busy&from_user=quiet`, in a reader's words. */
export const nameOf = ({ user, from_user }: Filter): string =>
  [from_user && `from ${from_user}`, user && `to ${user}`].filter(Boolean).join(" ") || "everything"

/** How many transactions a view has, counted row by row: what the server's `total` must say. */
export type Totals = (viewer: Viewer, filter: Filter) => number

/** Counts once who sends to whom, of `busy`, `quiet` and anybody else; every view is a sum of those nine. */
export function countTotals(path: string): Totals {
  using client = new Database(path, { readonly: true })
  const named = (column: string) =>
    `CASE ${column} WHEN (SELECT id FROM users WHERE username = 'busy') THEN 'busy'
       WHEN (SELECT id FROM users WHERE username = 'quiet') THEN 'quiet' ELSE '' END`
  const pairs = client
    .query<Pair, []>(
      `SELECT ${named("from_id")} AS sender, ${named("user_id")} AS receiver, count(*) AS count
       FROM transactions GROUP BY 1, 2`,
    )
    .all()

  return (viewer, { user, from_user }) =>
    pairs
      .filter(({ sender, receiver }) => viewer === "admin" || sender === viewer || receiver === viewer)
      .filter(({ receiver }) => user === undefined || receiver === user)
      .filter(({ sender }) => from_user === undefined || sender === from_user)
      .reduce((total, { count }) => total + count, 0)
}

interface Pair {
  readonly sender: string
  readonly receiver: string
  readonly count: number
}
