import { Database } from "bun:sqlite"
import { join } from "node:path"
import { pageReaders, peopleFiles } from "./company.ts"
import { type ServedDatabase, serveDatabase, serveDatabases, sizesOf, type Viewer, viewers } from "./databases.ts"
import { load, rates } from "./load.ts"
import {
  aligned,
  type Figure,
  interleaved,
  median,
  medianOf,
  type Options,
  type Report,
  ratio,
  shown,
} from "./report.ts"
import { compiled, newFolder, onSeparateCores, start } from "./server.ts"

/** Greatest cost of a first page, divided by its cost in the smallest database. */
const growthAtMost = 1.5
/** Views above this part of the target get three times as many rounds: of 189 views, one may be slow by chance. */
const doubtfulFrom = 0.8
const deepAtMostMs = 100
const deepPage = 10_000
const [deepRounds, deepRequests] = [5, 20]

/** Requests for each view in each round; fewer when they take long. */
const requests = { atLeast: 2, atMost: 12, withinMs: 100 }

/** A first page and, for each round, the time of its fastest request in each database, in µs. */
export interface View {
  readonly viewer: Viewer
  readonly filter: Filter
  readonly order: string
  readonly rounds: number[][]
}

/** Every first page of histories of different length. The servers run at the same time and get requests in turn. */
export async function pages(options: Options): Promise<Report> {
  await using open = await serveDatabases(options)
  const { servers } = open
  using _ = onSeparateCores(servers.map(({ pid }) => pid))
  const views = allViews()
  for (const view of views) await fastestOf(servers, view)
  await measure(servers, views, options.rounds)
  const doubtful = views.filter((view) => servers.some((_, index) => isDoubtful(growthOf(view, index))))
  await measure(servers, doubtful, 2 * options.rounds)

  const figures: Figure[] = []
  for (const [index, { rows }] of servers.entries())
    if (index > 0)
      figures.push(...viewers.map((viewer) => worstOf(views, { viewer, rows, index, atMost: growthAtMost })))
  for (const served of servers) figures.push(await exactTotals(served))
  for (const served of servers.slice(1)) figures.push(await deepFigure(served))
  return { figures, details: matrixOf(views, servers.length - 1, growthAtMost) }
}

export const allViews = (): readonly View[] =>
  viewers.flatMap((viewer) =>
    filters.flatMap((filter) => orders.map((order): View => ({ viewer, filter, order, rounds: [] }))),
  )

async function measure(servers: readonly ServedDatabase[], views: readonly View[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    for (const view of views) view.rounds.push(await fastestOf(servers, view))
}

const isDoubtful = ({ rounds }: Figure): boolean => median(rounds) > doubtfulFrom * growthAtMost

async function fastestOf(servers: readonly ServedDatabase[], { viewer, filter, order }: View): Promise<number[]> {
  const path = `/transaction/${queryOf(filter, order)}`
  const costs = servers.map((): number[] => [])
  const started = performance.now()
  const isEnough = (count: number) => count >= requests.atMost || performance.now() - started > requests.withinMs
  for (let count = 0; count < requests.atLeast || !isEnough(count); count += 1)
    for (const [index, served] of servers.entries()) costs[index]?.push((await served.ask(viewer, { path })).us)
  // The fastest, because other work of the machine can only make a request slower.
  return costs.map((us) => Math.min(...us))
}

interface Wanted {
  readonly viewer: Viewer
  /** Transactions in the database at `index`. */
  readonly rows: number
  readonly index: number
  readonly atMost: number
}

/** The view of this viewer that grew most from the smallest database to the one at `index`. */
export function worstOf(views: readonly View[], { viewer, rows, index, atMost }: Wanted): Figure {
  const growths = views
    .filter((view) => view.viewer === viewer)
    .map((view) => ({ view, growth: growthOf(view, index) }))
  const [worst] = growths.toSorted((a, b) => median(b.growth.rounds) - median(a.growth.rounds))
  if (!worst) throw new Error(`no view of ${viewer}`)
  const { filter, order } = worst.view
  const name = `first page as ${viewer}, ${rows.toLocaleString("en")} rows; worst of ${growths.length}`
  return {
    ...worst.growth,
    name: `${name}: ${nameOf(filter)}${order && ` by ${order}`}`,
    target: { atMost },
  }
}

export function growthOf({ rounds }: View, index: number): Figure {
  const database = (at: number) => ({ rounds: rounds.map((fastest) => fastest[at] ?? Number.NaN), unit: " µs" })
  return ratio("", database(index), database(0))
}

/** Share of the views whose `total` is exact. */
async function exactTotals(served: ServedDatabase): Promise<Figure> {
  const totalOf = countTotals(served.database)
  const exact: number[] = []
  for (const viewer of viewers)
    for (const filter of filters) {
      const { body } = await served.ask(viewer, { path: `/transaction/${queryOf(filter)}` })
      exact.push((JSON.parse(body) as { total: number }).total === totalOf(viewer, filter) ? 1 : 0)
    }
  const share = exact.reduce((sum, one) => sum + one, 0) / exact.length
  const name = `exact totals, ${served.rows.toLocaleString("en")} rows, of ${exact.length}`
  return { name, rounds: [share], target: { atLeast: 1 } }
}

async function deepFigure(served: ServedDatabase): Promise<Figure> {
  const path = `/transaction/${queryOf({}, "", deepPage)}`
  const { ms } = await interleaved(deepRounds, ["ms"], () =>
    medianOf(deepRequests, async () => (await served.ask("admin", { path })).us / 1000),
  )
  const name = `page ${deepPage.toLocaleString("en")}, ${served.rows.toLocaleString("en")} rows`
  return { name, rounds: ms, unit: " ms", target: { atMost: deepAtMostMs } }
}

/** Growth of every view from the smallest database to the largest. */
export function matrixOf(views: readonly View[], largest: number, atMost: number): string {
  const cell = (viewer: Viewer, filter: Filter) => (order: string) => {
    const view = views.find((one) => one.viewer === viewer && one.filter === filter && one.order === order)
    const growth = view ? median(growthOf(view, largest).rounds) : Number.NaN
    return growth <= atMost ? shown(growth) : `**${shown(growth)}**`
  }
  const rows = viewers.flatMap((viewer) =>
    filters.map((filter) => [viewer, nameOf(filter), ...orders.map(cell(viewer, filter))]),
  )
  return aligned([["Viewer", "Filter", ...orders.map((order) => order || "id")], ...rows])
}

const warmUp = { connections: 32, seconds: 1 }

/** Pages of 50 from the longest history, compared with the framework alone, which sends one page from memory. */
export async function pageLoad(options: Options): Promise<Report> {
  await using served = await serveDatabase(Math.max(...sizesOf(options)), options)
  await using folder = await newFolder(options.cache)
  const page = join(folder.path, "page.json")
  await Bun.write(page, (await served.ask("admin", { path: "/transaction/?page=7" })).body)
  const executable = await compiled("baseline", options.cache)
  await using memory = await start({ executable, folder: folder.path, env: { PAGE: page } })
  const files = await peopleFiles(served.database, folder.path)

  const figures: Figure[] = []
  for (const { name, pages } of options.quick ? pageReaders.slice(1) : pageReaders) {
    const wanted = { what: "pages", credential: "bearer", peopleFile: files[name], pages } as const
    for (const { url } of [served, memory]) await load({ url, ...warmUp, ...wanted })
    for (const connections of [8, 128]) {
      const { ours, other } = await interleaved(options.rounds, ["ours", "other"], (side) =>
        load({ url: side === "ours" ? served.url : memory.url, connections, seconds: options.seconds, ...wanted }),
      )
      figures.push(ratio(`pages of 50 as ${name}, ${connections} connections`, rates(ours), rates(other)))
    }
  }
  return { figures }
}

/** Filters of GET /transaction/. Absent: not filtered. */
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

/** Values of `order_by`; the empty one stands for no order. */
export const orders = ["", "user", "-user", "from_user", "-from_user", "value", "-value", "date", "-date"] as const

/** The query of one view, from `?`. */
export const queryOf = (filter: Filter, order = "", page = 1): string =>
  `?${new URLSearchParams({ ...filter, ...(order !== "" && { order_by: order }), page: `${page}` })}`

/** In words: `from quiet to busy`. */
export const nameOf = ({ user, from_user }: Filter): string =>
  [from_user && `from ${from_user}`, user && `to ${user}`].filter(Boolean).join(" ") || "everything"

/** Number of transactions in a view, counted row by row. The `total` of the server must equal it. */
export type Totals = (viewer: Viewer, filter: Filter) => number

/**
 * Counts once how many transactions `busy`, `quiet` and all others sent to each of these; totals are sums of the
 * counts.
 */
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
