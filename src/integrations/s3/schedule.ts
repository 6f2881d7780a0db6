import type { Clock } from "../../domain/clock.ts"
import type { BackupState } from "../../domain/health.ts"
import { createLease } from "../../domain/jobs/lease.ts"
import type { ScheduleStore } from "../../domain/jobs/ports.ts"
import { backoffMs } from "../../jobs/backoff.ts"
import type { Log } from "../../support/log.ts"
import { createRunner } from "../../support/runner.ts"

/** How often to check whether a backup is not off-site yet. */
const checkMs = 5_000
/** An upload that takes longer is aborted, because it would hardly ever end. */
const longestMs = 86_400_000

/** One process uploads for all. */
const work = { name: "off-site backup", everyMs: checkMs, leaseMs: 60_000 }

interface Options {
  /** The time between two scheduled backups. */
  readonly everyMs: number
  /** The newest scheduled backup on this machine that is not from the future; null when there is none. */
  readonly newest: () => { readonly file: string; readonly at: number } | null
  /**
   * Uploads a backup, reads it back and compares; does nothing when it is there already. Rejects with the reason and its
   * cure once it has ended.
   */
  readonly upload: (file: string, signal: AbortSignal) => Promise<void>
  readonly schedule: ScheduleStore
  readonly clock: Clock
  readonly log: Log
}

/**
 * Uploads each scheduled backup after it was made. A failure is retried after 5 s, and then ever more rarely, up to every
 * quarter of an hour; the newest backup of that time is uploaded.
 */
export function createOffSiteSchedule({ everyMs, newest, upload, schedule, clock, log }: Options) {
  const lease = createLease(schedule, work, clock)
  const runner = createRunner({ work: uploadWhenDue, everyMs: checkMs, failed, extend: lease.extend })
  let startedAt: number | null = null
  let lastSuccessAt: number | null = null
  let lastFailure: BackupState["lastFailure"] = null
  let failures = 0
  /** When it is tried again, by `performance.now()`. */
  let retryAt = 0

  return {
    start() {
      if (everyMs === 0) return
      startedAt = clock()
      runner.start()
      runner.look()
    },
    /** Aborts a running upload. */
    stop: () => runner.stop(),
    state: (): BackupState => ({ everyMs, startedAt, lastSuccessAt, lastFailure }),
  }

  async function uploadWhenDue() {
    const backup = newest()
    if (backup === null || backup.at === lastSuccessAt || performance.now() < retryAt) return
    await lease.hold(async () => {
      await upload(backup.file, AbortSignal.any([runner.signal, AbortSignal.timeout(longestMs)]))
      lastSuccessAt = backup.at
      lastFailure = null
      failures = 0
      log.info("backup uploaded", { file: backup.file })
    })
  }

  function failed(error: unknown) {
    const reason = error instanceof Error ? error.message : String(error)
    lastFailure = { at: clock(), reason }
    failures += 1
    const waitMs = backoffMs(failures, Math.random())
    retryAt = performance.now() + waitMs
    log.error("the upload of a backup failed; it is tried again", { reason, inSeconds: Math.round(waitMs / 1000) })
  }
}
