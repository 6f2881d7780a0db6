import { resolve } from "node:path"
import { createCompany } from "./company.ts"
import { load, type Outcome, openLoop, rates, slowest } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import { newFolder, rewardsEnvironment, type Server, startRewards } from "./server.ts"

/** A company that is busy all day: a steady rate of transfers, for long enough that deliveries could fall behind. */
const crowd = { connections: 64, perSecond: 100 }
const crowdSeconds = { quick: 5, whole: 20 }
const closedLoops = [32, 128]
/** A delivery counts as late after this time. */
const lateMs = 5000
/** How long deliveries may take after the last transfer before they count as lost. */
const drainMs = 60_000

/** Transfers on a server with two webhooks and a Slack channel, compared with the same server without them. */
export async function connected({ cache, executable, rounds, seconds, quick }: Options): Promise<Report> {
  await using open = new AsyncDisposableStack()
  const receivers = startReceivers()
  open.defer(() => receivers.stop())
  const sides = {
    connected: open.use(await startSide(executable, cache, receivers)),
    alone: open.use(await startSide(executable, cache, null)),
  }
  type Which = keyof typeof sides
  const both = ["connected", "alone"] as const
  const target = (which: Which) => ({ url: sides[which].url, peopleFile: sides[which].people })
  for (const which of both) await load({ ...target(which), ...transfers, connections: 32, seconds: 1 })
  await receivers.quiet()

  const open100 = await interleaved(quick ? 1 : 3, both, async (which) => {
    if (which === "connected") receivers.begin()
    const { url, peopleFile: people } = target(which)
    const outcome = await openLoop({ url, people, seconds: quick ? crowdSeconds.quick : crowdSeconds.whole, ...crowd })
    if (which === "connected") await receivers.end(outcome.accepted)
    return outcome
  })
  const figures = [
    ratio("99th percentile at 100 transfers a second", p99(open100.connected), p99(open100.alone), { atMost: 2 }),
    count("accepted, of those due", open100.connected, ({ accepted, due }) => accepted / due, { atLeast: 0.999 }),
    count("refused", open100.connected, ({ refused, other }) => refused + other, { atMost: 0 }),
    { name: "deliveries to two webhooks and Slack", rounds: receivers.rounds.map(({ delivered }) => delivered) },
    { name: "lost", rounds: receivers.rounds.map(({ lost }) => lost), target: { atMost: 0 } },
    { name: `later than ${lateMs / 1000} s`, rounds: receivers.rounds.map(({ late }) => late), target: { atMost: 0 } },
    { name: "latest delivery", rounds: receivers.rounds.map(({ latestMs }) => latestMs), unit: " ms" },
  ] satisfies Figure[]

  for (const connections of closedLoops) {
    const measured = await interleaved(rounds, both, (which) =>
      load({ ...target(which), ...transfers, connections, seconds }),
    )
    figures.push(
      ratio(`transfers, ${connections} connections`, rates(measured.connected), rates(measured.alone)),
      ratio(`99th percentile, ${connections} connections`, slowest(measured.connected), slowest(measured.alone)),
    )
  }
  return { figures }
}

const transfers = { what: "transfers", credential: "bearer" } as const

const p99 = (outcomes: readonly Outcome[]) => ({ rounds: outcomes.map(({ p99Ms }) => p99Ms), unit: " ms" })

const count = (
  name: string,
  outcomes: readonly Outcome[],
  of: (outcome: Outcome) => number,
  target: Figure["target"],
) => ({ name, rounds: outcomes.map(of), ...(target && { target }) })

interface Side extends Server {
  readonly people: string
}

async function startSide(executable: string, cache: string, receivers: Receivers | null): Promise<Side> {
  await using open = new AsyncDisposableStack()
  const folder = open.use(await newFolder(cache))
  const people = await createCompany(folder.path)
  const env = receivers === null ? {} : receivers.settings
  for (const url of receivers?.webhooks ?? []) await addWebhook(resolve(executable), folder.path, url, env)
  const server = open.use(await startRewards(executable, folder.path, env))
  const opened = open.move()
  return { url: server.url, pid: server.pid, people, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function addWebhook(executable: string, cwd: string, url: string, env: Record<string, string>) {
  const args = [executable, "webhook", "add", url, "--event", "transaction.created"]
  const child = Bun.spawn(args, { cwd, env: { ...rewardsEnvironment, ...env }, stderr: "pipe" })
  const faults = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`the webhook was not added: ${faults}`)
}

interface Round {
  readonly delivered: number
  readonly lost: number
  readonly late: number
  readonly latestMs: number
}

type Receivers = ReturnType<typeof startReceivers>

/** The receivers of deliveries, over HTTP, because the cost of TLS at both ends would fall on the same cores. */
function startReceivers() {
  const rounds: Round[] = []
  let lastAt = performance.now()
  let current = newRound()
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text()
      lastAt = performance.now()
      const { pathname } = new URL(request.url)
      if (pathname === "/slack") current.messages += 1
      else note(pathname === "/one" ? current.one : current.two, request.headers.get("webhook-id") ?? "", body)
      return new Response("ok")
    },
  })

  function note(ids: Set<string>, id: string, body: string) {
    const { timestamp, data } = JSON.parse(body) as Delivered // the server under measurement wrote it
    // Slack gets only recognitions. Points that people send to themselves are none.
    if (ids === current.one && !ids.has(id) && data.from.username !== data.to.username) current.recognitions += 1
    ids.add(id)
    const lagMs = Date.now() - Date.parse(timestamp)
    current.latestMs = Math.max(current.latestMs, lagMs)
    if (lagMs > lateMs) current.late += 1
  }

  /** At least 0, because transfers on their way when the load ended were delivered but not counted as accepted. */
  const lostOf = (transfers: number) =>
    Math.max(0, transfers - current.one.size) +
    Math.max(0, transfers - current.two.size) +
    Math.max(0, current.recognitions - current.messages)

  return {
    webhooks: ["/one", "/two"].map((path) => `${server.url.origin}${path}`),
    settings: {
      REWARDS_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.0/8",
      REWARDS_WEBHOOKS__PORTS: `${server.port}`,
      REWARDS_SLACK__WEBHOOK_URL: `${server.url.origin}/slack`,
    },
    rounds,
    begin() {
      current = newRound()
    },
    /** Resolves when no delivery has arrived for three seconds. */
    async quiet() {
      while (performance.now() - lastAt < 3000) await Bun.sleep(50)
    },
    /** Waits for the deliveries of this number of transfers, and adds the result to `rounds`. */
    async end(transfers: number) {
      const deadline = performance.now() + drainMs
      while (lostOf(transfers) > 0 && performance.now() < deadline) await Bun.sleep(50)
      const { one, two, messages, late, latestMs } = current
      rounds.push({ delivered: one.size + two.size + messages, lost: lostOf(transfers), late, latestMs })
    },
    stop: () => server.stop(true),
  }
}

interface Delivered {
  readonly timestamp: string
  readonly data: { readonly from: { readonly username: string }; readonly to: { readonly username: string } }
}

const newRound = () => ({
  /** The ids of events, by webhook. */
  one: new Set<string>(),
  two: new Set<string>(),
  recognitions: 0,
  messages: 0,
  late: 0,
  latestMs: 0,
})
