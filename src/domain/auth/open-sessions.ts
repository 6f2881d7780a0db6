import type { AuditEntry } from "../audit-entries.ts"

/** The part of the port that keeps cookie sessions; store.ts has the rest. Times are milliseconds since the epoch, UTC. */

/** A cookie session. The store never sees its id, only the id's hash. */
export interface Session {
  readonly idHash: string
  readonly username: string
  readonly expiresAt: number
}

/** A session as whoever looks after the server sees it. Both are null of those that an earlier version opened. */
export interface OpenSession extends Session {
  readonly openedAt: number | null
  /** The IP address that it was opened from. */
  readonly address: string | null
}

export interface SessionStore {
  /** Opens one and ends the one whose hash is `replaces`. */
  open(session: OpenSession, replaces: string | null): Promise<void>
  /** Null when there is none or it has expired by `now`. */
  find(idHash: string, now: number): Promise<Session | null>
  /** Those that have not expired by `now`, of this user or of everybody, by user name, the last to expire first. */
  list(username: string | null, now: number): Promise<OpenSession[]>
  /** Ending an unknown session does nothing. */
  end(idHash: string, entry?: AuditEntry): Promise<void>
  prune(now: number): Promise<void>
  /** Grows with every change, by any process, that may end a session or a token before it expires. */
  accessChanges(): Promise<number>
}
