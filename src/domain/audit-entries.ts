/** The part of the port that remembers who did what; store.ts has the rest. Times are milliseconds since the epoch, UTC. */

/** Everything that leaves an entry. */
export const auditActions = [
  "login",
  "login_failed",
  "user_created",
  "users_imported",
  "exported",
  "points_sent",
  "points_granted",
  "profile_changed",
  "dept_changed",
  "password_changed",
  "access_ended",
  "settings",
  "shell",
  "backup",
  "restore",
] as const

export type AuditAction = (typeof auditActions)[number]

/** Who acts, and from where. */
export interface Origin {
  /** A user name, or over the command line the name of the system's user; null when nobody has shown who it is. */
  readonly who: string | null
  readonly way: "http" | "command line" | "server"
  /** An IP address; null where there is none. */
  readonly address: string | null
}

export interface AuditEntry extends Origin {
  readonly at: number
  readonly action: AuditAction
  /** The user whom it befell; null when it was nobody in particular. */
  readonly whom: string | null
  /** How often, until `at`: failures that repeat share an entry. */
  readonly count: number
  /** What else there is to say; never a secret. */
  readonly detail: string | null
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

export interface AuditQuery {
  /** As who or as whom. */
  readonly user?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: number | undefined
  /** The newest so many. */
  readonly limit: number
}

export interface AuditStore {
  /** All of them in one commit. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** Ascending by id, which is the order in which they were written. */
  list(query: AuditQuery): Promise<AuditRecord[]>
  /** Forgets entries from before this time, for good: none of them can be kept any more. */
  prune(before: number): Promise<void>
}

/** What an act leaves. */
export const auditEntry = (
  { who, way, address }: Origin,
  at: number,
  action: AuditAction,
  { whom = null, detail = null }: { whom?: string | null; detail?: string | null } = {},
): AuditEntry => ({ at, action, who, whom, way, address, count: 1, detail })
