import type { Database } from "bun:sqlite"
import { DomainError, type ErrorCode } from "../../../domain/errors.ts"
import type { KeptCredential } from "../../../domain/model.ts"

/**
 * Ends every session and token of a user except `kept`, and returns the number of sessions ended. Runs in the transaction
 * of the caller, who must then invalidate the user cache.
 */
export function createEndAccess(client: Database) {
  const endTokens = client.prepare<{ username: string }, [number, string | null, number | null]>(
    `UPDATE users SET access_version = access_version + 1, refresh_version = refresh_version + 1,
       kept_token = CASE WHEN access_version = coalesce(?3, access_version) OR kept_token = ?2 THEN ?2 END
     WHERE id = ?1 RETURNING username`,
  )
  const endSessions = client.prepare<{ ended: number }, [string, string | null]>(
    "DELETE FROM sessions WHERE username = ? AND id_hash IS NOT ? RETURNING 1 AS ended",
  )
  return (userId: number, { session, token, accessVersion }: KeptCredential): number => {
    const user = endTokens.get(userId, token, accessVersion ?? null)
    return user === null ? 0 : endSessions.all(user.username, session).length
  }
}

/**
 * Refuses a request whose session or access token has ended since it was checked. Runs in the transaction of the
 * caller. The returned function throws DomainError with `code`.
 */
export function createRequireNotEnded(client: Database) {
  // A session that has ended has no row.
  const find = client.prepare<unknown, [number, string | null, string | null, number | null]>(
    `SELECT 1 FROM users u WHERE id = ?1 AND CASE
       WHEN ?2 IS NULL THEN access_version = coalesce(?4, access_version) OR kept_token = ?3
       ELSE EXISTS (SELECT 1 FROM sessions WHERE id_hash = ?2 AND username = u.username) END`,
  )
  return (userId: number, { session, token, accessVersion }: KeptCredential, code: ErrorCode = "bad_credentials") => {
    if (!find.get(userId, session, token, accessVersion ?? null)) throw new DomainError(code)
  }
}

/**
 * Deactivates a user, or reactivates one (null), and ends all sessions and tokens. A user who is inactive already keeps
 * the time of the deactivation. Runs in the transaction of the caller, who must then invalidate the caches of users and
 * accounts.
 */
export function createSetActive(client: Database) {
  const update = client.prepare<unknown, [number | null, number]>(
    `UPDATE users SET deactivated_at = CASE WHEN ?1 IS NOT NULL THEN coalesce(deactivated_at, ?1) END,
       access_version = access_version + 1, refresh_version = refresh_version + 1, kept_token = NULL WHERE id = ?2`,
  )
  const endSessions = client.prepare<unknown, [number]>(
    "DELETE FROM sessions WHERE username = (SELECT username FROM users WHERE id = ?)",
  )
  return (userId: number, deactivatedAt: number | null) => {
    update.run(deactivatedAt, userId)
    endSessions.run(userId)
  }
}
