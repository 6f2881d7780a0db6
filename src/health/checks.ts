import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import type { BackupState } from "../domain/backups.ts"
import type { Clock } from "../domain/model.ts"
import type { Vitals } from "../domain/store.ts"
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

/** How late a backup may come: a failed one is tried again every ten minutes. */
export const backupPatienceMs = 3_600_000

/** The newest backup is no older than the schedule has it. */
export const backupIsInTime =
  (state: () => BackupState, clock: Clock): Check =>
  async () => {
    const { everyMs, startedAt, lastSuccessAt, lastFailure } = state()
    if (everyMs === 0) return { ok: true, reason: "no schedule" }
    const due = Math.max(lastSuccessAt ?? 0, startedAt ?? 0) + everyMs
    const last = lastSuccessAt === null ? "none yet" : `the last one ${hoursSince(lastSuccessAt, clock())} ago`
    return {
      ok: clock() <= due + backupPatienceMs,
      reason: lastFailure === null ? last : `${last}; the next one failed`,
    }
  }

const hoursSince = (at: number, now: number): string => `${Math.max(0, Math.floor((now - at) / 3_600_000))} h`

/** Room where the database is. */
export const diskHasRoom =
  ({ path, floorMb }: { readonly path: string; readonly floorMb: number }): Check =>
  async () => {
    const freeMb = Math.floor((await freeBytesAt(path)) / megabyte)
    const ok = freeMb >= floorMb
    return { ok, reason: `${freeMb} MB free, ${ok ? "at least" : "less than"} the ${floorMb} of health.disk_floor_mb` }
  }

/** What may still be written where the database is. @throws system errors */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize
}
