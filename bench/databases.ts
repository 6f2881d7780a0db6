import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { openInProcess } from "./company.ts"
import { generate } from "./generate.ts"
import { type Answer, connect, type HttpConnection, type Request } from "./http.ts"
import type { Figure, Options, Report } from "./report.ts"
import { newFolder, startRewards } from "./server.ts"

const root = join(import.meta.dir, "..")
const generator = "bench/generate.ts"
const people = 10_000

/** Transactions in the measured databases, ascending. */
export const sizesOf = ({ quick }: Options): readonly number[] =>
  quick ? [10_000, 1_000_000] : [10_000, 1_000_000, 10_000_000]

/** Generates the databases that do not exist yet, for the parts that measure them. */
export async function databases(options: Options): Promise<Report> {
  const figures: Figure[] = []
  for (const rows of sizesOf(options)) {
    const file = Bun.file(await database(rows, options.cache))
    figures.push({ name: `database of ${rows.toLocaleString("en")} rows`, rounds: [file.size / 2 ** 20], unit: " MiB" })
  }
  return { figures }
}

/**
 * Path of a closed database with `rows` transactions, generated once for each version of the schema and of the
 * generator, and kept in `cache`.
 */
export async function database(rows: number, cache: string): Promise<string> {
  const path = join(cache, `rows-${rows}-${await fingerprint()}.db`)
  if (existsSync(path)) return path
  await mkdir(cache, { recursive: true })
  for (const old of new Bun.Glob(`rows-${rows}-*`).scanSync(cache)) await rm(join(cache, old))
  console.error(`filling a database with ${rows.toLocaleString("en")} transactions`)
  const unfinished = join(cache, `rows-${rows}-unfinished.db`)
  await generate({ path: unfinished, rows, people })
  await rename(unfinished, path)
  return path
}

/** A hash of everything that a generated database depends on. */
export async function fingerprint(schema = "drizzle/*.sql"): Promise<string> {
  const migrations = [...new Bun.Glob(schema).scanSync(root)].sort()
  const hasher = new Bun.CryptoHasher("sha256")
  for (const file of [...migrations, generator]) hasher.update(await Bun.file(join(root, file)).text())
  return hasher.digest("hex").slice(0, 12)
}

/** Usernames whose pages are measured. */
export const viewers = ["admin", "busy", "quiet"] as const

export type Viewer = (typeof viewers)[number]

/** A server on a generated database, with one connection. */
export interface ServedDatabase extends AsyncDisposable {
  /** Transactions in the database. */
  readonly rows: number
  readonly database: string
  readonly url: string
  readonly pid: number
  /** Sends a request as `viewer`. @throws unless the answer is a success */
  ask(viewer: Viewer, request: Request): Promise<Answer>
}

/** Serves the databases of all sizes at the same time, in ascending order. */
export async function serveDatabases(
  options: Options,
): Promise<{ readonly servers: readonly ServedDatabase[] } & AsyncDisposable> {
  await using open = new AsyncDisposableStack()
  // While one is filled, a server would close an idle connection.
  for (const rows of sizesOf(options)) await database(rows, options.cache)
  const servers: ServedDatabase[] = []
  for (const rows of sizesOf(options)) servers.push(open.use(await serveDatabase(rows, options)))
  const opened = open.move()
  return { servers, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export async function serveDatabase(rows: number, { cache, executable }: Options): Promise<ServedDatabase> {
  const path = await database(rows, cache)
  const tokens = await tokensOf(path)
  await using open = new AsyncDisposableStack()
  const folder = open.use(await newFolder(cache))
  const { url, pid } = open.use(await startRewards(executable, folder.path, { REWARDS_DB__PATH: path }))
  const connection = open.adopt(await connect(url), (connection) => connection.close())
  const opened = open.move()
  return {
    rows,
    database: path,
    url,
    pid,
    ask: (viewer, request) => successful(connection, { ...request, token: tokens[viewer] }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function tokensOf(path: string): Promise<Record<Viewer, string>> {
  await using inProcess = await openInProcess(path)
  const tokenOf = async (viewer: Viewer) => inProcess.tokenOf(await inProcess.user(viewer))
  return { admin: await tokenOf("admin"), busy: await tokenOf("busy"), quiet: await tokenOf("quiet") }
}

async function successful(connection: HttpConnection, request: Request): Promise<Answer> {
  const answer = await connection.request(request)
  if (answer.status >= 300) throw new Error(`${request.path} was answered ${answer.status}: ${answer.body}`)
  return answer
}
