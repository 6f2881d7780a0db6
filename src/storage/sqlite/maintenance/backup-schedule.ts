import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, extname, join, resolve } from "node:path"
import type { BackupState } from "../../../domain/health.ts"
import { createLease } from "../../../domain/jobs/lease.ts"
import type { ScheduleStore } from "../../../domain/jobs/ports.ts"
import { createRunner } from "../../../support/runner.ts"
import type { BackupFile, BackupFolder } from "../../maintenance.ts"
import type { BackupPlan, BackupSchedule } from "../../open-store.ts"
import { removeAbandoned, sortableTime } from "../database/files.ts"

/** How often to check whether a backup is due. */
const checkMs = 60_000
const retryMs = 600_000
/** A backup that takes longer is aborted, because it would hardly ever end. */
const longestMs = 86_400_000

/**
 * One process backs up for all: the age of the newest backup in the folder says when one is due, the lease says who makes
 * it.
 */
const work = { name: "backup", everyMs: retryMs, leaseMs: 5 * checkMs }

interface Schedule extends Omit<BackupPlan, "dir"> {
  readonly schedule: ScheduleStore
  readonly folder: PrunedFolder
  readonly backUp: NonNullable<BackupPlan["backUp"]>
}

/**
 * Backs up when the newest backup in the folder is older than `everyMs`, whichever process made it, so a restart does not
 * change the schedule. A failed backup is retried after ten minutes.
 */
export function createBackupSchedule(options: Schedule): BackupSchedule {
  const { everyMs, keep, schedule, folder, backUp, clock, log } = options
  const lease = createLease(schedule, work, clock)
  const runner = createRunner({ work: backUpWhenDue, everyMs: checkMs, failed, extend: lease.extend })
  const timeoutMs = Math.min(everyMs, longestMs)
  let startedAt: number | null = null
  let triedAt = 0
  let lastSuccessAt: number | null = null
  let lastFailure: BackupState["lastFailure"] = null

  return {
    start() {
      if (everyMs === 0) return
      startedAt = clock()
      runner.start()
      runner.look()
    },
    stop: () => runner.stop(),
    state: (): BackupState => ({ everyMs, startedAt, lastSuccessAt, lastFailure }),
    newest,
  }

  async function backUpWhenDue() {
    const now = clock()
    triedAt = now
    if (!isStillDue(now)) return
    const backUpNow = async () => {
      if (!isStillDue(now)) return
      const file = folder.fileAt(now)
      await writeTo(file)
      lastSuccessAt = now
      lastFailure = null
      log.info("backup written", { file })
      // The backup itself succeeded. If this counted as a failure, backups would be repeated until the disk is full.
      for (const reason of folder.prune(keep, now)) log.error("an old backup cannot be removed", { reason })
    }
    await lease.hold(backUpNow, (hasFailed) => (hasFailed && !runner.signal.aborted ? retryMs : 0))
  }

  function failed(error: unknown) {
    const reason = error instanceof Error ? error.message : String(error)
    lastFailure = { at: triedAt, reason }
    log.error("the scheduled backup failed; it is tried again in ten minutes", { reason })
  }

  async function writeTo(file: string) {
    try {
      await backUp(file, AbortSignal.any([runner.signal, AbortSignal.timeout(timeoutMs)]))
    } catch (error) {
      failureOf(() => removeAbandoned(file, Number.POSITIVE_INFINITY)) // a killed process left it; else `prune` removes it
      throw error
    }
  }

  function newest(): BackupFile | null {
    const now = clock()
    return folder.backups().findLast(({ at }) => at <= now) ?? null
  }

  /** Whether the backup is still due: another process may have made it. */
  function isStillDue(now: number): boolean {
    if (!isDue(now)) return false
    lastSuccessAt = newest()?.at ?? null
    if (lastFailure !== null && lastSuccessAt !== null && lastSuccessAt > lastFailure.at) lastFailure = null
    return isDue(now)
  }

  /** A time in the future comes from a wrong clock, so it does not count. */
  function isDue(now: number): boolean {
    if (lastFailure !== null) return now < lastFailure.at || now >= lastFailure.at + retryMs
    return lastSuccessAt === null || now < lastSuccessAt || now >= lastSuccessAt + everyMs
  }
}

interface PrunedFolder extends BackupFolder {
  /**
   * Removes all but the `keep` newest backups, and partial files that killed processes left. Backups with a time in
   * the future neither count nor are removed: a wrong clock named them, and they must not displace the others. Files of
   * other names stay. A file that cannot be removed does not stop the rest; returns the reason for each.
   */
  prune(keep: number, now: number): string[]
}

/** The folder of a database's backups. A relative `dir` begins beside the database. */
export function createBackupFolder({ path, dir }: { readonly path: string; readonly dir: string }): PrunedFolder {
  const folder = resolve(dirname(path), dir)
  const stem = basename(path, extname(path))

  return {
    path: folder,
    nameAt,
    fileAt(ms) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return join(folder, nameAt(ms))
    },
    backups,
    prune(keep, now) {
      const old = backups()
        .filter(({ at }) => at <= now)
        .slice(0, -keep)
      const partial = names().flatMap((name) => {
        const [target = ""] = name.split(".partial-")
        return target !== name && timeIn(target) !== null ? [join(folder, target)] : []
      })
      return [
        ...old.flatMap(({ file }) => failureOf(() => rmSync(file, { force: true }))),
        ...partial.flatMap((file) => failureOf(() => removeAbandoned(file, now))),
      ]
    },
  }

  function nameAt(ms: number): string {
    return `${stem}-${sortableTime(ms)}.db`
  }

  function backups(): BackupFile[] {
    return names().flatMap((name) => {
      const at = timeIn(name)
      return at === null ? [] : [{ file: join(folder, name), at }]
    })
  }

  function names(): string[] {
    return existsSync(folder) ? readdirSync(folder).sort() : []
  }

  function timeIn(name: string): number | null {
    const time = name.startsWith(`${stem}-`) ? name.slice(stem.length + 1) : ""
    const [, date, hour, minute, second] = /^(\d{8})T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(time) ?? []
    if (date === undefined) return null
    const ms = Date.parse(`${date.replace(/(....)(..)(..)/, "$1-$2-$3")}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(ms) ? null : ms
  }
}

function failureOf(act: () => void): string[] {
  try {
    act()
    return []
  } catch (error) {
    return [String(error)]
  }
}
