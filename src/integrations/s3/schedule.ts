import type { Clock } from "../../domain/clock.ts"
import type { BackupState } from "../../domain/health.ts"
import type { ScheduleStore } from "../../domain/jobs/ports.ts"
import { backoffMs } from "../../jobs/backoff.ts"
import type { Log } from "../../support/log.ts"

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
  const owner = crypto.randomUUID()
  const stopping = new AbortController()
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let startedAt: number | null = null
  let lastSuccessAt: number | null = null
  let lastFailure: BackupState["lastFailure"] = null
  let failures = 0
  /** When it is tried again, by `performance.now()`. */
  let retryAt = 0
  let hasLease = false

  return {
    start() {
      if (everyMs === 0) return
      startedAt = clock()
      timer = setInterval(check, checkMs)
      check()
    },
    /** Aborts a running upload. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
    state: (): BackupState => ({ everyMs, startedAt, lastSuccessAt, lastFailure }),
  }

  function check() {
    if (hasLease) void takeLease() // extends it
    running ??= uploadWhenDue().finally(() => {
      running = undefined
    })
  }

  async function uploadWhenDue() {
    try {
      const backup = newest()
      if (backup === null || backup.at === lastSuccessAt || performance.now() < retryAt) return
      hasLease = await takeLease()
      if (!hasLease) return
      await upload(backup.file, AbortSignal.any([stopping.signal, AbortSignal.timeout(longestMs)]))
      lastSuccessAt = backup.at
      lastFailure = null
      failures = 0
      log.info("backup uploaded", { file: backup.file })
    } catch (error) {
      if (stopping.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      lastFailure = { at: clock(), reason }
      failures += 1
      const waitMs = backoffMs(failures, Math.random())
      retryAt = performance.now() + waitMs
      log.error("the upload of a backup failed; it is tried again", { reason, inSeconds: Math.round(waitMs / 1000) })
    } finally {
      if (hasLease) await endLease()
    }
  }

  /** Also true when the store accepts no writes: a second upload does no harm. */
  function takeLease(): Promise<boolean> {
    return schedule.claim(work, owner, clock()).catch(() => true)
  }

  async function endLease() {
    hasLease = false
    await schedule.release(work.name, owner, clock()).catch(() => {}) // the lease expires by itself
  }
}
