import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isSuperuser } from "../src/domain/people/roles.ts"
import { openInProcess, writePeople } from "./company.ts"
import { type Dashboards, openDashboards } from "./dashboards.ts"
import { openLoop } from "./load.ts"
import { residentMiB, type Server, startRewards } from "./server.ts"

/*
 * bun bench/capacity.ts --folder FOLDER [--memory 512] [--dashboards 1000]
 *
 * What one process holds: serves FOLDER/rewards.db, which bench/generate.ts wrote, in a control group with one core and this much
 * memory (MiB, with the page cache), opens dashboards, asks for pages, and sends transfers at rising rates. Prints tables for
 * docs/capacity.md. Needs Linux and root.
 */

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "." },
    memory: { type: "string", default: "512" },
    dashboards: { type: "string", default: "1000" },
    executable: { type: "string", default: "dist/rewards" },
  },
})
const rates = [10, 100, 500, 1000, 2000, 4000, 8000]
const secondsEach = 10
const pages = {
  "/": "the app",
  "/api/v1/feed?size=20": "the feed",
  "/api/v1/notifications": "notifications",
  "/api/v1/transactions?size=50": "the newest transactions",
  "/transaction/?order_by=value&size=50": "the first page by value",
  "/transaction/?order_by=value&page=1000&size=50": "page 1,000 by value",
  "/api/v1/people?q=ana": "a search for people",
  "/api/v1/leaderboard?period=all": "the leaderboard of all time",
  "/api/v1/insights/participation": "insights: participation",
  "/api/v1/insights/outstanding": "insights: points outstanding",
  "/user/?show_balance=true": "all users with balances",
}

using group = confine(Number(values.memory))
const people = join(values.folder, "managers.txt")
const { token, lastId } = await prepare(values.folder, people)

let startedMs = performance.now()
let server = await serve()
const startMs = performance.now() - startedMs
const idleMiB = residentMiB(server.pid)

const pageRows: string[] = []
for (const [path, what] of Object.entries(pages)) {
  const times = await timesOf(path)
  if (times === null) {
    pageRows.push(`| ${what} | more memory is needed | | |`)
    server = await serve()
    continue
  }
  const [first = 0, ...later] = times
  pageRows.push(`| ${what} | ${shownMs(first)} | ${shownMs(medianOf(later))} | ${whole(residentMiB(server.pid))} |`)
}
// What follows is measured in a process that has answered none of them.
await server[Symbol.asyncDispose]()
server = await serve()

startedMs = performance.now()
const port = Number(new URL(server.url).port)
const dashboards = await openDashboards({
  port,
  path: `/transaction/ws?after=${lastId}`,
  count: Number(values.dashboards),
})
const openedMs = performance.now() - startedMs
const openMiB = residentMiB(server.pid)

const rateRows: string[] = []
let sent = 0
for (const perSecond of rates) {
  const { accepted, refused, other, p99Ms, seconds } = await openLoop({
    url: server.url,
    people,
    connections: 256,
    perSecond,
    seconds: secondsEach,
  })
  sent += accepted
  const behindMs = await untilSeen(dashboards, sent)
  rateRows.push(
    `| ${whole(perSecond)} | ${whole(accepted / seconds)} | ${whole(refused / seconds)} | ${shownMs(p99Ms)} | ${shownMs(behindMs)} | ${whole(residentMiB(server.pid))} |`,
  )
  if (other > 0) throw new Error(`${other} transfers were answered neither 201 nor 503`)
  if (accepted / seconds < perSecond * 0.9) break
}
await dashboards[Symbol.asyncDispose]() // before the server, which would close each of them
await server[Symbol.asyncDispose]()

console.log(`Start: ${shownMs(startMs)}, then ${whole(idleMiB)} MiB. ${values.dashboards} dashboards opened in ${shownMs(openedMs)}: ${whole(openMiB)} MiB.
The group used ${whole(group.highestMiB())} MiB at most, page cache included.

| Page | First request | Then (median of 9) | Memory afterwards, MiB |
| --- | --- | --- | --- |
${pageRows.join("\n")}

| Transfers due a second | Accepted | Refused with 503 | 99 % answered within | Last dashboard behind the last answer | Memory, MiB |
| --- | --- | --- | --- | --- | --- |
${rateRows.join("\n")}`)

async function prepare(folder: string, people: string) {
  await using inProcess = await openInProcess(join(folder, "rewards.db"))
  const managers = (await inProcess.app.store.users.list()).filter(isSuperuser)
  await writePeople(people, managers, async (user) => `${await inProcess.tokenOf(user)}\t`)
  const lastId = await inProcess.app.store.ledger.lastId()
  return { token: await inProcess.tokenOf(await inProcess.user("admin")), lastId }
}

async function serve(): Promise<Server> {
  rmSync(join(values.folder, "server.log"), { force: true })
  const started = await startRewards(values.executable, values.folder, { REWARDS_LIMITS__STREAMS: "1000000" })
  group.add(started.pid)
  return started
}

/** Ten answers one after the other; null when the process ended. */
async function timesOf(path: string): Promise<number[] | null> {
  const times: number[] = []
  while (times.length < 10) {
    const from = performance.now()
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } }).catch(() => null)
    if (answer === null) return null
    await answer.arrayBuffer()
    times.push(performance.now() - from)
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
  }
  return times
}

/** How long after now until each dashboard has all frames. */
async function untilSeen(dashboards: Dashboards, frames: number): Promise<number> {
  const from = performance.now()
  const { faults } = await dashboards.seen(frames)
  if (faults.length > 0) throw new Error(faults.slice(0, 3).join("; "))
  return performance.now() - from
}

/** A control group with one core and this much memory, for either version of control groups. */
function confine(memoryMiB: number) {
  const name = `rewards-capacity-${process.pid}`
  const isNew = existsSync("/sys/fs/cgroup/cgroup.controllers")
  const folders = isNew
    ? { cpu: `/sys/fs/cgroup/${name}`, memory: `/sys/fs/cgroup/${name}` }
    : { cpu: `/sys/fs/cgroup/cpu/${name}`, memory: `/sys/fs/cgroup/memory/${name}` }
  for (const folder of new Set(Object.values(folders))) mkdirSync(folder)
  const bytes = `${memoryMiB * 2 ** 20}`
  writeFileSync(join(folders.memory, isNew ? "memory.max" : "memory.limit_in_bytes"), bytes)
  if (isNew) writeFileSync(join(folders.cpu, "cpu.max"), "100000 100000")
  else {
    writeFileSync(join(folders.cpu, "cpu.cfs_period_us"), "100000")
    writeFileSync(join(folders.cpu, "cpu.cfs_quota_us"), "100000")
  }
  return {
    add(pid: number) {
      for (const folder of new Set(Object.values(folders))) writeFileSync(join(folder, "cgroup.procs"), `${pid}`)
    },
    highestMiB: () =>
      Number(readFileSync(join(folders.memory, isNew ? "memory.peak" : "memory.max_usage_in_bytes"), "utf8")) / 2 ** 20,
    [Symbol.dispose]() {
      for (const folder of new Set(Object.values(folders)))
        try {
          rmdirSync(folder)
        } catch {
          // The server is stopped before; a group that is busy goes with the next restart of the machine.
        }
    },
  }
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}

function shownMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en")
}
