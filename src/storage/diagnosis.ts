import { managementDept } from "../domain/auth/roles.ts"
import type { DiscardedJobs, Webhook } from "../domain/model.ts"
import type { FutureTimes } from "./future-times.ts"
import { type WebhookRow, webhookColumns, webhookOf } from "./rows.ts"

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
  readonly futureTimes: readonly FutureTimes[]
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

/** Active superusers who have no second factor, for `rewards doctor`. */
export const superusersWithoutFactor = `SELECT username FROM users WHERE dept = '${managementDept}' AND deactivated_at IS NULL
  AND id NOT IN (SELECT user_id FROM second_factors) ORDER BY username`

/** API tokens for `rewards doctor`. $1 is `expiringBy` of the request. */
export const diagnosedTokens = `SELECT id, name, expires_at IS NULL AS endless FROM api_tokens
  WHERE expires_at < $1 OR (expires_at IS NULL AND scopes LIKE '%admin%') ORDER BY id`

/** `endless` is a number on SQLite, which has no booleans. */
export function diagnosedTokensOf(
  rows: readonly { readonly id: number; readonly name: string; readonly endless: boolean | number }[],
): DiagnosedTokens {
  const named = (isEndless: boolean) =>
    rows.filter(({ endless }) => Boolean(endless) === isEndless).map(({ id, name }) => `${id} (${name})`)
  return { endless: named(true), expiring: named(false) }
}

/** The webhooks for `rewards doctor`. */
export const diagnosedWebhooks = `SELECT ${webhookColumns}, (
    SELECT error FROM deliveries WHERE webhook_id = webhooks.id AND state = 'waiting' ORDER BY id LIMIT 1
  ) AS "lastError" FROM webhooks ORDER BY id`

export interface DiagnosedRow extends WebhookRow {
  readonly lastError: string | null
}

export const diagnosedOf = ({ lastError, ...row }: DiagnosedRow): DiagnosedWebhook => ({ ...webhookOf(row), lastError })
