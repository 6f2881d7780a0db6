import { Database } from "bun:sqlite"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { framesBetween } from "../../src/storage/sqlite/database/runner.ts"
import { foundCompany, settings } from "../durability/company.ts"
import { startProcess, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"
import { createDisk, type Kept } from "./disk.ts"
import { faultsOf, read } from "./image.ts"
import { createKnowledge } from "./knowledge.ts"
import type { Entry } from "./log.ts"
import { createRandom, numberBelow, oneOf, type Random } from "./random.ts"
import { openRecording } from "./recorder.ts"
import { makeTraffic, sendSome } from "./traffic.ts"

export interface PowerReport {
  readonly processes: number
  /** How many transactions clients were told and shown, and how many records the log has. */
  readonly acknowledged: number
  readonly shown: number
  readonly records: number
  readonly images: number
  /** Images that lack something, with the first things that are wrong. */
  readonly losses: readonly Loss[]
  /** Answers that were wrong while the server ran. */
  readonly impossible: readonly string[]
  /**
   * How often the main thread of a serving process synced. With several processes it may, when another one has just written
   * the whole WAL back.
   */
  readonly syncsOnMain: number
  /** Pages that earlier checkpoints had written back without a sync, when one failed. */
  readonly partlyWrittenBack: number
}

interface Loss {
  /** The record before which the power was cut. */
  readonly cut: number
  readonly kept: Kept
  readonly faults: readonly string[]
}

interface RoundOptions {
  /** recorder.c, compiled. */
  readonly library: string
  readonly processes: number
  readonly cuts: number
  readonly seed: number
  /** How often the WAL begins anew under load. */
  readonly restarts: number
  /** The end of the name of a file. Its first sync under load fails, once, and the power is cut after that. */
  readonly failing?: (typeof failingFiles)[number]
}

/** The database file, which checkpoints sync, and the WAL, which commits sync. */
export const failingFiles = ["", "-wal"] as const

/** Slow enough that much happens while a sync runs. */
const syncUs = 3_000

/**
 * Records what processes on one new database do to its files under load, cuts the power at random places of the recording,
 * and compares what each cut leaves with what clients knew by then.
 */
export async function runRound({ cuts, ...options }: RoundOptions): Promise<PowerReport> {
  await using folder = await temporaryFolder()
  const database = join(folder.path, "rewards.db")
  const entries = await record({ ...options, cwd: folder.path, database })
  const { transactions, faults } = read(database)
  if (faults.length > 0) throw new Error(`nothing was cut, and yet: ${faults}`)
  const { processes, failing } = options
  const from = failing === undefined ? 0 : entries.findIndex(hasFailed)
  return {
    processes,
    ...(await cut(entries, { random: createRandom(options.seed), cuts, from, transactions, folder: folder.path })),
  }
}

interface RecordOptions extends Omit<RoundOptions, "cuts"> {
  readonly cwd: string
  readonly database: string
}

async function record(options: RecordOptions): Promise<Entry[]> {
  const { library, processes, seed, restarts, failing, cwd, database } = options

  using recording = openRecording({ library, database, log: join(cwd, "log"), syncUs })
  await using servers = new AsyncDisposableStack()
  const start = async () => {
    const server = servers.use(await startProcess({ cwd, config: settings, env: recording.env }))
    recording.add({ kind: "serving", process: server.pid })
    return server
  }
  const first = await start()
  const company = await foundCompany(first.url)
  const serving = [first]
  if (failing !== undefined) {
    // After a start the WAL is short: what a failed sync drops is in no earlier commit.
    await first.stop()
    serving[0] = await start()
  }
  while (serving.length < processes) serving.push(await start())
  const urls = serving.map(({ url }) => url)
  if (failing !== undefined) recording.failOnce(`${database}${failing}`)
  const traffic = makeTraffic({ ...company, urls, database, recording, seed, restarts })
  if (failing === undefined) await traffic
  else {
    const reading = failing === "" ? readOldState(database) : undefined
    await traffic.catch(() => {}) // a request that a process does not answer, because it ends itself
    await reading
    const failed = await Promise.race(serving.map((server) => server.process.exited.then(() => server)))
    if (failed.process.exitCode !== 1)
      throw new Error(`it ended with ${failed.process.exitCode}: ${failed.stderr.at(-1)}`)
    serving.splice(serving.indexOf(failed), 1)
    if (serving.length === 0) serving.push(await start())
    await sendSome({ ...company, urls: serving.map(({ url }) => url), recording })
  }
  recording.add({ kind: "stopping" })
  for (const server of serving) await server.stop()
  return recording.entries()
}

/** Keeps the first checkpoint from writing all of the WAL back, so that it writes pages without a sync. */
async function readOldState(database: string) {
  await until(() => framesIn(database) >= framesBetween - 1000)
  using client = new Database(database, { readonly: true })
  client.run("BEGIN")
  client.query("SELECT count(*) FROM users").get()
  await until(() => framesIn(database) >= framesBetween + 500)
}

/** Pages of 4 KiB in the WAL, each with its header. */
const framesIn = (database: string): number => Math.floor(statSync(`${database}-wal`).size / (4096 + 24))

interface CutOptions {
  readonly random: Random
  readonly cuts: number
  /** Nothing is cut before this record. */
  readonly from: number
  readonly transactions: Parameters<typeof createKnowledge>[0]
  readonly folder: string
}

async function cut(entries: readonly Entry[], { random, cuts, from, transactions, folder }: CutOptions) {
  const disk = createDisk()
  const knowledge = createKnowledge(transactions)
  const losses: Loss[] = []
  const places = Map.groupBy(placesOf(entries, { cuts, from, random }), (place) => place)

  for (const [place, entry] of entries.entries()) {
    for (const _ of places.get(place) ?? []) {
      const image = disk.image(random)
      const faults = await faultsOf(image, knowledge)
      if (faults.length > 0) losses.push({ cut: place, kept: image.kept, faults: faults.slice(0, 3) })
    }
    if (entry.kind === "fact") knowledge.add(entry.fact)
    else disk.apply(entry)
  }
  refuseIncomplete(disk.files(), folder)
  return {
    ...knowledge.size(),
    records: entries.length,
    images: cuts,
    losses,
    impossible: knowledge.impossible(),
    syncsOnMain: syncsOnMain(entries),
    partlyWrittenBack: partlyWrittenBack(entries),
  }
}

/** Half of the cuts are anywhere, and half right after an answer; after a failed sync, right after a page was written back. */
function placesOf(entries: readonly Entry[], { cuts, from, random }: Pick<CutOptions, "cuts" | "from" | "random">) {
  const isAim = (entry: Entry | undefined) =>
    from === 0 ? entry?.kind === "fact" : entry?.kind === "write" && entry.name === "rewards.db"
  const aims = [...entries.keys()].filter((place) => place > from && isAim(entries[place - 1]))
  return Array.from({ length: cuts }, (_, index) =>
    index % 2 === 0 ? from + numberBelow(random, entries.length - from) : oneOf(random, aims),
  )
}

/** @throws when the recording does not lead to the files as they are: then it lacks something */
function refuseIncomplete(files: ReadonlyMap<string, Uint8Array>, folder: string) {
  const names = readdirSync(folder).filter((name) => name.startsWith("rewards.db") && !name.endsWith("-shm"))
  for (const name of new Set([...names, ...files.keys()]))
    if (!names.includes(name) || !readFileSync(join(folder, name)).equals(files.get(name) ?? new Uint8Array()))
      throw new Error(`the recording does not lead to ${name} as it is`)
}

function syncsOnMain(entries: readonly Entry[]): number {
  const serving = new Set<number>()
  return entries.filter((entry) => {
    if (entry.kind === "fact" && entry.fact.kind === "serving") serving.add(entry.fact.process)
    if (entry.kind === "fact" && entry.fact.kind === "stopping") serving.clear()
    return entry.kind === "sync begins" && entry.isOnMain && serving.has(entry.process)
  }).length
}

const hasFailed = (entry: Entry): boolean => entry.kind === "sync ends" && entry.hasFailed

/** A checkpoint syncs the WAL before it writes pages to the database. */
function partlyWrittenBack(entries: readonly Entry[]): number {
  const failed = entries.find(hasFailed)
  if (failed?.kind !== "sync ends") return 0
  const before = entries.slice(0, entries.indexOf(failed))
  const isSync = (entry: Entry, name: string) => entry.kind === "sync ends" && entry.name === name && !entry.hasFailed
  const begun = before.findLastIndex(
    (entry) => isSync(entry, "rewards.db-wal") && "thread" in entry && entry.thread === failed.thread,
  )
  const synced = before.findLastIndex((entry) => isSync(entry, "rewards.db"))
  return before.slice(synced, begun).filter((entry) => entry.kind === "write" && entry.name === "rewards.db").length
}
