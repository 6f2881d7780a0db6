import type { SecretlessConfig } from "../config/settings.ts"
import type { Clock } from "../domain/clock.ts"
import type { BackupState, StoreHealth } from "../domain/health.ts"
import type { Store } from "../domain/store.ts"
import type { Log } from "../support/log.ts"
import type { BackupFile } from "./maintenance.ts"

export interface StoreOptions {
  /** Where the data is. */
  readonly db: SecretlessConfig["db"]
  /** IANA name of the time zone of days and periods; absent: UTC. */
  readonly timeZone?: string
  readonly clock?: Clock
  readonly log?: Log
  /** A database file of up to this many megabytes gets a full integrity check first; absent or 0: none does. */
  readonly verifyMb?: number | undefined
  /** Called at each step of a migration of an existing database; by default the steps are logged. */
  readonly onMigrating?: (text: string) => void
  /**
   * Called once when nothing can be written any more, because the state on disk is unknown or the files are gone. The
   * process should end.
   */
  readonly onUnusable?: (error: unknown) => void
  /** Whether statements on a file run in threads of their own, as a server needs. */
  readonly inThreads?: boolean | undefined
  /** Called after every commit of the ledger. */
  readonly onCommit?: ObserveCommit | undefined
}

/** How many entries a batch held, refused ones included, and how long the commit took. */
export type ObserveCommit = (commit: { readonly entries: number; readonly ms: number }) => void

/** A store that is open and up to date. */
export interface OpenStore extends Store {
  /** Tags of the migrations that this opening applied. */
  readonly migrated: readonly string[]
  readonly health: StoreHealth
  /** Null when the data is not in a file of this machine. */
  readonly file: DatabaseFile | null
}

/** What only a database file has: a disk that may fill up, and backups by the server itself. */
interface DatabaseFile {
  readonly path: string
  /** Bytes that this process may still write to the disk of the file. @throws system errors */
  freeBytes(): Promise<number>
  scheduleBackups(plan: BackupPlan): BackupSchedule
}

export interface BackupPlan {
  /** The time between two backups; 0: no scheduled backups. */
  readonly everyMs: number
  /** How many backups stay in the folder. */
  readonly keep: number
  /** The folder; a relative one begins beside the database. */
  readonly dir: string
  /**
   * Writes a verified backup to this file, completely or not at all. Rejects with the reason and its cure once it has
   * ended; the schedule removes partial files. Absent: this process writes it itself.
   */
  readonly backUp?: ((file: string, signal: AbortSignal) => Promise<void>) | undefined
  readonly clock: Clock
  readonly log: Log
}

export interface BackupSchedule {
  start(): void
  /** Aborts a running backup. */
  stop(): Promise<void>
  state(): BackupState
  /** The newest backup in the folder that is not from the future; null when there is none. */
  newest(): BackupFile | null
}

/** The database cannot be served. The message continues "cannot use the database NAME: " and names the cure. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable"
}

export const notUpToDate = (then: "copy" | "verify") =>
  new DatabaseUnusable(`it is not up to date; bring it up to date with \`rewards migrate\`, then ${then} it`)

export const nothingYet = () => new DatabaseUnusable("there is nothing in it yet")

export const ledgerStateMissing = () => new DatabaseUnusable("the state of the ledger is missing; see `rewards verify`")

/** When a client should retry a request that failed because the database cannot be used for now. */
export const retryAfterSeconds = 5
