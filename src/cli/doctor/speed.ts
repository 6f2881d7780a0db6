import { open, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Finding, ok, warn } from "./finding.ts"

/** Above this, people notice, and one process makes fewer than about 50 commits a second. */
const slowMs = 20
const rounds = 20
/** On a disk that is very slow, fewer rounds must do. */
const patienceMs = 2000
/** One page of the database. */
const bytes = Buffer.alloc(4096)

/** The disk and the clock, replaced by tests. */
interface Disk {
  /** Makes an empty file in this folder that `write` writes and syncs, and `remove` removes. */
  readonly create: (folder: string) => Promise<{ write(): Promise<void>; remove(): Promise<void> }>
  /** In milliseconds, from any moment on. */
  readonly elapsed: () => number
}

/**
 * Measures how long the disk of the database (an absolute path) takes until a write is on it. No finding when nothing
 * can be written there, because the check of the files reports that.
 */
export async function checkSync(database: string, disk: Disk = realDisk): Promise<readonly Finding[]> {
  const folder = dirname(database)
  const times = await syncTimes(folder, disk).catch(() => [])
  if (times.length === 0) return []
  const ms = medianOf(times)
  const found = `a sync of the disk at ${folder} takes ${shown(ms)} (median of ${times.length})`
  if (ms <= slowMs) return [ok("sync", found)]
  return [
    warn(
      "sync",
      `${found}: every transfer, log-in and other change waits that long for its answer`,
      "move the database to a local SSD (db.path); network storage and SD cards are this slow",
    ),
  ]
}

/** What the running server measured when it wrote lines of its log, in milliseconds. */
export function checkLog(times: readonly number[]): Finding {
  const ms = medianOf(times)
  const found = `the server takes ${shown(ms)} to write a line of its log (median of ${times.length})`
  if (ms <= slowMs) return ok("log", found)
  return warn(
    "log",
    `${found}: under load its lines come late, and those that find no room are lost`,
    "look at what reads its standard error: a journal on a slow disk, or a program that reads too slowly",
  )
}

const shown = (ms: number): string => (ms < 0.1 ? "less than 0.1 ms" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`)

async function syncTimes(folder: string, { create, elapsed }: Disk): Promise<readonly number[]> {
  const file = await create(folder)
  try {
    const beganAt = elapsed()
    const times: number[] = []
    while (times.length < rounds && elapsed() - beganAt < patienceMs) {
      const from = elapsed()
      await file.write()
      times.push(elapsed() - from)
    }
    return times
  } finally {
    await file.remove()
  }
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

const realDisk: Disk = {
  async create(folder) {
    const path = join(folder, `.rewards-doctor-${crypto.randomUUID()}`)
    const file = await open(path, "wx", 0o600)
    return {
      async write() {
        await file.write(bytes, 0, bytes.length, 0)
        await file.sync()
      },
      async remove() {
        await file.close()
        await rm(path)
      },
    }
  },
  elapsed: () => performance.now(),
}
