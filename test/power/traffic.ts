import { closeSync, openSync, readSync } from "node:fs"
import { bearer, type Company, type Member } from "../durability/company.ts"
import { type Client, createClient } from "../support/client.ts"
import { until } from "../support/until.ts"
import type { KnownTransaction } from "./facts.ts"
import { createRandom, oneOf, type Random } from "./random.ts"
import type { Recording } from "./recorder.ts"

type Members = Pick<Company, "members" | "admin">

interface TrafficOptions extends Members {
  /** Of the processes on the database. */
  readonly urls: readonly string[]
  readonly database: string
  readonly recording: Pick<Recording, "add">
  readonly seed: number
  /** How often the WAL is to begin anew meanwhile. */
  readonly restarts: number
}

const senders = 16
const readers = 3
const pointsEach = 1_000_000_000

/** Sends, changes and reads until the WAL has begun anew so often, and adds each answer to the recording as it arrives. */
export async function makeTraffic(options: TrafficOptions) {
  const { urls, admin, database, restarts, seed } = options
  const traffic = createTraffic(options)
  const [url = ""] = urls
  await created(createClient(url, bearer(admin)).post("/api/v1/grants", { value: pointsEach, depts: ["sales"] }))
  const stop = new AbortController()
  const repeat = async (act: () => Promise<void>) => {
    while (!stop.signal.aborted) await act()
  }
  const dashboards = urls.map(traffic.watch)
  const acts = [
    ...Array.from({ length: senders }, (_, index) => traffic.sender(index, createRandom(seed + index))),
    ...Array.from({ length: readers }, (_, index) => traffic.reader(createRandom(seed + senders + index))),
  ]
  const first = walSalt(database)
  const working = Promise.all(acts.map(repeat))
  try {
    await Promise.race([until(() => (walSalt(database) - first) >>> 0 >= restarts), working])
  } finally {
    stop.abort()
    await working.finally(() => {
      for (const dashboard of dashboards) dashboard.close()
    })
  }
}

/** Sends a few transfers, whose values no traffic reaches. */
export async function sendSome({
  urls,
  members,
  admin,
  recording,
}: Omit<TrafficOptions, "database" | "seed" | "restarts">) {
  for (let value = 900_000; value < 900_020; value += 1) {
    const url = urls[value % urls.length] ?? ""
    const transfer = { to: members[1 + (value % (members.length - 1))]?.username, value }
    const { id } = await created(
      createClient(url, bearer(admin)).post<{ id: number }>("/api/v1/transactions", transfer),
    )
    recording.add({ kind: "acknowledged", transactions: [{ id, value }] })
  }
}

function createTraffic({ urls, members, admin, recording }: TrafficOptions) {
  /** Each transfer has a value of its own. */
  let value = 1_000
  const as = (random: Random, member: Member): Client => createClient(oneOf(random, urls), bearer(member))
  const acknowledge = (...transactions: KnownTransaction[]) => recording.add({ kind: "acknowledged", transactions })
  const show = (transactions: readonly KnownTransaction[]) => recording.add({ kind: "shown", transactions })

  return {
    /** Of one member, who counts up in the bio if no other sender does. */
    sender(index: number, random: Random) {
      const regular = members.slice(1)
      const sender = regular[index % regular.length] ?? admin
      const receivers = members.filter(({ username }) => username !== sender.username)
      let counter = 0
      let keys = 0

      return async () => {
        value += 1
        const transfer = { to: oneOf(random, receivers).username, value }
        const chance = random()
        const client = as(random, sender)
        if (chance < 0.1 && index < regular.length) {
          counter += 1
          await done(client.patch("/api/v1/me", { bio: String(counter) }))
          recording.add({ kind: "counters", isShown: false, counters: { [sender.username]: counter } })
        } else if (chance < 0.12) {
          const usernames = receivers.slice(0, 5).map(({ username }) => username)
          const grant = { value: transfer.value, usernames }
          const { ids } = await created(as(random, admin).post<{ ids: number[] }>("/api/v1/grants", grant))
          acknowledge(...ids.map((id) => ({ id, value: transfer.value })))
        } else if (chance < 0.2) {
          await created(client.post(`/transaction/${transfer.to}/`, { value: transfer.value }))
          acknowledge({ value: transfer.value })
        } else if (chance < 0.3) {
          keys += 1
          const headers = { "idempotency-key": `${index} ${keys}` }
          const keyed = { json: transfer, headers }
          for (const again of [client, as(random, sender)]) {
            const { id } = await created(again.call<{ id: number }>("POST", "/api/v1/transactions", keyed))
            acknowledge({ id, value: transfer.value })
          }
        } else {
          const { id } = await created(client.post<{ id: number }>("/api/v1/transactions", transfer))
          acknowledge({ id, value: transfer.value })
        }
      }
    },

    reader(random: Random) {
      const reads = [
        async (client: Client) => {
          const { items } = await done(client.get<{ items: Listed[] }>("/api/v1/transactions?size=5"))
          show(items.map(({ id, value }) => ({ id, value })))
        },
        async (client: Client) => {
          const { items } = await done(client.get<{ items: Listed[] }>("/api/v1/feed?size=5"))
          show(items.map(({ id, value }) => ({ id, value })))
        },
        async (client: Client) => {
          // Ids have no gaps.
          const { total } = await done(client.get<{ total: number }>("/transaction/?size=1"))
          show([{ id: total }])
        },
        async (client: Client) => {
          const users = await done(client.get<ListedUser[]>("/user/?show_balance=true"))
          const balances = Object.fromEntries(users.map(({ username, balance }) => [username, balance]))
          recording.add({ kind: "balances", balances })
          const counting = users.filter(({ bio }) => bio !== null)
          const counters = Object.fromEntries(counting.map(({ username, bio }) => [username, Number(bio)]))
          recording.add({ kind: "counters", isShown: true, counters })
        },
      ]
      return async () => {
        await oneOf(random, reads)(as(random, admin))
        await Bun.sleep(1)
      }
    },

    /** A dashboard, which is sent every transaction, in the order of the ids and without them. */
    watch(url: string): WebSocket {
      const socket = new WebSocket(`${url.replace("http", "ws")}/transaction/ws`)
      let frames = 0
      socket.onmessage = ({ data }) => {
        frames += 1
        show([{ id: frames, value: JSON.parse(String(data)).value }])
      }
      return socket
    },
  }
}

interface Listed {
  readonly id: number
  readonly value: number
}

interface ListedUser {
  readonly username: string
  readonly balance: number
  readonly bio: string | null
}

interface Answered<T> {
  readonly status: number
  readonly body: T
}

const created = <T>(answering: Promise<Answered<T>>) => bodyOf(201, answering)
const done = <T>(answering: Promise<Answered<T>>) => bodyOf(200, answering)

async function bodyOf<T>(status: number, answering: Promise<Answered<T>>): Promise<T> {
  const answer = await answering
  if (answer.status !== status) throw new Error(`expected ${status}, got ${JSON.stringify(answer)}`)
  return answer.body
}

/** A number that grows by one when the WAL begins anew: https://sqlite.org/fileformat.html, "Salt-1" in the header of a WAL. */
function walSalt(database: string): number {
  const file = openSync(`${database}-wal`, "r")
  try {
    const header = Buffer.alloc(20)
    readSync(file, header, 0, header.length, 0)
    return header.readUInt32BE(16)
  } finally {
    closeSync(file)
  }
}
