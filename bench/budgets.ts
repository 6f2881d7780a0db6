import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import { createCompany, peopleFiles } from "./company.ts"
import { database, serveDatabase, sizesOf } from "./databases.ts"
import { connect, type HttpConnection } from "./http.ts"
import { type Load, load } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import {
  compiled,
  cpuMs,
  freePort,
  idlePercent,
  newFolder,
  residentMiB,
  rewardsEnvironment,
  type Server,
  start,
  startRewards,
} from "./server.ts"

const [startAtMostMs, memoryAtMostMb, idlePercentAtMost] = [70, 80, 1]

/** From the start until memory and processor time are measured: a start checks the default password of admin first. */
const settleMs = 1500

/** The costs of an idle server: start, memory, processor time, size. */
export async function budgets(options: Options): Promise<Report> {
  const bare = await compiled("bare", options.cache)
  const sizes = [sizeOf("size of the executable", options.executable), sizeOf("the same of a bare server", bare)]
  return { figures: [...(await starts(options, bare)), ...(await idling(options, bare)), ...sizes] }
}

async function starts(options: Options, bare: string): Promise<Figure[]> {
  const { cache, executable, quick } = options
  const rows = Math.max(...sizesOf(options))
  const long = { REWARDS_DB__PATH: await database(rows, cache) }
  await using folder = await newFolder(cache)
  const first = await startToFirstAnswer(executable, folder.path)
  const ms = await interleaved(quick ? 5 : 15, ["ours", "bare", "long"], (side) => {
    if (side === "bare") return startToFirstAnswer(bare, folder.path)
    return startToFirstAnswer(executable, folder.path, side === "long" ? long : {})
  })
  const unit = " ms"
  const target = { atMost: startAtMostMs }
  return [
    { name: "start to first answer", rounds: ms.ours, unit, target },
    { name: `the same with ${rows.toLocaleString("en")} rows`, rounds: ms.long, unit, target },
    { name: "the same of a bare server", rounds: ms.bare, unit },
    { name: "very first start: admin's password is hashed", rounds: [first], unit },
  ]
}

async function idling(options: Options, bare: string): Promise<Figure[]> {
  const { cache, executable, rounds, quick } = options
  const { ours, other } = await interleaved(quick ? 1 : rounds, ["ours", "other"], async (side) => {
    await using folder = await newFolder(cache)
    const { path } = folder
    await using server = await (side === "ours"
      ? startRewards(executable, path)
      : start({ executable: bare, folder: path }))
    await Bun.sleep(settleMs)
    const memoryMb = (residentMiB(server.pid) * 2 ** 20) / 1e6
    return { memoryMb, processor: await idlePercent(server.pid, quick ? 2 : 5) }
  })
  const memory = (side: typeof ours) => ({ rounds: side.map(({ memoryMb }) => memoryMb), unit: " MB" })
  return [
    { name: "idle memory", ...memory(ours), target: { atMost: memoryAtMostMb } },
    { name: "the same of a bare server", ...memory(other) },
    {
      name: "idle processor time, no stream open",
      rounds: ours.map(({ processor }) => processor),
      unit: " %",
      target: { atMost: idlePercentAtMost },
    },
  ]
}

const sizeOf = (name: string, executable: string): Figure => ({
  name,
  rounds: [statSync(executable).size / 1e6],
  unit: " MB",
})

const connections = 32

/** Processor time for each request, over all threads, compared with the framework alone, which answers a constant. */
export async function effort(options: Options): Promise<Report> {
  await using folder = await newFolder(options.cache)
  await using otherFolder = await newFolder(options.cache)
  const peopleFile = await createCompany(folder.path)
  await using served = await serveDatabase(Math.max(...sizesOf(options)), options)
  const page = join(folder.path, "page.json")
  await Bun.write(page, (await served.ask("admin", { path: "/transaction/" })).body)
  const executable = await compiled("baseline", options.cache)
  await using baseline = await start({ executable, folder: otherFolder.path, env: { PAGE: page } })
  await using ours = await startRewards(options.executable, folder.path)
  const { members } = await peopleFiles(served.database, otherFolder.path)

  const compared = async (name: string, server: Subject, wanted: Wanted): Promise<Figure> => {
    const us = await interleaved(1 + (options.quick ? 1 : options.rounds), ["ours", "other"], (side) =>
      cpuUs(side === "ours" ? server : baseline, options.seconds, wanted),
    )
    // The first round is a warm-up.
    const [own, other] = [us.ours.slice(1), us.other.slice(1)]
    return ratio(name, { rounds: own, unit: " µs" }, { rounds: other, unit: " µs" })
  }
  return {
    figures: [
      await compared("processor time for a transfer", ours, { what: "transfers", credential: "bearer", peopleFile }),
      { name: "memory after those transfers", rounds: [residentMiB(ours.pid)], unit: " MiB" },
      await compared("processor time for a page of 50", served, {
        what: "pages",
        credential: "bearer",
        peopleFile: members,
        pages: 2,
      }),
    ],
  }
}

type Subject = Pick<Server, "url" | "pid">
type Wanted = Omit<Load, "url" | "connections" | "seconds">

async function cpuUs({ url, pid }: Subject, seconds: number, wanted: Wanted): Promise<number> {
  const before = cpuMs(pid)
  const { requests } = await load({ url, connections, seconds, ...wanted })
  return ((cpuMs(pid) - before) * 1000) / requests
}

const patienceMs = 20_000

/** Milliseconds from the start of the program to the end of its first answer; then the program is stopped. */
export async function startToFirstAnswer(executable: string, folder: string, env: Record<string, string> = {}) {
  const port = freePort()
  const started = performance.now()
  const child = Bun.spawn([resolve(executable), "serve"], {
    cwd: folder,
    env: { ...rewardsEnvironment, REWARDS_SERVER__PORT: `${port}`, ...env },
    stdio: ["ignore", "ignore", "ignore"],
  })
  try {
    const connection = await connectSoon(`http://127.0.0.1:${port}`, started)
    await connection.request({ path: "/user/admin/" })
    connection.close()
    return performance.now() - started
  } finally {
    child.kill()
    await child.exited
  }
}

async function connectSoon(url: string, started: number): Promise<HttpConnection> {
  for (;;) {
    try {
      return await connect(url)
    } catch (error) {
      if (performance.now() - started > patienceMs) throw error
      await Bun.sleep(0.5)
    }
  }
}
