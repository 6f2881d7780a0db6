import { Database } from "bun:sqlite"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { buildShim } from "../test/disk/shim.ts"
import { database } from "./databases.ts"
import { password } from "./generate.ts"
import { type Figure, median, type Options, type Report, ratio } from "./report.ts"
import { newFolder, type Server, startRewards } from "./server.ts"

/** Transactions in the measured database, which has 10,000 people. */
const rows = { full: 1_000_000, quick: 100_000 }
/** One of this many transactions has a reason. */
const reasonEvery = 10
/** Between two requests of the same person, who waits for the answer first. */
const pauseMs = 100
const warmUpMs = 3000

/** How much longer others may wait than while it is quiet, at the median. */
const mostTimes = 3
const longestTransferMs = 3000
const longestPageMs = 50

/** A slow disk, and who writes to it. */
const slow = { syncMs: 20, senders: 16, seconds: 10, pauseMs: 5, mostReadMs: 10 }

/** Who is served meanwhile. The passwords of strangers are guesses. */
const environment = { REWARDS_LIMITS__LOGIN_FAILURES: "1000000", REWARDS_LIMITS__WRITES_PER_MINUTE: "0" }

/** What others wait while one party does as much as it can. */
export async function fairness(options: Options): Promise<Report> {
  await using folder = await newFolder(options.cache)
  const path = join(folder.path, "rewards.db")
  await copyFile(await database(options.quick ? rows.quick : rows.full, options.cache), path)
  const [member = "", leaver = ""] = plant(path)
  await using server = await startRewards(options.executable, folder.path, environment)
  const tokens = { admin: await tokenOf(server, "admin"), busy: await tokenOf(server, "busy") }
  const others: Others = {
    "/me": () => ask(server, tokens.admin, "GET", "/api/v1/me"),
    transfers: () => ask(server, tokens.admin, "POST", `/transaction/${member}/`, { value: 1 }),
    "first pages": () => ask(server, tokens.admin, "GET", "/transaction/?size=50"),
  }
  await waits(others, Bun.sleep(warmUpMs))

  const figures: Figure[] = []
  for (const [what, act] of Object.entries({
    "four strangers who guess passwords": () => crowd(4, (number) => guess(server, `nobody-${number}`)),
    "64 searches of one member": () =>
      crowd(64, () => ask(server, tokens.busy, "GET", "/api/v1/transactions?q=nobody+wrote+this")),
  })) {
    const [quiet, loaded]: [Waits[], Waits[]] = [[], []]
    for (let round = 0; round < options.rounds; round += 1) {
      quiet.push(await waits(others, Bun.sleep(options.seconds * 1000)))
      await using _ = act()
      loaded.push(await waits(others, Bun.sleep(options.seconds * 1000)))
    }
    for (const name of Object.keys(others))
      figures.push(ratio(`${name} beside ${what}`, side(loaded, name), side(quiet, name), { atMost: mostTimes }))
  }

  const reports = ["participation", "departments", "overlooked"].map((report) => `/api/v1/insights/${report}?${year}`)
  const beside = await waits(others, Promise.all(reports.map((report) => ask(server, tokens.admin, "GET", report))))
  figures.push({
    name: "longest wait for a page beside three reports",
    rounds: [Math.max(...(beside["first pages"] ?? [Number.NaN]))],
    unit: " ms",
    target: { atMost: longestPageMs },
  })

  using reader = new Database(path, { readonly: true })
  reader.run("BEGIN")
  reader.query("SELECT count(*) FROM users").get()
  const erased = await waits(others, erase(server, tokens.admin, leaver))
  reader.run("COMMIT")
  figures.push({
    name: "longest wait for a transfer beside an erasure and a process that reads",
    rounds: [Math.max(...(erased.transfers ?? [Number.NaN]))],
    unit: " ms",
    target: { atMost: longestTransferMs },
  })
  figures.push(...(await besideSlowSyncs(options)))
  return { figures }
}

/** What reads wait while everybody who sends points waits for the disk. */
async function besideSlowSyncs({ quick, cache, executable }: Options): Promise<Figure[]> {
  await using folder = await newFolder(cache)
  const path = join(folder.path, "rewards.db")
  await copyFile(await database(quick ? rows.quick : rows.full, cache), path)
  const [member = ""] = plant(path)
  using disk = (await buildShim(folder.path)).disk(path, join(folder.path, "control"))
  await using server = await startRewards(executable, folder.path, { ...environment, ...disk.env })
  const token = await tokenOf(server, "admin")
  const readers: Others = {
    "/me": () => ask(server, token, "GET", "/api/v1/me"),
    "first pages": () => ask(server, token, "GET", "/transaction/?size=50"),
  }
  await waits(readers, Bun.sleep(warmUpMs))
  disk.slow(slow.syncMs)
  await using _ = crowd(slow.senders, () => ask(server, token, "POST", `/transaction/${member}/`, { value: 1 }))
  const measured = await waits(readers, Bun.sleep(slow.seconds * 1000), slow.pauseMs)
  return Object.entries(measured).map(([name, times]) => ({
    name: `99th percentile of ${name} beside ${slow.senders} senders and syncs of ${slow.syncMs} ms`,
    rounds: [times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN],
    unit: " ms",
    target: { atMost: slow.mostReadMs },
  }))
}

const year = "from=2025-01-02&to=2026-01-02"

/** Gives transactions reasons, so that there is something to search in. Returns the usernames of two members. */
function plant(path: string): string[] {
  using client = new Database(path)
  const guard = "notes_come_with_their_transaction"
  const trigger = client.query<{ sql: string }, [string]>("SELECT sql FROM sqlite_schema WHERE name = ?").get(guard)
  client.run(`DROP TRIGGER ${guard}`)
  client.run(`INSERT INTO notes (transaction_id, salt, reason, tags, private)
    SELECT id, randomblob(16), 'For the help with number ' || id, '', 0 FROM transactions WHERE id % ${reasonEvery} = 0`)
  client.run(trigger?.sql ?? "")
  client.run("PRAGMA wal_checkpoint(TRUNCATE)")
  return client
    .query<{ username: string }, []>("SELECT username FROM users WHERE dept <> 'management' ORDER BY id DESC LIMIT 2")
    .all()
    .map(({ username }) => username)
}

type Others = Readonly<Record<string, () => Promise<void>>>
/** How long each request took, in milliseconds, by its kind. */
type Waits = Readonly<Record<string, readonly number[]>>

/** Others ask one thing after another until this has ended, at least once. */
async function waits(others: Others, ended: Promise<unknown>, pause = pauseMs): Promise<Waits> {
  let isRunning = true
  const stop = ended.finally(() => {
    isRunning = false
  })
  const measured = Object.entries(others).map(async ([name, act]) => {
    const times: number[] = []
    do {
      const started = performance.now()
      await act()
      times.push(performance.now() - started)
      await Bun.sleep(pause)
    } while (isRunning)
    return [name, times] as const
  })
  await stop
  return Object.fromEntries(await Promise.all(measured))
}

const side = (rounds: readonly Waits[], name: string) => ({
  rounds: rounds.map((waits) => median(waits[name] ?? [])),
  unit: " ms",
})

/** So many callers repeat a request until the end of the scope. */
function crowd(size: number, act: (number: number) => Promise<void>): AsyncDisposable {
  let isRunning = true
  const callers = Array.from({ length: size }, async (_, number) => {
    while (isRunning) await act(number)
  })
  return {
    async [Symbol.asyncDispose]() {
      isRunning = false
      await Promise.all(callers)
    },
  }
}

async function guess({ url }: Server, username: string) {
  const body = new URLSearchParams({ username, password: "a guess" })
  await (await fetch(`${url}/token`, { method: "POST", body })).arrayBuffer()
}

async function tokenOf({ url }: Server, username: string): Promise<string> {
  const body = new URLSearchParams({ username, password })
  const answer = (await (await fetch(`${url}/token`, { method: "POST", body })).json()) as { access_token: string }
  return answer.access_token
}

/** Whoever asks too much may be refused, but nobody else. */
async function ask({ url }: Server, token: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  if (!response.ok && response.status !== 429) throw new Error(`${method} ${path} was answered ${response.status}`)
}

async function erase(server: Server, token: string, username: string) {
  await ask(server, token, "PATCH", `/api/v1/users/${username}`, { active: false })
  await ask(server, token, "POST", `/api/v1/users/${username}/erasure`, { reasons: "all" })
}
