import type { AuditEntry } from "../domain/audit/ports.ts"
import type { CopySource, CopyTarget } from "./copy/copy.ts"
import type { DiagnosisRequest, FileDiagnosis, FileDiagnosisRequest, ServerDiagnosis } from "./diagnosis.ts"
import type { Anchoring } from "./verify/anchor.ts"
import type { OnProgress, Verification } from "./verify/verification.ts"

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
}

/** Of a database server, which is backed up with its own tools. */
export interface ServerMaintenance extends Maintenance {
  readonly kind: "server"
  /** Reads the facts for `rewards doctor`. */
  diagnose(request: DiagnosisRequest): Promise<ServerDiagnosis>
}

/** Of a database file. */
export interface FileMaintenance extends Maintenance {
  readonly kind: "file"
  /** @throws DatabaseUnusable when the file is missing, but was there and held transactions */
  refuseLost(): void
  /**
   * Reads the facts for `rewards doctor`, without migrating the database. Other processes may have it open. Null when
   * there is no database yet.
   * @throws DatabaseUnusable with the cure, when it cannot be opened, is not ours or is lost
   */
  diagnose(request: FileDiagnosisRequest): Promise<FileDiagnosis | null>
  /**
   * Writes the database as of one moment to one file: private, verified and synced before a rename puts it in place, so
   * `file` is either a complete backup or what it was before. Other processes may have the database open. An earlier
   * backup is replaced.
   * @throws BackupRefused with the cure
   * @throws DatabaseUnusable when there is no such database, or it is another program's or a newer version's
   */
  backUp(request: { readonly file: string; readonly now: number }): Promise<Backup>
  /** Passes `work` a backup in a temporary file beside the database, and removes it afterwards. @throws as `backUp` */
  usingBackup<T>(now: number, work: (backup: Backup) => Promise<T>): Promise<T>
  /**
   * Migrates a copy beside the database, verifies it, and removes it. Other processes may have the database open.
   * @throws as `backUp`, and what a migration throws that this database does not take
   */
  rehearseUpgrade(now: number): Promise<Rehearsal>
  /** The folder of the backups. A relative `dir` begins beside the database. */
  backupFolder(dir: string): BackupFolder
  /**
   * Replaces the database with a verified copy of a backup and keeps the old one beside it. Until the last step, a rename,
   * the database is unchanged.
   * @throws BackupRefused with the cure, when the backup fails verification
   * @throws DatabaseUnusable when another process has the database open, or it is another program's
   */
  restore(request: RestoreRequest): Promise<Restored>
}

/** A backup cannot be written or restored. The message is complete and names the cure. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused"
}

export interface Backup {
  readonly file: string
  readonly bytes: number
  /** How many transactions are in it. */
  readonly transactions: number
  /** The newest of them, as `ID:HASH`; null when there is none. */
  readonly newest: string | null
}

/** What the first start of this version would do to a database. */
export interface Rehearsal {
  /** The migrations; none: the database is up to date. */
  readonly pending: readonly string[]
  /** What is wrong with the migrated copy; usually nothing. */
  readonly faults: readonly string[]
  /** How long the backup took that comes first. */
  readonly backupMs: number
  readonly migrateMs: number
  /** Size of the database. */
  readonly bytes: number
  /** How much room the backup, the migrations and what they add take, at most. */
  readonly neededBytes: number
  /** How much room the disk of the database has. */
  readonly freeBytes: number
}

export interface BackupFolder {
  readonly path: string
  /** The name of a backup that is begun at this time. */
  nameAt(ms: number): string
  /** The path of a new backup. Creates the folder. @throws system errors when it cannot be created */
  fileAt(ms: number): string
  /** The backups with such names, the oldest first. @throws system errors when the folder cannot be read */
  backups(): readonly BackupFile[]
}

export interface BackupFile {
  readonly file: string
  /** When it was begun, in milliseconds since the epoch, precise to the second. */
  readonly at: number
}

export interface RestoreRequest {
  /** The backup, which is not changed. */
  readonly file: string
  /** Ends all sessions and all tokens. */
  readonly endsSessions: boolean
  readonly now: number
}

export interface Restored {
  /** How many transactions are in it. */
  readonly transactions: number
  /** The file that holds the replaced database; null when there was none. */
  readonly replaced: string | null
}

export interface VerifyRequest {
  /** Accepts the database as it is when the watermark says that transactions are missing. */
  readonly accepts: boolean
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}
