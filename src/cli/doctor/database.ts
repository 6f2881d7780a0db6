import { defaultAdminPassword } from "../../config/settings.ts"
import { isFromFuture } from "../../domain/clock.ts"
import { discardedKeptDays } from "../../domain/jobs/jobs.ts"
import type { DiscardedJobs, RefusedMail } from "../../domain/jobs/ports.ts"
import { defaultAdminEmail } from "../../domain/people/fields.ts"
import { writingOf } from "../../languages/writing.ts"
import { backupPatienceMs } from "../../metrics/health.ts"
import { firstGuesses } from "../../security/common-passwords.ts"
import type { DiagnosedTokens, Diagnosis, FileDiagnosis, ServerDiagnosis } from "../../storage/diagnosis.ts"
import type { FutureTimes } from "../../storage/future-times.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

export interface ContentsOptions {
  /** In production. */
  readonly isStrict: boolean
  /** The setting security.admin_password. */
  readonly firstPassword: string
  /** Whether mail is sent, not written to a file. */
  readonly sendsMail: boolean
}

interface FileOptions extends ContentsOptions {
  /** The setting db.verify_mb. */
  readonly verifyMb: number
}

/** Turns the diagnosis of a database file into findings. */
export async function checkDatabase(
  { pending, damage, behindWatermark, bytes, ...contents }: FileDiagnosis,
  { verifyMb, ...options }: FileOptions,
): Promise<readonly Finding[]> {
  if (pending.length > 0) return [notUpToDate(pending)]
  const findings = damage.map((found) =>
    bad("database", found, "`rewards restore FILE`; see `rewards verify` for details"),
  )
  return [
    ...orOk(findings, "database", `opens, and SQLite finds no damage${bytes > verifyMb * 1e6 ? unverified : ""}`),
    behindWatermark === null
      ? ok("watermark", "no transaction is missing")
      : bad(
          "watermark",
          behindWatermark,
          "`rewards restore FILE`, or `rewards verify --accept` to continue without them",
        ),
    ...(await checkContents(contents, options)),
  ]
}

const notUpToDate = (pending: readonly string[]): Finding =>
  warn("database", `not up to date: ${pending.join(", ")}`, "the next start migrates it")

/** The password of admin, the jobs, and the API tokens. */
async function checkContents(
  { adminPassword, adminEmail, overdue: { count, lastError }, discarded, refusedMail, tokens, futureTimes }: Diagnosis,
  { isStrict, firstPassword, sendsMail }: ContentsOptions,
): Promise<readonly Finding[]> {
  return [
    await checkAdmin(adminPassword ?? "", isStrict ? bad : warn, firstPassword),
    ...(sendsMail && adminEmail === defaultAdminEmail ? [unaddressed] : []),
    count > 0
      ? warn(
          "jobs",
          `${count} have been waiting for more than ten minutes${lastError === null ? "" : `; the last attempt: ${lastError}`}`,
          "check that `rewards serve` runs, and the findings about mail",
        )
      : ok("jobs", "none is overdue"),
    ...refused(refusedMail),
    ...discardedJobs(discarded),
    ...checkTokens(tokens),
    ...checkTimes(futureTimes),
  ]
}

/** Times that a wrong clock has stored, each column with how many there are and the latest. */
function checkTimes(future: readonly FutureTimes[]): Finding[] {
  if (future.length === 0) return []
  const found = future.map(
    ({ column, count, latest }) => `${column} ${count} (up to ${new Date(latest).toISOString().slice(0, 19)}Z)`,
  )
  return [
    warn(
      "times",
      `stored times lie in the future, written while the clock was wrong: ${found.join(", ")}`,
      "check the clock; what is due, leased or put off by them is due now, and nothing is deleted because of them",
    ),
  ]
}

function checkTokens({ endless, expiring }: DiagnosedTokens): Finding[] {
  return [
    ...(endless.length === 0
      ? []
      : [
          warn(
            "tokens",
            `these tokens of scope admin never expire: ${endless.join(", ")}`,
            "create others with an expiry, and revoke these: `rewards token revoke ID`",
          ),
        ]),
    ...(expiring.length === 0
      ? []
      : [
          warn(
            "tokens",
            `expired, or expire within two weeks: ${expiring.join(", ")}`,
            "create others for the programs that use them: `rewards token list` shows which are in use",
          ),
        ]),
  ]
}

function refused({ count, newest }: RefusedMail): Finding[] {
  if (newest === null) return []
  const waits = count === 1 ? "1 mail waits" : `${count} mails wait`
  const again = "then `rewards mail retry`"
  const cure = newest.cure === null ? `correct that, ${again}` : `${newest.cure}, ${again}`
  return [bad("mail", `${waits}, because the mail server refuses: ${newest.answer}`, cure)]
}

function discardedJobs({ count, newest }: DiscardedJobs): Finding[] {
  if (newest === null) return []
  const times = count === 1 ? "1 was" : `${count} were`
  return [
    warn(
      "jobs",
      `${times} discarded in the last ${discardedKeptDays} days; the newest, ${newest.kind} at ${new Date(newest.at).toISOString()}: ${newest.error}`,
      "correct that cause, then send the mail again: `rewards mail list`, `rewards mail retry`",
    ),
  ]
}

/** Tries the default, a few of the most common passwords, and the one in the settings. */
async function checkAdmin(hash: string, verdict: typeof bad, configured: string): Promise<Finding> {
  // An unreadable hash matches no password.
  const has = (password: string) => Bun.password.verify(password, hash).catch(() => false)
  const cure = "`rewards user set-password admin`"
  if (await has(defaultAdminPassword)) return verdict("admin", "admin has the default password", cure)
  const guessed = await Promise.all(firstGuesses.map(has))
  if (guessed.includes(true)) return verdict("admin", "admin has one of the most common passwords", cure)
  if (await has(configured))
    return warn("admin", "admin has the first password, which is also in security.admin_password", cure)
  return ok("admin", "admin has neither the first password nor one of the most common ones")
}

const unaddressed = warn(
  "admin",
  `nobody reads mail to ${defaultAdminEmail}, such as requests for rewards`,
  "set security.admin_email and restart, or correct the address in the app's administration",
)

const unverified = "; larger than db.verify_mb, so only backups verify it, not every start"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How old the newest backup may be when the server itself has no schedule. */
const unscheduledMs = 7 * dayMs

interface Backups {
  /** When the known backups were made, in milliseconds since the epoch. */
  readonly madeAt: readonly number[]
  /** The setting backup.every_hours. */
  readonly everyHours: number
  readonly now: number
  /** In production. */
  readonly isStrict: boolean
}

/** Whether there is a backup, and a recent one. Those with a date in the future do not count. */
export function checkBackup({ madeAt, ...rest }: Backups): Finding[] {
  const future = madeAt.filter((at) => isFromFuture(at, rest.now))
  const lastAt = Math.max(0, ...madeAt.filter((at) => !isFromFuture(at, rest.now)))
  const newest = checkNewest({ lastAt: lastAt === 0 ? null : lastAt, ...rest })
  if (future.length === 0) return [newest]
  const latest = new Date(Math.max(...future)).toISOString()
  return [
    newest,
    warn(
      "backup",
      `${future.length} made with a wrong clock: their dates are in the future, up to ${latest}`,
      "they do not count and are never deleted; check the clock, then delete or rename them",
    ),
  ]
}

interface Newest extends Omit<Backups, "madeAt"> {
  /** Null when there is none. */
  readonly lastAt: number | null
}

function checkNewest({ lastAt, everyHours, now, isStrict }: Newest): Finding {
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

const cure = "set backup.every_hours, or run `rewards backup` by a timer"

export function ageOf(ms: number): string {
  if (ms < 2 * dayMs) return `${Math.max(0, Math.floor(ms / hourMs))} h`
  return `${Math.floor(ms / dayMs)} days`
}

interface ServerOptions extends ContentsOptions {
  /** The setting db.pool_size. */
  readonly poolSize: number
}

/** Turns the diagnosis of a PostgreSQL server into findings. */
export async function checkDatabaseServer(
  diagnosis: ServerDiagnosis,
  { poolSize, ...options }: ServerOptions,
): Promise<readonly Finding[]> {
  const { contents, isNew, pending, version, bytes } = diagnosis
  const megabytes = `${(bytes / 1e6).toFixed(1)} MB`
  return [
    pending.length > 0
      ? notUpToDate(pending)
      : ok("database", `PostgreSQL ${version}, ${isNew ? "empty: the first start creates the tables" : megabytes}`),
    checkRights(diagnosis),
    ...checkDurability(diagnosis),
    checkConnections(diagnosis, poolSize),
    checkStandbys(diagnosis),
    checkServerClock(diagnosis),
    ...(contents === null ? [] : await checkContents(contents, options)),
  ]
}

function checkRights({ mayMigrate, user }: ServerDiagnosis): Finding {
  if (mayMigrate) return ok("rights", `${user} may create and change tables`)
  return bad(
    "rights",
    `${user} may not create tables, or does not own those that are there, so the next version cannot migrate them`,
    `make it the owner of the database and its tables: REASSIGN OWNED BY … TO "${user}"`,
  )
}

/** Finds settings of PostgreSQL with which a crash may damage the database or lose acknowledged commits. */
function checkDurability(diagnosis: ServerDiagnosis): readonly Finding[] {
  const { fsync, fullPageWrites, synchronousCommit } = diagnosis
  const findings = [
    ...(fsync === "on"
      ? []
      : [bad("durability", "fsync is off: a crash of the machine destroys the database", turnOn("fsync"))]),
    ...(fullPageWrites === "on"
      ? []
      : [
          bad(
            "durability",
            "full_page_writes is off: a crash of the machine may damage pages",
            turnOn("full_page_writes"),
          ),
        ]),
    ...(synchronousCommit === "off"
      ? [
          bad(
            "durability",
            "synchronous_commit is off: a crash loses transfers that were answered 201",
            turnOnSynchronousCommit(diagnosis),
          ),
        ]
      : []),
  ]
  return orOk(findings, "durability", `fsync and full_page_writes are on, synchronous_commit is ${synchronousCommit}`)
}

const turnOn = (setting: string): string => `ALTER SYSTEM SET ${setting} = on; SELECT pg_reload_conf()`

/** Resets the setting where it was made, because settings of a user or a database override those of the server. */
const turnOnSynchronousCommit = ({ synchronousCommitFrom, user }: ServerDiagnosis): string =>
  ({
    user: `ALTER ROLE "${user}" RESET synchronous_commit`,
    database: "ALTER DATABASE … RESET synchronous_commit",
    "database user": `ALTER ROLE "${user}" IN DATABASE … RESET synchronous_commit`,
  })[synchronousCommitFrom] ?? turnOn("synchronous_commit")

/**
 * Besides its pool, a process that serves streams has one connection for notifications, and one that checks the first.
 */
const listenersPerProcess = 2
/** Connections for commands, backups and monitoring. docs/operations/postgresql.md, "Sizing", has the formula too. */
const otherConnections = 10

function checkConnections(
  { maxConnections, usedConnections, processes: running }: ServerDiagnosis,
  poolSize: number,
): Finding {
  const perProcess = poolSize + listenersPerProcess
  const processes = Math.max(1, running)
  const room = Math.max(0, Math.floor((maxConnections - otherConnections) / perProcess))
  const found = `${usedConnections} of ${maxConnections} in use; room for ${processesOf(room)} with db.pool_size ${poolSize}`
  const cure = "raise max_connections of the server, or lower db.pool_size"
  if (processes * perProcess > maxConnections)
    return bad(
      "connections",
      `${processesOf(processes)} may open ${processes * perProcess}, and the server has ${maxConnections}`,
      cure,
    )
  // Counts one more process, because a rolling upgrade briefly runs one.
  if (usedConnections > 0.9 * maxConnections || running + 1 > room) return warn("connections", found, cure)
  return ok("connections", found)
}

const processesOf = (count: number): string => writingOf("en").count(count, { one: "# process", other: "# processes" })

function checkStandbys(diagnosis: ServerDiagnosis): Finding {
  const { standbys, synchronousStandbys, synchronousCommit } = diagnosis
  if (standbys === null)
    return synchronousStandbys === ""
      ? ok("standby", "none is synchronous; this user may not see others (GRANT pg_monitor)")
      : ok("standby", `synchronous_standby_names is set; this user may not see their state (GRANT pg_monitor)`)
  const shown = standbys.map(({ name, state, sync, lagMs }) => `${name}: ${sync} ${state}, ${lagMs ?? 0} ms behind`)
  const isSynchronous = standbys.some(({ sync }) => sync === "sync" || sync === "quorum")
  if (synchronousStandbys !== "" && !isSynchronous)
    return bad(
      "standby",
      "synchronous_standby_names names a standby that is not connected, so every commit waits",
      "start the standby, or set synchronous_standby_names = '' until it is back",
    )
  if (isSynchronous && synchronousCommit === "local")
    return warn(
      "standby",
      "synchronous_commit is local, so commits do not wait for the standby",
      turnOnSynchronousCommit(diagnosis),
    )
  return ok("standby", shown.join("; ") || "there is none")
}

const toleranceMs = 2000

function checkServerClock({ clockDifferenceMs }: ServerDiagnosis): Finding {
  const seconds = (Math.abs(clockDifferenceMs) / 1000).toFixed(1)
  if (Math.abs(clockDifferenceMs) <= toleranceMs)
    return ok("database clock", "agrees with this machine's within two seconds")
  const which = clockDifferenceMs > 0 ? "ahead of" : "behind"
  return warn(
    "database clock",
    `the database server's is ${seconds} s ${which} this machine's`,
    "let NTP set the clocks of all machines: limits and expiry times are compared between processes",
  )
}
