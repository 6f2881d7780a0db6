import type { BackupState } from "../../domain/backups.ts"
import type { Clock } from "../../domain/model.ts"
import type { Log } from "../../log.ts"
import type { BackupFolder } from "./folder.ts"

/** How often it looks whether one is due. */
const lookMs = 60_000
const againAfterMs = 600_000
/** However rarely they are made: one that takes longer will never end. */
const mostPatienceMs = 86_400_000

export interface Schedule {
  /** Zero: there is none. */
  readonly everyMs: number
  /** How many stay in the folder. */
  readonly keep: number
  readonly folder: BackupFolder
  /** Writes a verified backup into a file of this name, whole or not at all. Rejects with the reason and its cure. */
  readonly backUp: (file: string, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Backs up when the newest backup is older than `everyMs`, whatever this process did before; one that fails is tried
 *  again after ten minutes. */
export function createSchedule({ everyMs, keep, folder, backUp, clock, log }: Schedule) {
  const stopping = new AbortController()
  const patienceMs = Math.min(everyMs, mostPatienceMs)
  let timer: Timer | undefined
  let running: Promise<void> | undefined
  let startedAt: number | null = null
  let lastSuccessAt: number | null = null
  let lastFailure: BackupState["lastFailure"] = null

  return {
    start() {
      if (everyMs === 0) return
      startedAt = clock()
      timer = setInterval(look, lookMs)
      look()
    },
    /** Gives up on one that runs. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
    state: (): BackupState => ({ everyMs, startedAt, lastSuccessAt, lastFailure }),
  }

  function look() {
    running ??= backUpWhenDue().finally(() => {
      running = undefined
    })
  }

  async function backUpWhenDue() {
    const now = clock()
    try {
      lastSuccessAt ??= folder.kept().at(-1)?.at ?? null
      if (!isDue(now)) return
      const file = folder.fileAt(now)
      await backUp(file, AbortSignal.any([stopping.signal, AbortSignal.timeout(patienceMs)]))
      lastSuccessAt = now
      lastFailure = null
      log.info("backup written", { file })
      // The backup is made: one that failed for this would be repeated until the disk is full.
      for (const reason of folder.prune(keep, now)) log.error("an old backup cannot be removed", { reason })
    } catch (error) {
      if (stopping.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      lastFailure = { at: now, reason }
      log.error("the scheduled backup failed; it is tried again in ten minutes", { reason })
    }
  }

  /** One that seems to come from the future was named by a clock that was wrong. */
  function isDue(now: number): boolean {
    if (lastFailure !== null) return now >= lastFailure.at + againAfterMs
    return lastSuccessAt === null || now < lastSuccessAt || now >= lastSuccessAt + everyMs
  }
}
