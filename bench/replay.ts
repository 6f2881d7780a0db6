import { cp } from "node:fs/promises"
import { join } from "node:path"
import { compile } from "../build.ts"
import { isSuperuser } from "../src/domain/people/roles.ts"
import { openInProcess, writePeople } from "./company.ts"
import { database } from "./databases.ts"
import { readFrames } from "./frame-reader.ts"
import { openLoop } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio, type Side } from "./report.ts"
import { cpuMs, newFolder, residentMiB, type Server, start, startRewards } from "./server.ts"

const rows = 1_000_000
const pageSize = 1000

/** Greatest slowdown of transfers during replays. */
const slownessAtMost = 2
const senders = { connections: 20, perSecond: 100 }

/**
 * The history of 1,000,000 transactions to a new dashboard, compared with a bare server that has the frames in memory.
 */
export async function replay(options: Options): Promise<Report> {
  const { cache, executable, rounds } = options
  await using open = new AsyncDisposableStack()
  const [ourFolder, otherFolder] = [open.use(await newFolder(cache)), open.use(await newFolder(cache))]
  await cp(await database(rows, cache), join(ourFolder.path, "rewards.db"))
  const people = join(ourFolder.path, "people.txt")
  const frames = join(otherFolder.path, "frames.txt")
  await readDatabase(join(ourFolder.path, "rewards.db"), { people, frames })
  const ours = open.use(await startRewards(executable, ourFolder.path))
  const other = open.use(await startBare(otherFolder.path, frames))

  const readOurs = () => replayFrom(ours, "/transaction/ws")
  const readOther = () => replayFrom(other, "/")
  await readOurs()
  await readOther()
  const memory = [residentMiB(ours.pid)]
  const replays = await interleaved(rounds, ["ours", "other"], async (side) => {
    const measured = await (side === "ours" ? readOurs() : readOther())
    memory.push(residentMiB(ours.pid))
    return measured
  })
  return {
    figures: [
      ratio("replay of 1,000,000", rates(replays.ours), rates(replays.other)),
      ratio("processor time of the server for it", efforts(replays.ours), efforts(replays.other)),
      {
        name: "memory that further replays add",
        rounds: [Math.max(...memory) - (memory[0] ?? 0)],
        unit: " MiB",
      },
      await slowness(ours, people, readOurs, options),
    ],
  }
}

interface Replay {
  readonly perSecond: number
  /** Processor time of the server for one frame. */
  readonly us: number
}

async function replayFrom(server: Server, path: string): Promise<Replay> {
  const before = cpuMs(server.pid)
  const perSecond = await readFrames(server, path, rows)
  return { perSecond, us: ((cpuMs(server.pid) - before) * 1000) / rows }
}

const rates = (replays: readonly Replay[]): Side => ({ rounds: replays.map(({ perSecond }) => perSecond), unit: "/s" })
const efforts = (replays: readonly Replay[]): Side => ({ rounds: replays.map(({ us }) => us), unit: " µs" })

/** Writes the users who may send whatever their balance is, and all frames of the stream, one on each line. */
async function readDatabase(path: string, files: { readonly people: string; readonly frames: string }) {
  await using inProcess = await openInProcess(path)
  const { users, ledger } = inProcess.app.store
  await writePeople(files.people, (await users.list()).filter(isSuperuser), inProcess.tokenOf)
  const writer = Bun.file(files.frames).writer()
  for (
    let page = await ledger.after(0, pageSize);
    page.length > 0;
    page = await ledger.after(page.at(-1)?.id ?? 0, pageSize)
  )
    for (const { receiverName, senderName, value } of page)
      writer.write(`${JSON.stringify({ to: receiverName, from: senderName, value })}\n`)
  await writer.end()
}

async function startBare(folder: string, frames: string): Promise<Server> {
  const executable = join(folder, "bare-stream")
  await compile(join(import.meta.dir, "bare-stream.ts"), executable)
  return start({ executable, folder, env: { FRAMES: frames } })
}

/** Transfers while one replay follows the other, compared with transfers without replays. */
async function slowness(
  server: Server,
  people: string,
  replay: () => Promise<unknown>,
  { rounds, quick }: Options,
): Promise<Figure> {
  const seconds = quick ? 2 : 4
  const transfers = async () => (await openLoop({ url: server.url, people, seconds, ...senders })).p99Ms
  const { beside, quiet } = await interleaved(quick ? 1 : rounds, ["quiet", "beside"], async (which) => {
    if (which === "quiet") return transfers()
    let sending = true
    const replays = (async () => {
      while (sending) await replay()
    })()
    const p99Ms = await transfers()
    sending = false
    await replays
    return p99Ms
  })
  const ms = (rounds: readonly number[]) => ({ rounds, unit: " ms" })
  return ratio("99th percentile of transfers beside replays", ms(beside), ms(quiet), { atMost: slownessAtMost })
}
