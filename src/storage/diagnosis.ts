import type { DiscardedJobs, RefusedMail } from "../domain/jobs/ports.ts"
import { managementDept } from "../domain/people/roles.ts"
import { adminUsername } from "../domain/people/users.ts"
import type { Webhook } from "../domain/webhooks/model.ts"
import { one, type Reads } from "./database.ts"
import { type FutureTimes, futureTimes } from "./future-times.ts"
import { discardedJobs, refusedMail, waitsSince } from "./jobs.ts"
import { fields, select, sql } from "./sql.ts"
import { apiTokens, deliveries, jobs, ledgerState, secondFactors, users, webhooks } from "./tables.ts"
import { webhookColumns } from "./webhooks/webhooks.ts"

export interface DiagnosisRequest {
  readonly now: number
  /** Jobs that have waited since an earlier time are overdue. */
  readonly dueBy: number
  /** API tokens that end earlier are expiring. */
  readonly expiringBy: number
}

/** API tokens that somebody should look at, each as its id and name. */
export interface DiagnosedTokens {
  /** Tokens with the scope `admin` that never expire. */
  readonly endless: readonly string[]
  /** Tokens that end before `expiringBy` or have ended. */
  readonly expiring: readonly string[]
}

/** A webhook with the error of the delivery that waits, if one does. */
export interface DiagnosedWebhook extends Webhook {
  readonly lastError: string | null
  /** Why the last message was given up; null when it was not. */
  readonly lastRefusal: string | null
}

/** What `rewards doctor` reads from any database. */
export interface Diagnosis {
  /** Date of the last transaction, in milliseconds since the epoch; 0 while there is none. */
  readonly lastDate: number
  /** A bcrypt hash; null when there is no such user. */
  readonly adminPassword: string | null
  /** Null when there is no such user. */
  readonly adminEmail: string | null
  /** Usernames of active superusers who have no second factor, in order. */
  readonly superusersWithoutFactor: readonly string[]
  readonly tokens: DiagnosedTokens
  readonly webhooks: readonly DiagnosedWebhook[]
  /** Jobs that have waited since before `dueBy`, and the last error of one of them. */
  readonly overdue: { readonly count: number; readonly lastError: string | null }
  /** Jobs that were discarded lately. */
  readonly discarded: DiscardedJobs
  readonly refusedMail: RefusedMail
  readonly futureTimes: readonly FutureTimes[]
}

export interface FileDiagnosisRequest extends DiagnosisRequest {
  /** The setting `db.verify_mb`. */
  readonly verifyMb: number
}

/** What `rewards doctor` reads from a database file. */
export interface FileDiagnosis extends Diagnosis {
  /** Tags of the migrations that the next opening applies. If there are any, nothing else is read. */
  readonly pending: readonly string[]
  /** Faults that SQLite reports, or for which a start would refuse the database. */
  readonly damage: readonly string[]
  /** What the watermark file records and the ledger lacks; null when it lacks nothing. */
  readonly behindWatermark: string | null
  /** When `rewards backup` last made a backup, according to the audit log; null when the log has no backup. */
  readonly lastBackupAt: number | null
  readonly bytes: number
}

export interface ServerDiagnosis {
  readonly version: string
  readonly user: string
  readonly bytes: number
  /** Whether this user may create tables, and change those that are there. */
  readonly mayMigrate: boolean
  /** How many connections users like this one may have, over all databases of the server. */
  readonly maxConnections: number
  readonly usedConnections: number
  /** How many servers of rewards use this database, as far as this user sees them. */
  readonly processes: number
  /** The setting `synchronous_commit` of PostgreSQL. */
  readonly synchronousCommit: string
  /** Where it is set, as in pg_settings: `user` and `database` override the settings of the server. */
  readonly synchronousCommitFrom: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousStandbys: string
  /** Null when this user may not see them. */
  readonly standbys: readonly Standby[] | null
  /** How far the server's clock is ahead of this machine's. */
  readonly clockDifferenceMs: number
  /** Whether the database is empty. */
  readonly isNew: boolean
  /** Tags of the migrations that the next opening applies. */
  readonly pending: readonly string[]
  /** Null while the database is new or not up to date. */
  readonly contents: Diagnosis | null
}

export interface Standby {
  readonly name: string
  readonly state: string
  /** Such as `sync`, `quorum` or `async`. */
  readonly sync: string
  /** How long its disk lags behind; null while nothing is written. */
  readonly lagMs: number | null
}

const overdue = fields({ count: sql<number>`count(*)`, lastError: sql<string | null>`max(${jobs.lastError})` })

const webhook = fields({
  ...webhookColumns,
  lastError: sql<string | null>`(
    SELECT ${deliveries.error} FROM ${deliveries}
    WHERE ${deliveries.webhookId} = ${webhooks.id} AND ${deliveries.state} = 'waiting' ORDER BY ${deliveries.id} LIMIT 1)`,
  lastRefusal: sql<string | null>`(
    SELECT CASE WHEN ${deliveries.state} = 'failed' THEN ${deliveries.error} END FROM ${deliveries}
    WHERE ${deliveries.webhookId} = ${webhooks.id} AND ${deliveries.eventId} IS NOT NULL
    ORDER BY ${deliveries.id} DESC LIMIT 1)`,
})

const admin = fields({ password: users.password, email: users.email })
const ledger = fields({ lastDate: ledgerState.lastDate })
const superuser = fields({ username: users.username })
const token = fields({ id: apiTokens.id, name: apiTokens.name, expiresAt: apiTokens.expiresAt })

/** Reads what `rewards doctor` wants to know, from a database that is up to date. */
export async function readDiagnosis(reads: Reads, request: DiagnosisRequest): Promise<Diagnosis> {
  const { now, dueBy, expiringBy } = request
  const [{ lastDate }, account, superusers, tokens, diagnosed, late, discarded, refused, future] = await Promise.all([
    one(reads, select(ledger)`FROM ${ledgerState}`),
    reads.first(select(admin)`FROM ${users} WHERE ${users.username} = ${adminUsername}`),
    reads.all(select(superuser)`FROM ${users} WHERE ${users.dept} = ${managementDept} AND ${users.deactivatedAt} IS NULL
      AND ${users.id} NOT IN (SELECT user_id FROM ${secondFactors}) ORDER BY ${users.username}`),
    reads.all(select(token)`FROM ${apiTokens} WHERE ${apiTokens.expiresAt} < ${expiringBy}
      OR (${apiTokens.expiresAt} IS NULL AND ${apiTokens.scopes} LIKE '%admin%') ORDER BY ${apiTokens.id}`),
    reads.all(select(webhook)`FROM ${webhooks} ORDER BY ${webhooks.id}`),
    one(reads, select(overdue)`FROM ${jobs} WHERE ${jobs.finishedAt} IS NULL AND ${waitsSince} < ${dueBy}`),
    discardedJobs(reads),
    refusedMail(reads),
    reads.all(futureTimes(now)),
  ])
  const named = (some: typeof tokens) => some.map(({ id, name }) => `${id} (${name})`)
  return {
    lastDate,
    adminPassword: account?.password ?? null,
    adminEmail: account?.email ?? null,
    superusersWithoutFactor: superusers.map(({ username }) => username),
    tokens: {
      endless: named(tokens.filter(({ expiresAt }) => expiresAt === null)),
      expiring: named(tokens.filter(({ expiresAt }) => expiresAt !== null)),
    },
    webhooks: diagnosed,
    overdue: late,
    discarded,
    refusedMail: refused,
    futureTimes: future,
  }
}
