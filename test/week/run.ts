import { Database } from "bun:sqlite"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fillDemo } from "../../src/cli/demo/fill.ts"
import { wholeYear } from "../../src/cli/demo/year.ts"
import { buildShim, type Disk } from "../disk/shim.ts"
import { readLedger } from "../durability/ledger.ts"
import { folderOnDisk, secret } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts"
import { until } from "../support/until.ts"
import { type Seen, startTraffic } from "./people.ts"
import { keepServing, memoryOf, type Supervised } from "./supervisor.ts"

export interface Sample {
  readonly at: number
  /** In MiB, as the next two. */
  readonly memory: number
  readonly wal: number
  readonly database: number
  readonly descriptors: number
}

/** Something that was played in, on the clock of the run in milliseconds. */
export interface Incident {
  readonly what: string
  readonly from: number
  /** When it was over. */
  readonly to: number
  /** How long after its end until writes were acknowledged at once again. */
  readonly recoveryMs: number
  /** How many requests were made during it and until the recovery, and how many of them got no answer or a 5xx. */
  readonly requests: number
  readonly failed: number
}

export interface Week {
  readonly minutes: number
  readonly speed: number
  readonly samples: readonly Sample[]
  readonly incidents: readonly Incident[]
  /** Requests outside of incidents. */
  readonly calm: readonly Seen[]
  readonly requests: number
  readonly acknowledged: number
  readonly starts: number
  readonly errors: readonly string[]
  /** What must not be. */
  readonly faults: readonly string[]
}

interface Machine {
  readonly server: Supervised
  readonly disk: Disk
  readonly network: TcpProxy
}

interface Play {
  readonly what: string
  readonly begin: (machine: Machine) => void
  readonly end: (machine: Machine) => void
}

const nothing = () => {}
const hourMs = 3_600_000
const fullDisk = { kind: "write", error: "ENOSPC", first: 1, lasting: true, torn: false } as const

/** In this order, again and again. What has an end lasts for a third of the time until the next. */
const plays: readonly Play[] = [
  { what: "the process is killed", begin: ({ server }) => server.kill(), end: nothing },
  { what: "each sync takes 200 ms more", begin: ({ disk }) => disk.slow(200), end: ({ disk }) => disk.slow(0) },
  { what: "the disk is full", begin: ({ disk }) => disk.fail(fullDisk), end: ({ disk }) => disk.mend() },
  {
    what: "the clock jumps 3 h ahead, and back",
    begin: ({ disk }) => disk.setClock(3 * hourMs),
    end: ({ disk }) => disk.setClock(0),
  },
  {
    what: "the network loses everything",
    begin: ({ network }) => network.stall(),
    end: ({ network }) => reconnect(network),
  },
  {
    what: "the clock jumps 1 h back, and on",
    begin: ({ disk }) => disk.setClock(-hourMs),
    end: ({ disk }) => disk.setClock(0),
  },
  {
    what: "the network refuses connections",
    begin: ({ network }) => network.refuse(),
    end: ({ network }) => network.restore(),
  },
]

function reconnect(network: TcpProxy) {
  network.restore()
  network.cut()
}

interface Options {
  readonly minutes: number
  readonly speed: number
  /** How many incidents are played in. */
  readonly incidents: number
  readonly tell?: (line: string) => void
}

/** Runs the executable with the demo's company for this time, plays incidents into it, and looks at what stays. */
export async function week({ minutes, speed, incidents: wanted, tell = () => {} }: Options): Promise<Week> {
  await using folder = await folderOnDisk()
  const cwd = folder.path
  const database = join(cwd, "rewards.db")
  await fillDemo({ database, scale: wholeYear, until: Date.now() })
  const shim = await buildShim(cwd)
  using disk = shim.disk(database, join(cwd, "control"))
  const port = freePort()
  const server = keepServing({
    cwd,
    port,
    env: {
      ...disk.env,
      REWARDS_SECURITY__SECRET_KEY: secret,
      REWARDS_SECURITY__BCRYPT_COST: "10",
      REWARDS_BACKUP__EVERY_HOURS: "1",
      REWARDS_BACKUP__KEEP: "3",
      REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
    },
  })
  await using network = await startTcpProxy({ host: "127.0.0.1", port })
  const url = `http://127.0.0.1:${network.port}`
  try {
    await until(() => answers(url))
    const traffic = await startTraffic(url, speed)
    const begun = performance.now()
    const totalMs = minutes * 60_000
    const gapMs = totalMs / (wanted + 1)
    const samples: Sample[] = []
    const incidents: Incident[] = []
    const machine = { server, disk, network }
    const now = () => performance.now() - begun

    const sampling = (async () => {
      while (now() < totalMs) {
        const sample = sampleOf(server.pid(), cwd, now())
        if (sample !== null) samples.push(sample)
        await Bun.sleep(Math.min(2000, totalMs / 60))
      }
    })()
    const pulsing = (async () => {
      while (now() < totalMs) {
        await traffic.pulse()
        await Bun.sleep(1000)
      }
    })()
    for (let index = 0; index < wanted; index += 1) {
      await Bun.sleep(Math.max(0, gapMs * (index + 1) - now()))
      const play = plays[index % plays.length]
      if (play !== undefined) incidents.push(await played(play))
      tell(`${(now() / 60_000).toFixed(1)} min: ${JSON.stringify(incidents.at(-1))}`)
    }
    await Bun.sleep(Math.max(0, totalMs - now()))
    await Promise.all([sampling, pulsing])
    await traffic.end()
    const status = await server.stop()

    const during = ({ at }: Seen) =>
      incidents.some(({ from, to, recoveryMs }) => within(at - begun, from, to + recoveryMs))
    const calm = traffic.seen.filter((seen) => !during(seen)).map((seen) => ({ ...seen, at: seen.at - begun }))
    return {
      minutes,
      speed,
      samples,
      incidents,
      calm,
      requests: traffic.seen.length,
      acknowledged: traffic.acknowledged.size,
      starts: server.starts(),
      errors: server.errors,
      faults: [
        ...calm
          .filter(({ status }) => !expected.has(status))
          .map(({ kind, status, at }) => `at ${at.toFixed(0)} ms a ${kind} was answered ${status}`),
        ...traffic.wrongStreams(),
        ...lostIn(database, traffic.acknowledged),
        ...readLedger(database).faults,
        ...(status === 0 ? [] : [`it ended with status ${status}`]),
      ],
    }

    async function played({ what, begin, end }: Play): Promise<Incident> {
      const from = now()
      begin(machine)
      if (end !== nothing) await Bun.sleep(gapMs / 3)
      end(machine)
      const to = now()
      await until(() => traffic.pulse())
      const recoveryMs = now() - to
      const during = traffic.seen.filter(({ at }) => within(at - begun, from, to + recoveryMs))
      return { what, from, to, recoveryMs, requests: during.length, failed: during.filter(isFailed).length }
    }
  } finally {
    await server.stop()
  }
}

/** A request may begin shortly before an incident and meet it. */
const marginMs = 6000
const within = (at: number, from: number, to: number): boolean => at >= from - marginMs && at <= to + marginMs

export const isFailed = ({ status }: Seen): boolean => status === 0 || status >= 500

/** What these requests may be answered: somebody may have no points left. */
const expected: ReadonlySet<number> = new Set([200, 201, 204, 400])

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null)
  return answer?.status === 200
}

/** Null between two processes. */
function sampleOf(pid: number, cwd: string, at: number): Sample | null {
  const memory = memoryOf(pid)
  if (memory === null) return null
  const mebibytes = (name: string) => {
    const path = join(cwd, name)
    return existsSync(path) ? statSync(path).size / 2 ** 20 : 0
  }
  try {
    const descriptors = readdirSync(`/proc/${pid}/fd`).length
    return { at, memory, descriptors, wal: mebibytes("rewards.db-wal"), database: mebibytes("rewards.db") }
  } catch {
    return null
  }
}

/** Acknowledged transfers that are not in the file, and transfers that were stored twice. */
function lostIn(path: string, acknowledged: ReadonlySet<number>): string[] {
  using database = new Database(path, { readonly: true })
  const stored = new Set(
    database
      .query<{ id: number }, []>("SELECT id FROM transactions")
      .all()
      .map(({ id }) => id),
  )
  const twice = database
    .query<{ reason: string }, []>(
      "SELECT reason FROM notes WHERE reason LIKE 'week %' GROUP BY reason HAVING count(*) > 1",
    )
    .all()
  return [
    ...[...acknowledged].filter((id) => !stored.has(id)).map((id) => `transaction ${id} was acknowledged and is lost`),
    ...twice.map(({ reason }) => `${reason} was stored twice`),
  ]
}
