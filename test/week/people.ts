import { type Member, members, password } from "../../src/cli/demo/company.ts"
import { createDice, type Dice } from "../../src/cli/demo/dice.ts"
import { replies } from "../../src/cli/demo/sentences.ts"

/** What somebody did on a working day of eight hours, as in the year of the demo (src/cli/demo/year.ts) and in its app. */
const perDay = {
  /** Of each person: opening the app, with everything that the home screen asks for. */
  visits: 12,
  /** Of each person: another screen. */
  screens: 12,
  /** Of the whole company. */
  recognitions: 20,
  reactions: 6,
  replies: 1.2,
  exports: 2,
}
const dayMs = 8 * 3_600_000

const home = [
  "/",
  "/api/v1/session",
  "/api/v1/me",
  "/api/v1/feed?size=20",
  "/api/v1/notifications",
  "/api/v1/leaderboard",
]
const screens = [
  "/api/v1/people",
  "/api/v1/people/ana-souza",
  "/api/v1/feed?size=50",
  "/api/v1/transactions?size=50",
  "/api/v1/rewards",
  "/api/v1/stats",
  "/api/v1/suggestions",
  "/transaction/?order_by=-value&size=50",
]

/** A request as a client saw it. */
export interface Seen {
  readonly kind: "page" | "read" | "write"
  /** On the clock of `performance`. */
  readonly at: number
  readonly ms: number
  /** 0 without an answer. */
  readonly status: number
}

export interface Traffic {
  readonly seen: readonly Seen[]
  /** Ids of the transfers that were acknowledged. */
  readonly acknowledged: ReadonlySet<number>
  /** Reasons of transfers whose outcome nobody knows. */
  readonly unknown: ReadonlySet<string>
  /** What the open tabs missed, or got twice. Read after `end`. */
  readonly wrongStreams: () => readonly string[]
  /** One transfer of a superuser, repeated until there is an answer or the time is over. */
  pulse(): Promise<boolean>
  /** Ends all traffic, and resolves once it has. */
  end(): Promise<void>
}

const patienceMs = 5000

/** The people of the demo at work, at `speed` times their pace. `url` may lead through a network that breaks. */
export async function startTraffic(url: string, speed: number): Promise<Traffic> {
  const dice = createDice(7)
  const seen: Seen[] = []
  const acknowledged = new Set<number>()
  const unknown = new Set<string>()
  const tokens = new Map<string, string>()
  const tabs: Tab[] = []
  let isOver = false
  let count = 0

  for (const { username } of members) await logIn(username)
  const present = members.filter(({ username }) => tokens.has(username)) // the others left during the year
  seen.length = 0
  for (const { username } of present) tabs.push(openTab(url, () => tokens.get(username) ?? ""))

  const every = (perDay: number) => dayMs / speed / perDay
  const loops = [
    ...present.flatMap((member) => [
      repeat(every(perDay.visits), () => visit(member)),
      repeat(every(perDay.screens), () => read(member, dice.pick(screens))),
    ]),
    repeat(every(perDay.recognitions), () => give(dice.pick(present), dice.pick(present), dice)),
    repeat(every(perDay.reactions), () => react(dice.pick(present))),
    repeat(every(perDay.replies), () => reply(dice.pick(present))),
    repeat(every(perDay.exports), () => read(superuser, "/api/v1/transactions.csv")),
  ]

  return {
    seen,
    acknowledged,
    unknown,
    wrongStreams: () => tabs.flatMap(({ wrong }) => wrong(acknowledged)),
    pulse: () => transfer(superuser, "ana-souza", 1),
    async end() {
      isOver = true
      await Promise.all(loops)
      // Tabs get what they missed before they close.
      const newest = Math.max(0, ...acknowledged)
      const late = performance.now() + 60_000
      while (tabs.some(({ through }) => through() < newest) && performance.now() < late) await Bun.sleep(50)
      for (const tab of tabs) tab.close()
    },
  }

  async function repeat(pauseMs: number, act: () => Promise<unknown>) {
    let wakeAt = performance.now() + (pauseMs * dice.below(1000)) / 1000
    while (!isOver) {
      if (performance.now() < wakeAt) {
        await Bun.sleep(Math.min(100, wakeAt - performance.now()))
        continue
      }
      wakeAt += pauseMs * (0.5 + dice.below(1000) / 1000)
      await act()
    }
  }

  async function logIn(username: string) {
    const body = new URLSearchParams({ username, password })
    const answer = await send("write", "/token", { method: "POST", body })
    if (answer?.status === 200) tokens.set(username, ((await answer.json()) as { access_token: string }).access_token)
  }

  /** Null without an answer. */
  async function send(kind: Seen["kind"], path: string, init: RequestInit = {}): Promise<Response | null> {
    const at = performance.now()
    try {
      const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(patienceMs) })
      const copy = new Response(await answer.arrayBuffer(), { status: answer.status })
      seen.push({ kind, at, ms: performance.now() - at, status: answer.status })
      return copy
    } catch {
      seen.push({ kind, at, ms: performance.now() - at, status: 0 })
      return null
    }
  }

  /** As a person: an expired token is renewed. */
  async function as({ username }: Pick<Member, "username">, kind: Seen["kind"], path: string, init: RequestInit = {}) {
    const ask = () => {
      const headers = { ...init.headers, authorization: `Bearer ${tokens.get(username)}` }
      return send(kind, path, { ...init, headers })
    }
    const answer = await ask()
    if (answer?.status !== 401) return answer
    seen.pop()
    await logIn(username)
    return ask()
  }

  function read(member: Pick<Member, "username">, path: string) {
    return as(member, path === "/" ? "page" : "read", path)
  }

  async function visit(member: Member) {
    await Promise.all(home.map((path) => read(member, path)))
  }

  /** Repeated with its key until it is known whether it was stored. */
  async function transfer({ username }: Pick<Member, "username">, to: string, value: number): Promise<boolean> {
    const reason = `week ${++count}`
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": reason },
      body: JSON.stringify({ to, value, reason }),
    }
    unknown.add(reason)
    for (let isFirst = true; ; isFirst = false) {
      const answer = await as({ username }, "write", "/api/v1/transactions", init)
      if (answer !== null && answer.status < 500) {
        unknown.delete(reason)
        if (answer.status === 201) acknowledged.add(((await answer.json()) as { id: number }).id)
        return isFirst
      }
      if (isOver) return false
      await Bun.sleep(250)
    }
  }

  async function give(sender: Member, receiver: Member, dice: Dice) {
    if (sender !== receiver) await transfer(sender, receiver.username, 1 + dice.below(5))
  }

  async function react(member: Member) {
    const id = dice.pick([...acknowledged, 0])
    if (id > 0)
      await as(member, "write", `/api/v1/recognitions/${id}/reactions/${encodeURIComponent("🎉")}`, { method: "PUT" })
  }

  async function reply(member: Member) {
    const id = dice.pick([...acknowledged, 0])
    if (id === 0) return
    await as(member, "write", `/api/v1/recognitions/${id}/replies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: dice.pick(replies) }),
    })
  }
}

const superuser = { username: "carla-mendes" }

interface Tab {
  readonly through: () => number
  readonly wrong: (expected: ReadonlySet<number>) => readonly string[]
  close(): void
}

/** A tab of the app: it watches the feed, and opens the stream again from where it was whenever it breaks. */
function openTab(url: string, token: () => string): Tab {
  const got = new Set<number>()
  const wrong: string[] = []
  let through = 0
  let first = Number.POSITIVE_INFINITY
  let isClosed = false
  let heardAt = performance.now()
  let socket = open()
  // A connection that is silent for longer than ten seconds is dead.
  const timer = setInterval(() => {
    if (performance.now() - heardAt > 15_000) socket.close()
  }, 1000)

  return {
    through: () => through,
    wrong: (expected) => [
      ...wrong,
      ...[...expected].filter((id) => id > first && id <= through && !got.has(id)).map((id) => `a tab missed ${id}`),
    ],
    close() {
      isClosed = true
      clearInterval(timer)
      socket.close()
    },
  }

  function open(): WebSocket {
    const after = through > 0 ? `?after=${through}` : ""
    const opened: WebSocket = Reflect.construct(WebSocket, [
      `${url.replace("http", "ws")}/api/v1/stream${after}`,
      { headers: { authorization: `Bearer ${token()}` } },
    ])
    heardAt = performance.now()
    opened.addEventListener("message", ({ data }) => {
      heardAt = performance.now()
      const message = JSON.parse(String(data)) as { readonly id?: number; readonly through?: number }
      if (message.id !== undefined) {
        if (got.has(message.id)) wrong.push(`a tab got ${message.id} twice`)
        got.add(message.id)
        through = Math.max(through, message.id)
        first = Math.min(first, message.id)
      } else if (message.through !== undefined) {
        through = Math.max(through, message.through)
        first = Math.min(first, message.through)
      }
    })
    opened.addEventListener("error", () => {})
    opened.addEventListener("close", () => {
      if (!isClosed)
        setTimeout(() => {
          if (!isClosed) socket = open()
        }, 500)
    })
    return opened
  }
}
