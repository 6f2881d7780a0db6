import { openHouse } from "./company.ts"
import { database, sizesOf } from "./databases.ts"
import { type Answer, connect, type HttpConnection, type Request } from "./http.ts"
import type { Options } from "./part.ts"
import { newFolder, startRewards } from "./server.ts"
import type { Viewer } from "./views.ts"

/** A server on a generated database, with one connection to it. */
export interface Shelf extends AsyncDisposable {
  /** Transactions in the database. */
  readonly rows: number
  readonly database: string
  readonly url: string
  readonly pid: number
  /** Asks as `viewer`. @throws unless the answer is a success */
  ask(viewer: Viewer, request: Request): Promise<Answer>
}

/** The databases of all sizes, ascending, all served at the same time. */
export async function openShelves(options: Options): Promise<{ readonly shelves: readonly Shelf[] } & AsyncDisposable> {
  await using open = new AsyncDisposableStack()
  const shelves: Shelf[] = []
  for (const rows of sizesOf(options)) shelves.push(open.use(await openShelf(rows, options)))
  const opened = open.move()
  return { shelves, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export async function openShelf(rows: number, { cache, executable }: Options): Promise<Shelf> {
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
  await using house = await openHouse(path)
  const tokenOf = async (viewer: Viewer) => house.tokenOf(await house.user(viewer))
  return { admin: await tokenOf("admin"), busy: await tokenOf("busy"), quiet: await tokenOf("quiet") }
}

async function successful(connection: HttpConnection, request: Request): Promise<Answer> {
  const answer = await connection.request(request)
  if (answer.status >= 300) throw new Error(`${request.path} was answered ${answer.status}: ${answer.body}`)
  return answer
}
