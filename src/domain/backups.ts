/** How the backups fare, for whoever watches this server. Times are milliseconds since the epoch, UTC. */
export interface BackupState {
  /** How often they are made; zero when there is no schedule. */
  readonly everyMs: number
  /** When this process began to; null when it has not. */
  readonly startedAt: number | null
  /** Of the newest one; null when there is none. */
  readonly lastSuccessAt: number | null
  /** Null when nothing failed since the last success. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | null
}
