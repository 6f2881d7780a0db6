import type { Clock } from "../domain/clock.ts"
import type { BackupState, StoreHealth } from "../domain/health.ts"
import type { JobStore } from "../domain/jobs/ports.ts"
import { rootCodeOf } from "../support/system-errors.ts"

interface CheckResult {
  readonly ok: boolean
  /** True: the server can do its work all the same, so it stays ready. */
  readonly isMinor?: true
  /** One clause for an operator, without file names and secrets: strangers may read it. */
  readonly reason: string
}

/** Checks one part. A rejection counts as a result that is not ok. */
export type Check = () => Promise<CheckResult>

/** By name of the part. */
export type CheckResults = Readonly<Record<string, CheckResult>>

/** How long results are reused, because the checks cost a write, and anyone may request them. */
const freshMs = 1000

/** How long ago the worker may have looked for jobs; it looks every second. */
const workerPatienceMs = 30_000

/** How late a backup may be, and how long a server may take for one that was late at its start. */
export const backupPatienceMs = 3_600_000

const megabyte = 1_000_000

/** Runs all checks, at most once a second. Never rejects. */
export function createReadiness(checks: Readonly<Record<string, Check>>, clock: Clock): () => Promise<CheckResults> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let results: Promise<CheckResults> = Promise.resolve({})

  return () => {
    const now = clock()
    if (Math.abs(now - checkedAt) >= freshMs) {
      checkedAt = now
      results = run(checks)
    }
    return results
  }
}

export const isReady = (results: CheckResults): boolean =>
  Object.values(results).every(({ ok, isMinor = false }) => ok || isMinor)

/** What superusers see of them. */
export const checksView = (results: CheckResults) =>
  Object.fromEntries(Object.entries(results).map(([part, { ok, reason }]) => [part, { ok, reason }]))

async function run(checks: Readonly<Record<string, Check>>): Promise<CheckResults> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => [part, await check().catch(failed)] as const),
  )
  return Object.fromEntries(found)
}

const failed = (error: unknown): CheckResult => ({ ok: false, reason: `cannot be checked: ${rootCodeOf(error)}` })

/** Whether the database accepts a write that reaches the disk. */
export const databaseIsWritable =
  ({ checkWritable }: Pick<StoreHealth, "checkWritable">): Check =>
  async () => {
    const problem = await checkWritable()
    return problem === null
      ? { ok: true, reason: "accepts writes" }
      : { ok: false, reason: `accepts no writes: ${problem}` }
  }

/** `lookedAt`: when the worker last looked for jobs successfully, by `elapsed`; null while it does not run. */
export const workerIsAlive =
  (lookedAt: () => number | null, elapsed: () => number = () => performance.now()): Check =>
  async () => {
    const at = lookedAt()
    if (at === null) return { ok: false, reason: "does not run" }
    const passedMs = elapsed() - at
    const seconds = Math.round(passedMs / 1000)
    return { ok: passedMs <= workerPatienceMs, reason: `looked for jobs ${seconds} s ago` }
  }

/** Whether the mail server takes the mail. It says nothing of the others: without mail, points can still be sent. */
export const mailIsAccepted =
  ({ refusedMail }: Pick<JobStore, "refusedMail">): Check =>
  async () => {
    const { count, newest } = await refusedMail()
    if (newest === null) return { ok: true, reason: "none is refused" }
    const { answer, cure } = newest
    const waits = count === 1 ? "1 mail waits" : `${count} mails wait`
    return { ok: false, isMinor: true, reason: `${waits}: ${answer}${cure === null ? "" : `; ${cure}`}` }
  }

/** Whether the newest backup is as recent as the schedule promises. Without any, the time counts from the start. */
export const backupIsInTime =
  (state: () => BackupState, clock: Clock): Check =>
  async () => {
    const { everyMs, startedAt, lastSuccessAt, lastFailure } = state()
    if (everyMs === 0) return { ok: true, reason: "no schedule" }
    const now = clock()
    const isOverdue = now > (lastSuccessAt ?? startedAt ?? 0) + everyMs + backupPatienceMs
    const mayCatchUp = lastFailure === null && now <= (startedAt ?? 0) + backupPatienceMs
    const last = lastSuccessAt === null ? "none yet" : `the last one ${hoursSince(lastSuccessAt, now)} ago`
    return {
      ok: !isOverdue || mayCatchUp,
      reason: lastFailure === null ? last : `${last}; the next one failed`,
    }
  }

const hoursSince = (at: number, now: number): string => `${Math.max(0, Math.floor((now - at) / 3_600_000))} h`

/** Whether the disk of the database has at least `floorMb` free. */
export const diskHasRoom =
  (freeBytes: () => Promise<number>, floorMb: number): Check =>
  async () => {
    const freeMb = Math.floor((await freeBytes()) / megabyte)
    const ok = freeMb >= floorMb
    return { ok, reason: `${freeMb} MB free, ${ok ? "at least" : "less than"} the ${floorMb} of health.disk_floor_mb` }
  }
