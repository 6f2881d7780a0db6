import { Database } from "bun:sqlite"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { database } from "./databases.ts"
import { password } from "./generate.ts"
import type { Figure, Options, Report } from "./report.ts"
import { freePort, newFolder, rewardsEnvironment } from "./server.ts"

/** Transactions in the measured database, which has 10,000 people. */
const rows = 1_000_000
/** Nothing may hold the event loop for longer. */
const atMost = 50
const patienceMs = 300_000

/** Requests that read much: who asks, and for what. */
const requests = [
  ["admin", "/user/?show_balance=true"],
  ["admin", "/transaction/?size=100"],
  ["admin", "/transaction/?size=100&page=5000"],
  ["admin", "/transaction/?size=100&page=5000&order_by=value"],
  ["admin", "/transaction/?size=100&page=5000&order_by=user"],
  ["busy", "/transaction/busy/?size=100&page=50&order_by=-value"],
  ["admin", "/api/v1/transactions?text=nobody+wrote+this"],
  ["admin", "/api/v1/transactions.csv"],
  ["admin", "/api/v1/users.csv"],
  ["admin", "/api/v1/users/busy/data"],
  ["busy", "/api/v1/me"],
  ["busy", "/api/v1/people?q=a"],
  ["busy", "/api/v1/feed"],
  ["busy", "/api/v1/feed?text=nobody+wrote+this"],
  ["busy", "/api/v1/leaderboard?period=all"],
  ["busy", "/api/v1/stats"],
  ["busy", "/api/v1/suggestions"],
  ["busy", "/api/v1/notifications"],
  ["admin", "/api/v1/insights/participation?from=2025-01-02&to=2026-01-02"],
  ["admin", "/api/v1/insights/departments?from=2025-01-02&to=2026-01-02"],
  ["admin", "/api/v1/insights/overlooked?from=2025-01-02&to=2026-01-02"],
  ["admin", "/api/v1/departments"],
  ["admin", "/api/v1/events?limit=1000"],
  ["admin", "/api/v1/health"],
] as const

/**
 * For each request that reads much, and for the work that a server does by itself: for how long at most something held
 * the event loop meanwhile.
 */
export async function responsiveness(options: Options): Promise<Report> {
  await using folder = await newFolder(options.cache)
  const path = join(folder.path, "rewards.db")
  await copyFile(await database(rows, options.cache), path)
  using client = new Database(path)
  client.run("PRAGMA busy_timeout = 60000")
  plant(client)
  const figures: Figure[] = []
  await using server = await startWatched(folder.path)
  const measure = async (name: string, act: () => Promise<unknown>, times = 1) => {
    const rounds: number[] = []
    for (let round = 0; round < times; round += 1) {
      await server.longestMs()
      await act()
      await Bun.sleep(20)
      rounds.push(await server.longestMs())
    }
    figures.push({ name, rounds, unit: " ms", target: { atMost } })
  }

  await server.untilAlive()
  await measure("200,000 sessions and 1,000,000 audit entries expire, 1,000,000 events are recorded", () =>
    until(() => expired(client) === 0 && unrecorded(client) === 0),
  )
  const tokens = { admin: await server.tokenOf("admin"), busy: await server.tokenOf("busy") }
  for (const [viewer, request] of requests) {
    const ask = async () => {
      const headers = { authorization: `Bearer ${tokens[viewer]}` }
      const response = await fetch(server.url + request, { headers })
      await response.arrayBuffer()
      if (!response.ok) console.error(`${request} was answered ${response.status}`)
    }
    await measure(`${request}, the first time`, ask)
    await measure(request, ask, options.rounds)
  }
  if (options.quick) return { figures }
  client.run("UPDATE job_progress SET reached = '2020-01-06 done' WHERE work IN ('day', 'week')")
  await measure("weekly digests to 10,000 people", () => until(() => undone(client) === 0))
  return { figures }
}

/** What has expired, for the first clean-up. */
function plant(client: Database) {
  const many = (to: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`
  client.run(
    `${many(1_000_000)} INSERT INTO audit (at, action, who, way, count) SELECT i, 'login', 'busy', 'http', 1 FROM n`,
  )
  client.run(
    `${many(200_000)} INSERT INTO sessions (id_hash, username, expires_at, opened_at) SELECT 'session ' || i, 'busy', 1, 1 FROM n`,
  )
}

const expired = (client: Database) =>
  count(client, "SELECT (SELECT count(*) FROM audit WHERE at < 2000000) + (SELECT count(*) FROM sessions) AS count")

const unrecorded = (client: Database) =>
  count(client, "SELECT ledger_state.last_id - last_transaction AS count FROM event_state, ledger_state")

const undone = (client: Database) =>
  count(
    client,
    `SELECT (SELECT count(*) FROM job_progress WHERE work = 'week' AND (reached NOT LIKE '% done' OR reached < '2021'))
       + (SELECT count(*) FROM jobs WHERE finished_at IS NULL) AS count`,
  )

const count = (client: Database, sql: string): number => client.query<{ count: number }, []>(sql).get()?.count ?? 0

async function until(condition: () => boolean | Promise<boolean>) {
  for (const deadline = performance.now() + patienceMs; !(await condition()); await Bun.sleep(100))
    if (performance.now() > deadline) throw new Error(`still waiting after ${patienceMs} ms: ${condition}`)
}

async function startWatched(folder: string) {
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  let answer: (ms: number) => void = () => {}
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "watched.ts"), "serve"], {
    cwd: folder,
    env: {
      ...process.env,
      ...rewardsEnvironment,
      REWARDS_SERVER__PORT: `${port}`,
      REWARDS_AUDIT__KEEP_DAYS: "30",
      REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
    },
    stdio: ["ignore", "ignore", Bun.file(join(folder, "server.log"))],
    ipc: (ms) => answer(Number(ms)),
  })
  return {
    url,
    /** Since the last call. */
    longestMs(): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<number>()
      answer = resolve
      child.send("longest?")
      return promise
    },
    untilAlive: () => until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok ?? false),
    async tokenOf(username: string): Promise<string> {
      const body = new URLSearchParams({ username, password })
      const answer = (await (await fetch(`${url}/token`, { method: "POST", body })).json()) as { access_token: string }
      return answer.access_token
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}
