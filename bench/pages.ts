import { type Figure, median, medianOf, ratio, shown } from "./figure.ts"
import { interleaved, type Options, type Report } from "./part.ts"
import { keptApart } from "./process.ts"
import { openShelves, type Shelf } from "./shelf.ts"
import { aligned } from "./table.ts"
import { countTotals, type Filter, filters, nameOf, orders, queryOf, type Viewer, viewers } from "./views.ts"

/** What a first page may cost, of what it costs in the smallest database. */
const growthAtMost = 1.5
/** What comes so near to that, or beyond, is measured three times as long: among so many, chance finds a bad one. */
const doubtfulFrom = 0.8
/** What the deep page may cost, of what the first one costs. */
const depthAtMost = 2
const deepPage = 10_000
const [deepRounds, deepRequests] = [5, 20]

/** Each view is asked for so often in each round, or fewer times when that takes long. */
const requests = { atLeast: 2, atMost: 12, withinMs: 100 }

/** A first page, and what it took in each round: medians in µs, one for each database. */
interface View {
  readonly viewer: Viewer
  readonly filter: Filter
  readonly order: string
  readonly rounds: number[][]
}

/** Every first page of histories of different length, served at the same time and asked for in turn. */
export async function pages(options: Options): Promise<Report> {
  await using open = await openShelves(options)
  const { shelves } = open
  using _ = keptApart(shelves.map(({ pid }) => pid))
  const views = viewers.flatMap((viewer) =>
    filters.flatMap((filter) => orders.map((order): View => ({ viewer, filter, order, rounds: [] }))),
  )
  for (const view of views) await mediansOf(shelves, view)
  await measure(shelves, views, options.rounds)
  const doubtful = views.filter((view) => shelves.some((_, index) => isDoubtful(growthOf(view, index))))
  await measure(shelves, doubtful, 2 * options.rounds)

  const figures: Figure[] = []
  for (const [index, { rows }] of shelves.entries())
    if (index > 0) figures.push(...viewers.map((viewer) => worstOf(views, viewer, rows, index)))
  for (const shelf of shelves) figures.push(await exactTotals(shelf))
  for (const shelf of shelves.slice(1)) figures.push(await deepFigure(shelf))
  return { figures, details: matrixOf(views, shelves.length - 1) }
}

async function measure(shelves: readonly Shelf[], views: readonly View[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    for (const view of views) view.rounds.push(await mediansOf(shelves, view))
}

const isDoubtful = ({ rounds }: Figure): boolean => median(rounds) > doubtfulFrom * growthAtMost

async function mediansOf(shelves: readonly Shelf[], { viewer, filter, order }: View): Promise<number[]> {
  const path = `/transaction/${queryOf(filter, order)}`
  const costs = shelves.map((): number[] => [])
  const started = performance.now()
  const isEnough = (count: number) => count >= requests.atMost || performance.now() - started > requests.withinMs
  for (let count = 0; count < requests.atLeast || !isEnough(count); count += 1)
    for (const [index, shelf] of shelves.entries()) costs[index]?.push((await shelf.ask(viewer, { path })).us)
  return costs.map(median)
}

/** The view that grew most among all of one viewer, from the smallest database to the one at `index`. */
function worstOf(views: readonly View[], viewer: Viewer, rows: number, index: number): Figure {
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
    target: { atMost: growthAtMost },
  }
}

function growthOf({ rounds }: View, index: number): Figure {
  const database = (at: number) => ({ rounds: rounds.map((medians) => medians[at] ?? Number.NaN), unit: " µs" })
  return ratio("", database(index), database(0))
}

/** Which part of the views tell their number of transactions exactly. */
async function exactTotals(shelf: Shelf): Promise<Figure> {
  const totalOf = countTotals(shelf.database)
  const exact: number[] = []
  for (const viewer of viewers)
    for (const filter of filters) {
      const { body } = await shelf.ask(viewer, { path: `/transaction/${queryOf(filter)}` })
      exact.push((JSON.parse(body) as { total: number }).total === totalOf(viewer, filter) ? 1 : 0)
    }
  const share = exact.reduce((sum, one) => sum + one, 0) / exact.length
  const name = `exact totals, ${shelf.rows.toLocaleString("en")} rows, of ${exact.length}`
  return { name, rounds: [share], target: { atLeast: 1 } }
}

async function deepFigure(shelf: Shelf): Promise<Figure> {
  const costs = await interleaved(deepRounds, ["first", "deep"], (which) =>
    medianOf(deepRequests, async () => {
      const query = queryOf({}, "", which === "deep" ? deepPage : 1)
      return (await shelf.ask("admin", { path: `/transaction/${query}` })).us
    }),
  )
  const name = `page ${deepPage.toLocaleString("en")} beside page 1, ${shelf.rows.toLocaleString("en")} rows`
  return ratio(name, inUs(costs.deep), inUs(costs.first), { atMost: depthAtMost })
}

const inUs = (rounds: readonly number[]) => ({ rounds, unit: " µs" })

/** How every view grew from the smallest database to the largest. */
function matrixOf(views: readonly View[], largest: number): string {
  const cell = (viewer: Viewer, filter: Filter) => (order: string) => {
    const view = views.find((one) => one.viewer === viewer && one.filter === filter && one.order === order)
    const growth = view ? median(growthOf(view, largest).rounds) : Number.NaN
    return growth <= growthAtMost ? shown(growth) : `**${shown(growth)}**`
  }
  const rows = viewers.flatMap((viewer) =>
    filters.map((filter) => [viewer, nameOf(filter), ...orders.map(cell(viewer, filter))]),
  )
  return aligned([["Viewer", "Filter", ...orders.map((order) => order || "id")], ...rows])
}
