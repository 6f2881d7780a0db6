import { firstGuesses } from "../../common-passwords.ts"
import { defaultAdminPassword } from "../../config/settings.ts"
import { discardedKeptDays } from "../../domain/jobs.ts"
import type { DiscardedJobs } from "../../domain/model.ts"
import { backupPatienceMs } from "../../health.ts"
import type { Diagnosis } from "../../storage/sqlite/maintenance/diagnose.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

interface Demands {
  /** In production. */
  readonly isStrict: boolean
  /** As in `db.verify_mb`. */
  readonly verifyMb: number
}

/** What a look into the database tells. */
export async function checkDatabase(
  { pending, damage, behindWatermark, adminPassword, overdue, discarded, bytes }: Diagnosis,
  { isStrict, verifyMb }: Demands,
): Promise<readonly Finding[]> {
  if (pending.length > 0)
    return [warn("database", `not up to date: ${pending.join(", ")}`, "the next start brings it up to date")]
  const findings = damage.map((found) => bad("database", found, "`rewards restore FILE`; `rewards verify` tells more"))
  const { count, lastError } = overdue
  return [
    ...orOk(findings, "database", `opens, and SQLite finds no damage${bytes > verifyMb * 1e6 ? unverified : ""}`),
    behindWatermark === null
      ? ok("mark", "the ledger has all that its mark knows of")
      : bad("mark", behindWatermark, "`rewards restore FILE`, or `rewards verify --accept` to go on without"),
    await checkAdmin(adminPassword ?? "", isStrict ? bad : warn),
    count > 0
      ? warn(
          "jobs",
          `${count} wait for longer than ten minutes${lastError === null ? "" : `; the last attempt: ${lastError}`}`,
          "see that `rewards serve` runs, and what this command says of mail",
        )
      : ok("jobs", "none waits for long"),
    ...givenUp(discarded),
  ]
}

function givenUp({ count, newest }: DiscardedJobs): Finding[] {
  if (newest === null) return []
  const times = count === 1 ? "1 was" : `${count} were`
  return [
    warn(
      "jobs",
      `${times} given up in the last ${discardedKeptDays} days; the newest, ${newest.kind} at ${new Date(newest.at).toISOString()}: ${newest.error}`,
      'mend what it names, and have the mail sent again: by "Forgot password", or a new invitation',
    ),
  ]
}

/** A few guesses: which other password there is cannot be told from its hash. */
async function checkAdmin(hash: string, verdict: typeof bad): Promise<Finding> {
  // A hash that cannot be read is nobody's password.
  const has = (password: string) => Bun.password.verify(password, hash).catch(() => false)
  const cure = "rewards set-password admin"
  if (await has(defaultAdminPassword)) return verdict("admin", "admin has the default password", cure)
  const guessed = await Promise.all(firstGuesses.map(has))
  if (guessed.includes(true)) return verdict("admin", "admin has one of the most common passwords", cure)
  return ok("admin", "admin has a password of its own")
}

const unverified = "; larger than db.verify_mb, it is verified by each backup and not by a start"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How old the newest may be where the server has no schedule, and somebody else has one. */
const unscheduledMs = 7 * dayMs

interface Backups {
  /** When the newest one was made that is known of, in milliseconds since the epoch; null when none is. */
  readonly lastAt: number | null
  /** As in `backup.every_hours`. */
  readonly everyHours: number
  readonly now: number
  /** In production. */
  readonly isStrict: boolean
}

/** Whether there is a backup, and a new enough one. */
export function checkBackup({ lastAt, everyHours, now, isStrict }: Backups): Finding {
  const isScheduled = everyHours > 0
  if (lastAt === null) {
    if (isScheduled) return warn("backup", "none yet", "`rewards serve` makes the first one when it starts")
    return isStrict ? warn("backup", "none yet, and none is scheduled", cure) : ok("backup", "none yet")
  }
  const found = `the newest is ${ageOf(now - lastAt)} old`
  if (!isScheduled) return now - lastAt <= unscheduledMs ? ok("backup", found) : warn("backup", found, cure)
  if (now - lastAt <= everyHours * hourMs + backupPatienceMs) return ok("backup", found)
  return bad(
    "backup",
    `${found}, and backup.every_hours is ${everyHours}`,
    "look for `scheduled backup failed` in the log",
  )
}

const cure = "set backup.every_hours, or let a timer run `rewards backup`"

function ageOf(ms: number): string {
  if (ms < 2 * dayMs) return `${Math.max(0, Math.floor(ms / hourMs))} h`
  return `${Math.floor(ms / dayMs)} days`
}
