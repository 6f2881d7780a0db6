import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import type { Clock } from "../domain/store.ts"
import type { Vitals } from "../domain/vitals.ts"
import { type Check, nameOf } from "./readiness.ts"

/** A worker that looked for jobs within this time is alive; it looks every second. */
const workerPatienceMs = 30_000
const megabyte = 1_000_000

/** A write that reaches the disk. */
export const databaseIsWritable =
  ({ prove }: Pick<Vitals, "prove">): Check =>
  () =>
    prove().then(
      () => ({ ok: true, reason: "takes writes" }),
      (error) => ({ ok: false, reason: `takes no writes: ${nameOf(error)}` }),
    )

/** `lookedAt`: when the worker last looked for jobs and could; null when it does not run. */
export const workerIsAlive =
  (lookedAt: () => number | null, clock: Clock): Check =>
  async () => {
    const at = lookedAt()
    if (at === null) return { ok: false, reason: "does not run" }
    const seconds = Math.round((clock() - at) / 1000)
    return { ok: clock() - at <= workerPatienceMs, reason: `looked for jobs ${seconds} s ago` }
  }

/** Room where the database is. */
export const diskHasRoom =
  ({ path, floorMb }: { readonly path: string; readonly floorMb: number }): Check =>
  async () => {
    const { bavail, bsize } = await statfs(dirname(path))
    const freeMb = Math.floor((bavail * bsize) / megabyte)
    const ok = freeMb >= floorMb
    return { ok, reason: `${freeMb} MB free, ${ok ? "at least" : "less than"} the ${floorMb} of health.disk_floor_mb` }
  }
