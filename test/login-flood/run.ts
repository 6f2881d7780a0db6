import { createClient } from "../support/client.ts"
import { bearer, logIn } from "../support/credentials.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"

/** The rate of the other requests, all together. */
const othersPerSecond = 150
const attemptsPerSecond = 400

export interface Flood {
  /** Latency of the other requests, in each round. */
  readonly quietP99Ms: readonly number[]
  readonly floodP99Ms: readonly number[]
  /** Attempts by the status that they were answered with. */
  readonly attempts: Readonly<Record<number, number>>
  readonly faults: readonly string[]
}

export interface Size {
  readonly rounds: number
  /** The length of one round. */
  readonly ms: number
  /** The cost of a hash: the setting `security.bcrypt_cost`. */
  readonly cost: number
}

/**
 * In each round, other clients read, list and send: first alone, then while somebody tries passwords from a thousand
 * addresses at hundreds of accounts, far more than the server can hash.
 */
export async function flood({ rounds, ms, cost }: Size): Promise<Flood> {
  const env = {
    REWARDS_SERVER__TRUSTED_PROXIES: "127.0.0.1",
    REWARDS_SECURITY__BCRYPT_COST: String(cost),
    REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
  }
  await using folder = await temporaryFolder()
  await runCommand(["create-user", "Ana", "ana@example.com", "ana's", "management"], { cwd: folder.path })
  await using server = await startServer({ cwd: folder.path, env })
  const token = (await logIn(server.url, "ana", "ana's")).access_token
  const outcome = { quietP99Ms: [] as number[], floodP99Ms: [] as number[], attempts: {}, faults: [] as string[] }

  await others(server, token, Math.min(ms, 1000), [])
  for (let round = 0; round < rounds; round += 1) {
    outcome.quietP99Ms.push(await others(server, token, ms, outcome.faults))
    const stop = new AbortController()
    const flooding = attempts(server, stop.signal, outcome)
    await Bun.sleep(500) // until the queue is full
    outcome.floodP99Ms.push(await others(server, token, ms, outcome.faults))
    stop.abort()
    await flooding
  }
  return outcome
}

/** Sends requests at a steady rate, without waiting for earlier ones. Returns the 99th percentile of their latency. */
async function others({ url }: StartedServer, token: string, ms: number, faults: string[]): Promise<number> {
  const { request } = createClient(url, bearer(token))
  const asks = [
    () => request("GET", "/user/ana/?show_balance=true"),
    () => request("GET", "/transaction/?size=20&order_by=-date"),
    () => request("POST", "/transaction/admin/", { json: { value: 1 } }),
  ]
  const tookMs: number[] = []
  await atRate(
    othersPerSecond,
    (due) => due < ms,
    async (index, since) => {
      const response = await asks[index % asks.length]?.()
      if (!response?.ok) faults.push(`another request was answered ${response?.status}`)
      await response?.bytes()
      tookMs.push(since())
    },
  )
  return tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0
}

async function attempts(
  { url }: StartedServer,
  signal: AbortSignal,
  { attempts, faults }: Pick<Flood, "attempts"> & { faults: string[] },
) {
  const counts: Record<number, number> = attempts
  const { request } = createClient(url)
  await atRate(
    attemptsPerSecond,
    () => !signal.aborted,
    async (index) => {
      const response = await request("POST", "/token", {
        form: { username: index % 3 === 0 ? "ana" : `somebody-${index % 500}`, password: `guess ${index}` },
        headers: { "x-forwarded-for": `10.0.${index % 4}.${index % 250}` },
      })
      await response.bytes()
      const mayRetry = response.status === 401 || Number(response.headers.get("retry-after")) > 0
      if (![401, 429, 503].includes(response.status) || !mayRetry)
        faults.push(`an attempt was answered ${response.status}`)
      counts[response.status] = (counts[response.status] ?? 0) + 1
    },
  )
}

/**
 * Starts `act` at this rate while `goesOn` returns true, then waits for all of them; `since` is the time since it was
 * due.
 */
async function atRate(
  perSecond: number,
  goesOn: (elapsedMs: number) => boolean,
  act: (index: number, since: () => number) => Promise<void>,
) {
  const startedMs = performance.now()
  const acts: Promise<void>[] = []
  const elapsedMs = () => performance.now() - startedMs
  while (goesOn(elapsedMs())) {
    for (const until = (elapsedMs() * perSecond) / 1000; acts.length < until; ) {
      const dueMs = startedMs + (acts.length * 1000) / perSecond
      acts.push(act(acts.length, () => performance.now() - dueMs))
    }
    await Bun.sleep(1)
  }
  await Promise.all(acts)
}
