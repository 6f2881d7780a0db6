import { backupPatienceMs } from "../../health.ts"
import { bad, type Finding, ok, warn } from "./finding.ts"

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
