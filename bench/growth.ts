import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { openInProcess } from "./company.ts"
import { type ServedDatabase, serveDatabases } from "./databases.ts"
import { connect, type HttpConnection } from "./http.ts"
import { interleaved, medianOf, type Options, type Report, ratio } from "./report.ts"
import { newFolder, onSeparateCores, startRewards } from "./server.ts"

/** Greatest cost with the longest history, divided by the cost with the shortest. */
const atMost = 1.5
/** Rounds of each figure; each round is the median of several measurements. */
const rounds = 5
const [requests, joins, opens] = [100, 5, 3]

type Measure<T> = (subject: T) => Promise<number>

/** Other costs that must not grow with the history: balances, transfers, the start of a stream, opening the file. */
export async function growth(options: Options): Promise<Report> {
  await using open = await serveDatabases(options)
  const [short, long] = [open.servers[0], open.servers.at(-1)]
  if (!short || !long) throw new Error("no database")
  await using shortSenders = await openSenders(short, options)
  await using longSenders = await openSenders(long, options)
  using _ = onSeparateCores([short, long, shortSenders, longSenders].map(({ pid }) => pid))

  return {
    figures: [
      await compared("a balance", { short, long }, requests, balance),
      await compared("a user's page with the balance", { short, long }, requests, pageOfUser),
      await compared("a transfer, one after another", { short: shortSenders, long: longSenders }, requests, transfer),
      await compared("first frame of the whole stream", { short, long }, joins, firstOfAll),
      await compared("first frame of the stream at its end", { short, long }, joins, lastOfAll),
      await compared("opening the database, with its last id", { short, long }, opens, opening),
    ],
  }
}

async function compared<T>(name: string, sides: Record<"short" | "long", T>, times: number, measure: Measure<T>) {
  const us = await interleaved(rounds, ["long", "short"], (side) => medianOf(times, () => measure(sides[side])))
  return ratio(name, { rounds: us.long, unit: " µs" }, { rounds: us.short, unit: " µs" }, { atMost })
}

const balance: Measure<ServedDatabase> = async (served) =>
  (await served.ask("admin", { path: "/user/busy/?show_balance=true" })).us
const pageOfUser: Measure<ServedDatabase> = async (served) =>
  (await served.ask("admin", { path: "/transaction/quiet/" })).us

const firstOfAll: Measure<ServedDatabase> = ({ url }) => firstFrame(`${url}/transaction/ws`)
const lastOfAll: Measure<ServedDatabase> = ({ url, rows }) => firstFrame(`${url}/transaction/ws?after=${rows - 1}`)

function firstFrame(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = Bun.nanoseconds()
  const socket = new WebSocket(url)
  socket.onmessage = () => {
    resolve((Bun.nanoseconds() - started) / 1000)
    socket.close()
  }
  socket.onerror = () => reject(new Error(`no stream at ${url}`))
  return promise
}

const opening: Measure<ServedDatabase> = async ({ database }) => {
  const started = Bun.nanoseconds()
  await using inProcess = await openInProcess(database)
  await inProcess.app.store.ledger.lastId()
  return (Bun.nanoseconds() - started) / 1000
}

interface Senders extends AsyncDisposable {
  readonly pid: number
  readonly connection: HttpConnection
  readonly members: readonly { readonly username: string; readonly token: string }[]
}

const transfer: Measure<Pick<Senders, "connection" | "members">> = async ({ connection, members }) => {
  const path = `/transaction/${anyOf(members).username}/`
  const answer = await connection.request({ method: "POST", path, token: anyOf(members).token, body: { value: 1 } })
  if (answer.status !== 201) throw new Error(`a transfer was answered ${answer.status}: ${answer.body}`)
  return answer.us
}

/** A server on a copy of the database, to which transfers are added. */
async function openSenders({ database }: ServedDatabase, { cache, executable }: Options): Promise<Senders> {
  await using open = new AsyncDisposableStack()
  const folder = open.use(await newFolder(cache))
  const copy = join(folder.path, "rewards.db")
  await copyFile(database, copy)
  const members = await wealthyOf(copy)
  const { url, pid } = open.use(await startRewards(executable, folder.path))
  const connection = open.adopt(await connect(url), (connection) => connection.close())
  for (let count = 0; count < requests; count += 1) await transfer({ connection, members })
  const opened = open.move()
  return { pid, connection, members, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function wealthyOf(database: string): Promise<Senders["members"]> {
  await using inProcess = await openInProcess(database)
  const users = (await inProcess.app.store.users.list()).filter((user) => user.balance > rounds * requests)
  return Promise.all(users.map(async (user) => ({ username: user.username, token: await inProcess.tokenOf(user) })))
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error("the list is empty")
  return one
}
