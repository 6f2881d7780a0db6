/** Every action that the audit log records. */
export const auditActions = [
  "login",
  "login_failed",
  "identity_linked",
  "identity_unlinked",
  "user_created",
  "users_imported",
  "invited",
  "exported",
  "points_sent",
  "points_granted",
  "points_reversed",
  "reply_hidden",
  "reply_shown",
  "allowance_added",
  "allowance_changed",
  "allowance_removed",
  "allowance_run",
  "programme_changed",
  "reward_created",
  "reward_changed",
  "reward_fulfilled",
  "reward_declined",
  "user_renamed",
  "profile_changed",
  "dept_changed",
  "duties_changed",
  "dept_renamed",
  "manager_changed",
  "password_changed",
  "user_deactivated",
  "user_reactivated",
  "user_erased",
  "access_ended",
  "token_created",
  "token_revoked",
  "second_factor_added",
  "second_factor_removed",
  "second_factors_reset",
  "recovery_codes_created",
  "recovery_code_used",
  "mail_retried",
  "webhook_added",
  "webhook_changed",
  "webhook_removed",
  "webhook_replayed",
  "webhook_skipped",
  "webhook_stopped",
  "settings",
  "shell",
  "backup",
  "restore",
  "copy",
] as const

export type AuditAction = (typeof auditActions)[number]

/** Who acts, and over which interface. */
export interface Origin {
  /** A username; on the command line, the operator's name on the system; null when nobody is authenticated. */
  readonly who: string | null
  readonly way: "http" | "command line" | "server"
  /** An IP address; null when the request has none. */
  readonly address: string | null
}

/**
 * Values of what an action changed, by the names of the interface. A person in the audience of an allowance stands
 * there as an id (see `withNames`). Never a secret.
 */
export type AuditValues = Readonly<Record<string, unknown>>

/** What an action changed; null on the side where there was nothing. */
export interface AuditChange {
  readonly before: AuditValues | null
  readonly after: AuditValues | null
}

/** An entry, or what makes it of a thing as it is stored before and after the change. */
export type EntryOf<Thing> = AuditEntry | ((before: Thing, after: Thing) => AuditEntry)

export interface AuditEntry extends Origin, AuditChange {
  readonly at: number
  readonly action: AuditAction
  /** Username of the person whom the action is about; null when it is about nobody in particular. */
  readonly whom: string | null
  /**
   * How many times it happened, the last time at `at`. Equal entries of one minute are one. So are repeated failures, and what
   * people change in their own profile within a minute.
   */
  readonly count: number
  /** Anything else worth knowing. Never a secret. */
  readonly detail: string | null
}

export interface AuditRecord extends AuditEntry {
  readonly id: number
}

interface AuditQuery {
  /** Matches `who` and `whom`, also by former usernames of the person who has this one. */
  readonly user?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: number | undefined
  /** At most this many, the newest. */
  readonly limit: number
}

/** All fields that are present must match. */
export interface AuditFilter {
  /** Likewise. */
  readonly who?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: number | undefined
  /** Exclusive. */
  readonly until?: number | undefined
}

/** The audit log. Entries cannot be changed, except by an equal one of the same minute, which they take up. */
export interface AuditStore {
  /** All in one commit. */
  append(entries: readonly AuditEntry[]): Promise<void>
  /** Ascending by id, which is the order of writing. */
  list(query: AuditQuery): Promise<AuditRecord[]>
  /** Newest first, with ids below `before`, in slices that may be empty. */
  slices(filter: AuditFilter, before?: number): AsyncGenerator<AuditRecord[], void>
  /** Deletes entries from before this time. The database refuses every other deletion. */
  prune(before: number): Promise<void>
}
