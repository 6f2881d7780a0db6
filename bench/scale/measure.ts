import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { SQL } from "bun"
import { type PostgresServer, startPostgres, startStandby } from "../postgresql.ts"
import { median, type Options, processorTimes } from "../report.ts"
import { tickMs } from "../server.ts"
import { createLedger, type Sent } from "./client.ts"

/** What a commit waits for: a disk of this latency (`commit_delay`), or a synchronous standby. */
export const commits = ["0.2 ms", "1 ms", "5 ms", "standby"] as const

export interface Case {
  readonly commit: (typeof commits)[number]
  readonly processes: number
  readonly callers: number
  /** Whether the steps of its batches are measured. Then each batch reads its accounts. */
  readonly isTimed: boolean
}

/** One measurement of a case. */
export interface Measured {
  readonly one: Case
  /** The result of each process. */
  readonly sent: readonly Sent[]
  /** The wait of a commit, measured just before. */
  readonly commitUs: number
  /** The part of the processor time that other programs took during the measurement. */
  readonly others: number
}

const delaysUs = { "0.2 ms": 200, "1 ms": 1000, "5 ms": 5000, standby: 0 }
/** A measurement in which other programs took more is repeated, up to `triesAtMost` in all. */
const othersAtMost = 0.1
const triesAtMost = 2
const processCounts = [1, 2, 3, 4]
const client = new URL("client.ts", import.meta.url).pathname
/** In memory, where a sync costs nothing, so that on every machine a commit waits exactly as long as configured. */
const memory = "/dev/shm"

/** Measures real processes on a real server. Each round has every case once. */
export async function measure({ quick, rounds, seconds }: Options): Promise<Measured[][]> {
  await using open = new AsyncDisposableStack()
  const folder = open.adopt(await mkdtemp(join(memory, "rewards-bench-")), (path) => rm(path, { recursive: true }))
  const primary = open.use(await startPostgres(folder))
  const url = await primary.url("scale")
  await createTables(url)
  open.use(await startStandby(primary, folder))
  const all: Measured[][] = []
  while (all.length < rounds) {
    const round: Measured[] = []
    for (const commit of all.length % 2 === 0 ? commits : commits.toReversed()) {
      await useCommit(primary, commit)
      for (const one of casesOf(commit, quick)) round.push(await calmest(one, primary, url, seconds))
    }
    all.push(round)
  }
  return all
}

function casesOf(commit: Case["commit"], quick: boolean): Case[] {
  const callers = commit !== "1 ms" ? [32, 256] : quick ? [1, 32, 256] : [1, 8, 32, 128, 512]
  const timed = commit === "1 ms" ? callers.map((callers) => ({ commit, processes: 1, callers, isTimed: true })) : []
  const others = processCounts.flatMap((processes) =>
    callers
      .filter((callers) => callers >= processes)
      .map((callers) => ({ commit, processes, callers, isTimed: false })),
  )
  return [...timed, ...others]
}

async function calmest(one: Case, primary: PostgresServer, url: string, seconds: number): Promise<Measured> {
  let best: Measured | undefined
  for (let tries = 0; tries < triesAtMost && (best === undefined || best.others > othersAtMost); tries += 1) {
    const commitUs = await commitWait(url)
    const measured = { one, commitUs, ...(await sendFrom(one, primary, url, seconds)) }
    if (best === undefined || measured.others < best.others) best = measured
  }
  if (!best) throw new Error("nothing was measured")
  return best
}

async function createTables(url: string) {
  await using sql = new SQL(url, { max: 1 })
  await createLedger(url)
  await sql.unsafe("CREATE TABLE commits (one int PRIMARY KEY, number bigint NOT NULL)")
  await sql.unsafe("INSERT INTO commits VALUES (1, 0)")
}

/** Configures what a commit waits for: `commit_delay` before each flush of the log, or the standby. */
async function useCommit(server: PostgresServer, commit: Case["commit"]) {
  await server.run(
    "ALTER SYSTEM SET commit_siblings = 0",
    `ALTER SYSTEM SET commit_delay = ${delaysUs[commit]}`,
    `ALTER SYSTEM SET synchronous_standby_names = '${commit === "standby" ? "standby" : ""}'`,
    "SELECT pg_reload_conf()",
  )
  // Gives every process of PostgreSQL time to read the configuration again.
  await Bun.sleep(200)
}

/** How much longer a commit of one row takes when it waits for disk and standby than when it does not, in µs. */
async function commitWait(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1 })
  const us: Record<"on" | "off", number[]> = { on: [], off: [] }
  for (let round = 0; round < 5; round += 1)
    for (const setting of ["on", "off"] as const) {
      await sql.unsafe(`SET synchronous_commit = ${setting}`)
      for (let number = 0; number < 20; number += 1) {
        const started = Bun.nanoseconds()
        await sql`UPDATE commits SET number = number + 1 WHERE one = 1`
        us[setting].push((Bun.nanoseconds() - started) / 1000)
      }
    }
  return Math.max(0, median(us.on) - median(us.off))
}

/** Client processes that start at the same time. */
async function sendFrom({ processes, callers, isTimed }: Case, primary: PostgresServer, url: string, seconds: number) {
  const children = Array.from({ length: processes }, (_, number) => {
    const share = Math.floor(callers / processes) + (number < callers % processes ? 1 : 0)
    const command = [process.execPath, client, url, `${share}`, `${seconds}`, isTimed ? "timed" : ""]
    return Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
  })
  try {
    const outputs = children.map(({ stdout }) => linesOf(stdout))
    await Promise.all(outputs.map(expectReady))
    const before = { database: primary.cpuMs(), ...processorTimes() }
    for (const { stdin } of children) {
      await stdin.write("go\n")
      await stdin.flush()
    }
    const sent = await Promise.all(outputs.map(resultOf))
    const after = { database: primary.cpuMs(), ...processorTimes() }
    const ownMs = after.database - before.database + sent.reduce((sum, { processUs }) => sum + processUs, 0) / 1000
    const others = after.busy - before.busy - ownMs / tickMs
    return { sent, others: Math.max(0, others / (after.all - before.all)) }
  } finally {
    for (const child of children) {
      child.kill()
      await child.exited
    }
  }
}

async function expectReady(lines: AsyncIterator<string>) {
  if ((await lines.next()).value !== "ready") throw new Error("a client did not start")
}

async function resultOf(lines: AsyncIterator<string>): Promise<Sent> {
  const { value } = await lines.next()
  if (value === undefined) throw new Error("a client ended without a result")
  return JSON.parse(value) as Sent
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stream) {
    const lines = `${text}${decoder.decode(bytes, { stream: true })}`.split("\n")
    text = lines.pop() ?? ""
    yield* lines
  }
  return undefined
}
