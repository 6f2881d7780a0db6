import { copyFile, mkdir, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { SQL } from "bun"
import { parseDatabaseUrl } from "../src/config/database-url.ts"
import type { OrderField } from "../src/domain/ledger/model.ts"
import { createPages } from "../src/storage/ledger/history.ts"
import { type Client, createClient, type Queries } from "../src/storage/postgres/database/client.ts"
import type { Parameter } from "../src/storage/postgres/database/connection.ts"
import { createDatabase } from "../src/storage/postgres/database/database.ts"
import { createLog } from "../src/support/log.ts"
import { database, fingerprint, sizesOf, type Viewer, viewers } from "./databases.ts"
import { allViews, countTotals, type Filter, filters, growthOf, matrixOf, type View, worstOf } from "./pages.ts"
import { type PostgresServer, startPostgres } from "./postgresql.ts"
import { type Figure, median, medianOf, type Options, type Report, ratio } from "./report.ts"
import { rewardsEnvironment } from "./server.ts"

/** Greatest cost of a first page, divided by its cost in the smallest database. */
const growthAtMost = 2
const pageSize = 50
const deepPage = 10_000
/** Views above this part of the target get three times as many rounds: of 189 views, one may be slow by chance. */
const doubtfulFrom = 0.7
/** How many times a statement runs in a round. The fastest run counts: other work of the machine only adds to it. */
const times = 4

/** A database that measures the cost of its pages. */
interface Asked extends AsyncDisposable {
  readonly rows: number
  readonly url: string
  total(viewer: Viewer, filter: Filter): Promise<number>
  /** The time to plan and run the statements of a page in the database, in µs. */
  cost(viewer: Viewer, filter: Filter, order?: string, page?: number): Promise<number>
}

/**
 * Every first page of histories of different length on PostgreSQL. Measures the time to plan and run its statements in
 * the database, without network, HTTP and JSON, so that other work on the machine has as little effect as possible.
 */
export async function postgresPages(options: Options): Promise<Report> {
  await using open = new AsyncDisposableStack()
  const server = open.use(await serveHistories(options))
  const histories: Asked[] = []
  for (const rows of sizesOf(options)) histories.push(open.use(await ask(rows, await server.url(nameOf(rows)))))

  const views = allViews()
  await measure(histories, views) // fills caches
  for (const view of views) view.rounds.length = 0
  for (let round = 0; round < options.rounds; round += 1) await measure(histories, views)
  const isDoubtful = (view: View) =>
    histories.some((_, index) => median(growthOf(view, index).rounds) > doubtfulFrom * growthAtMost)
  const doubtful = views.filter(isDoubtful)
  for (let round = 0; round < 2 * options.rounds; round += 1) await measure(histories, doubtful)

  const figures: Figure[] = []
  for (const [index, { rows }] of histories.entries())
    if (index > 0)
      figures.push(...viewers.map((viewer) => worstOf(views, { viewer, rows, index, atMost: growthAtMost })))
  for (const history of histories) figures.push(await exactTotals(history, options))
  for (const history of histories.slice(1)) figures.push(await deepFigure(history, options.rounds))
  for (const history of histories) figures.push(...(await verified(history, options)))
  return { figures, details: matrixOf(views, histories.length - 1, growthAtMost) }
}

const nameOf = (rows: number) => `rows_${rows}`

/** A server with a copy of each generated database, kept in the cache. */
async function serveHistories(options: Options): Promise<PostgresServer> {
  const { cache, executable } = options
  const name = `postgres-${await fingerprint("drizzle/{,postgres/}*.sql")}`
  const folder = join(cache, name)
  await mkdir(folder, { recursive: true })
  for (const old of new Bun.Glob("postgres-*").scanSync({ cwd: cache, onlyFiles: false }))
    if (old !== name) await rm(join(cache, old), { recursive: true })
  await using open = new AsyncDisposableStack()
  const server = open.use(await startPostgres(folder, { shared_buffers: "1GB", max_wal_size: "4GB" }))
  await using sql = new SQL(await server.url("postgres"), { max: 1 })
  const present = (await sql<{ datname: string }[]>`SELECT datname FROM pg_database`).map(({ datname }) => datname)
  for (const rows of sizesOf(options)) {
    if (present.includes(nameOf(rows))) continue
    const source = join(folder, "source.db")
    await copyFile(await database(rows, cache), source)
    const copy = [resolve(executable), "copy", "--db", source, "--to", await server.url("unfinished")]
    const { exitCode } = Bun.spawnSync(copy, { env: rewardsEnvironment, stdio: ["ignore", "inherit", "inherit"] })
    if (exitCode !== 0) throw new Error("the database could not be copied to PostgreSQL")
    await rm(source)
    await server.run(`ALTER DATABASE unfinished RENAME TO ${nameOf(rows)}`, `VACUUM ANALYZE`)
  }
  open.move()
  return server
}

async function ask(rows: number, url: string): Promise<Asked> {
  const parsed = parseDatabaseUrl(url)
  if (parsed === undefined) throw new Error(`not a database URL: ${url}`)
  const client = createClient({ url: parsed, poolSize: 1, log: createLog() })
  const sql = new SQL(url, { max: 1, connection: { jit: "off" } }) // the setting of the server
  const ids = new Map<string, number>()
  for (const { id, username } of await client.query<{ id: number; username: string }>(
    "SELECT id, username FROM users WHERE username = ANY($1)",
    [[...viewers]],
  ))
    ids.set(username, id)
  const costOf = createCost(sql)

  const pageOf = (snapshot: Client["snapshot"], viewer: Viewer, { user, from_user }: Filter, order = "", page = 1) =>
    createPages(createDatabase({ ...client, until: () => ({ ...client, snapshot }) })).page({
      ...(viewer !== "admin" && { participantId: ids.get(viewer) ?? Number.NaN }),
      ...(user !== undefined && { receiver: user }),
      ...(from_user !== undefined && { sender: from_user }),
      ...(order !== "" && {
        order: { field: order.replace("-", "") as OrderField, descending: order.startsWith("-") },
      }),
      page,
      size: pageSize,
    })

  return {
    rows,
    url,
    total: async (viewer, filter) => (await pageOf(client.snapshot, viewer, filter)).total,
    async cost(...view) {
      let us = 0
      const asking: Client["snapshot"] = (work) =>
        client.snapshot(({ query }) => {
          const asked: Queries["query"] = async (text, parameters = []) => {
            us += await costOf(text, parameters)
            return query(text, parameters)
          }
          return work({ query: asked })
        })
      await sql.unsafe("BEGIN")
      await pageOf(asking, ...view)
      await sql.unsafe("COMMIT")
      return us
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([client.close(), sql.close()])
    },
  }
}

/** Returns a function that measures the least time to plan and run a statement, in µs. Prepares each text once. */
function createCost(sql: SQL) {
  const prepared = new Map<string, string>()
  return async (text: string, parameters: readonly Parameter[]): Promise<number> => {
    const known = prepared.get(text)
    const name = known ?? `statement_${prepared.size}`
    prepared.set(text, name)
    if (known === undefined) await sql.unsafe(`PREPARE ${name} AS ${text}`)
    const given = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
    const costs: number[] = []
    while (costs.length < times) {
      const [row] = await sql.unsafe<[{ "QUERY PLAN": [Plan] }]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ${name} ${given}`,
      )
      const [plan] = row["QUERY PLAN"]
      costs.push((plan["Planning Time"] + plan["Execution Time"]) * 1000)
    }
    return Math.min(...costs)
  }
}

/** Times in milliseconds. */
interface Plan {
  readonly "Planning Time": number
  readonly "Execution Time": number
}

function literal(value: Parameter): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`
  if (Array.isArray(value)) return `'{${value.join(",")}}'`
  return String(value)
}

async function measure(histories: readonly Asked[], views: readonly View[]): Promise<void> {
  for (const { viewer, filter, order, rounds } of views) {
    const costs: number[] = []
    for (const history of histories) costs.push(await history.cost(viewer, filter, order))
    rounds.push(costs)
  }
}

/** Share of the views whose `total` equals the number of rows counted in the file. */
async function exactTotals(history: Asked, { cache }: Options): Promise<Figure> {
  const totalOf = countTotals(await database(history.rows, cache))
  const exact: number[] = []
  for (const viewer of viewers)
    for (const filter of filters) exact.push((await history.total(viewer, filter)) === totalOf(viewer, filter) ? 1 : 0)
  const share = exact.reduce((sum, one) => sum + one, 0) / exact.length
  const name = `exact totals, ${history.rows.toLocaleString("en")} rows, of ${exact.length}`
  return { name, rounds: [share], target: { atLeast: 1 } }
}

async function deepFigure({ rows, cost }: Asked, rounds: number): Promise<Figure> {
  const inUs = async (page: number) => ({
    rounds: [await medianOf(rounds, () => cost("admin", {}, "", page))],
    unit: " µs",
  })
  const name = `page ${deepPage.toLocaleString("en")} beside page 1, ${rows.toLocaleString("en")} rows`
  return ratio(name, await inUs(deepPage), await inUs(1))
}

/** Time and memory of `rewards verify`. */
async function verified({ rows, url }: Asked, { executable }: Options): Promise<readonly Figure[]> {
  const started = performance.now()
  const env = { ...rewardsEnvironment, REWARDS_DB__URL: url }
  const child = Bun.spawn([resolve(executable), "verify"], { env, stdio: ["ignore", "ignore", "inherit"] })
  if ((await child.exited) !== 0) throw new Error("`rewards verify` found something")
  const seconds = (performance.now() - started) / 1000
  const name = `rewards verify, ${rows.toLocaleString("en")} rows`
  return [
    { name, rounds: [seconds], unit: " s" },
    { name: `${name}: memory`, rounds: [(child.resourceUsage()?.maxRSS ?? Number.NaN) / 1e6], unit: " MB" },
  ]
}
