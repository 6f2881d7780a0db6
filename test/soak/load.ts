import { bearer, type Company, type Member } from "../durability/company.ts"
import { type Client, createClient } from "../support/client.ts"
import { runCommand, type StartedServer } from "../support/executable.ts"

export interface Load {
  /** How many times each kind of work was done. */
  readonly done: Readonly<Record<string, number>>
  /** Every unexpected answer. */
  readonly faults: readonly string[]
}

/** Work that some users repeat, and how long each user pauses in between. */
interface Work {
  readonly restMs: number
  readonly people: number
  /** Resolves with the status. Any status that is not in `expected` is a fault. */
  readonly act: () => Promise<number>
  readonly expected: readonly number[]
}

/** Runs all kinds of work of users and operators at the same time, until `stop` aborts. */
export async function loadUntil(stop: AbortSignal, server: StartedServer, company: Company): Promise<Load> {
  const done: Record<string, number> = {}
  const faults: string[] = []

  const keepDoing = async (what: string, { restMs, act, expected }: Work) => {
    while (!stop.aborted) {
      const status = await act()
      done[what] = (done[what] ?? 0) + 1
      if (!expected.includes(status)) faults.push(`${what} was answered ${status}`)
      await Bun.sleep(restMs * (0.5 + Math.random()))
    }
  }
  await Promise.all(
    Object.entries(worksOf(server, company)).flatMap(([what, work]) =>
      Array.from({ length: work.people }, () => keepDoing(what, work)),
    ),
  )
  return { done, faults }
}

function worksOf({ url, cwd }: StartedServer, { members, admin }: Company): Record<string, Work> {
  const as = (member: Member): Client => createClient(url, bearer(member))
  const anybody = createClient(url)
  const status = async (answering: Promise<{ status: number }>) => (await answering).status
  const login = { username: "member-1", password: "a password of everybody" }

  return {
    transfers: {
      people: 16,
      restMs: 30,
      act: () => status(as(one(members)).post(`/transaction/${one(members).username}/`, { value: upTo(5) })),
      expected: [201, 400],
    },
    histories: {
      people: 4,
      restMs: 40,
      act: () =>
        status(as(one(members)).get(`/transaction/?order_by=${one(orders)}&page=${upTo(50)}&size=${upTo(100)}`)),
      expected: [200],
    },
    lists: { people: 2, restMs: 100, act: () => status(as(admin).get("/user/?show_balance=true")), expected: [200] },
    profiles: {
      people: 1,
      restMs: 200,
      act: () => status(as(admin).patch(`/user/${one(members).username}/`, { bio: "x".repeat(upTo(2000)) })),
      expected: [200],
    },
    logins: { people: 1, restMs: 1000, act: () => status(anybody.submit("/token", login)), expected: [200] },
    sessions: { people: 1, restMs: 1000, act: () => status(anybody.submit("/login", login)), expected: [200] },
    "wrong logins": {
      people: 1,
      restMs: 1000,
      act: () => status(anybody.submit("/token", { username: `nobody-${upTo(1000)}`, password: "x" })),
      expected: [401, 429],
    },
    mails: {
      people: 1,
      restMs: 1000,
      act: () => status(anybody.post("/user/pwd_reset_token/", { email: `${one(members).username}@example.com` })),
      expected: [200],
    },
    refusals: { people: 2, restMs: 50, act: () => status(anybody.post("/user/", { name: "x" })), expected: [401] },
    "watched streams": { people: 10, restMs: 300, act: () => watch(url), expected: [1000] },
    commands: {
      people: 1,
      restMs: 2000,
      act: async () => (await runCommand(["transaction", one(members).username, "1"], { cwd })).status,
      expected: [0],
    },
  }
}

const orders = ["date", "-date", "value", "-value", "user", "-from_user"]

/** Opens a stream for a while; resolves with the code with which it was closed. */
function watch(url: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const socket = new WebSocket(`${url.replace("http", "ws")}/transaction/ws?after=1`)
  socket.onclose = ({ code }) => resolve(code)
  socket.onopen = () => setTimeout(() => socket.close(1000), upTo(1000))
  return promise
}

const upTo = (most: number): number => 1 + Math.floor(Math.random() * most)

function one<T>(all: readonly T[]): T {
  const chosen = all[upTo(all.length) - 1]
  if (chosen === undefined) throw new Error("there is none")
  return chosen
}
