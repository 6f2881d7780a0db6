import type { AuditEntry, DiscardedJobs, Webhook } from "../domain/model.ts"
import type { CopySource, CopyTarget } from "./copy/copy.ts"
import type { Anchoring } from "./verify/anchor.ts"
import type { OnProgress, Verification } from "./verify/damage.ts"

/** What the command line does with a database without opening it as a store. Each kind of database implements it. */
export interface Maintenance {
  /**
   * Checks the database for damage and lost transactions. Does not migrate it. Other processes may use it meanwhile.
   * @throws DatabaseUnusable when it cannot be checked
   */
  verify(request: VerifyRequest): Promise<Verification>
  /**
   * Drops everything in the database, so that the next start finds an empty one.
   * @throws DatabaseUnusable when another process has it open, or it is another program's; nothing is dropped then
   */
  reset(): Promise<void>
  /**
   * Reads the database for a copy.
   * @throws DatabaseUnusable when another process has it open, or it is not up to date
   */
  asSource<T>(work: (source: CopySource) => Promise<T>): Promise<T>
  /**
   * Writes a new database, or continues an unfinished copy.
   * @throws DatabaseUnusable when something else is there already, or another process has it open
   */
  asTarget<T>(work: (target: CopyTarget) => Promise<T>): Promise<T>
  /** Adds an entry to the audit log. */
  recordAudit(entry: AuditEntry): Promise<void>
  /**
   * Reads the facts about a database server for `rewards doctor`; null for a database file
   * (sqlite/maintenance/diagnose.ts).
   */
  readonly diagnoseServer: ((request: DiagnosisRequest) => Promise<ServerDiagnosis>) | null
}

export interface VerifyRequest {
  /** Accepts the database as it is when the watermark says that transactions are missing. */
  readonly accepts: boolean
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}

export interface DiagnosisRequest {
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
  /** Usernames of active superusers who have no second factor, in order. */
  readonly superusersWithoutFactor: readonly string[]
  readonly tokens: DiagnosedTokens
  readonly webhooks: readonly DiagnosedWebhook[]
  /** Jobs that have waited since before `dueBy`, and the last error of one of them. */
  readonly overdue: { readonly count: number; readonly lastError: string | null }
  /** Jobs that were discarded lately. */
  readonly discarded: DiscardedJobs
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
