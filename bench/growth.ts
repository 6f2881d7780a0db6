import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { openHouse } from "./company.ts"
import { medianOf, ratio } from "./figure.ts"
import { connect, type HttpConnection } from "./http.ts"
import { interleaved, type Options, type Report } from "./part.ts"
import { keptApart } from "./process.ts"
import { newFolder, startRewards } from "./server.ts"
import { openShelves, type Shelf } from "./shelf.ts"

/** What anything may cost with the longest history, of what it costs with the shortest. */
const atMost = 1.5
/** Each figure has so many rounds, and each round is the median of several measurements. */
const rounds = 5
const [requests, joins, opens] = [100, 5, 3]

type Measure<T> = (subject: T) => Promise<number>

/** What must not grow with the history, besides pages: balances, the stream's start, opening the file, transfers. */
export async function growth(options: Options): Promise<Report> {
  await using open = await openShelves(options)
  const [short, long] = [open.shelves[0], open.shelves.at(-1)]
  if (!short || !long) throw new Error("no database")
  await using shortSenders = await openSenders(short, options)
  await using longSenders = await openSenders(long, options)
  using _ = keptApart([short, long, shortSenders, longSenders].map(({ pid }) => pid))

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

const balance: Measure<Shelf> = async (shelf) =>
  (await shelf.ask("admin", { path: "/user/busy/?show_balance=true" })).us
const pageOfUser: Measure<Shelf> = async (shelf) => (await shelf.ask("admin", { path: "/transaction/quiet/" })).us

const firstOfAll: Measure<Shelf> = ({ url }) => firstFrame(`${url}/transaction/ws`)
const lastOfAll: Measure<Shelf> = ({ url, rows }) => firstFrame(`${url}/transaction/ws?after=${rows - 1}`)

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

const opening: Measure<Shelf> = async ({ database }) => {
  const started = Bun.nanoseconds()
  await using house = await openHouse(database)
  await house.app.store.ledger.lastId()
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

/** A server on a copy of the database, which may grow. */
async function openSenders({ database }: Shelf, { cache, executable }: Options): Promise<Senders> {
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
  await using house = await openHouse(database)
  const users = (await house.app.store.users.list()).filter((user) => user.balance > rounds * requests)
  return Promise.all(users.map(async (user) => ({ username: user.username, token: await house.tokenOf(user) })))
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error("there is none")
  return one
}
