import type { Database } from "bun:sqlite"

/**
 * Deactivates a user, or reactivates one (null), and ends all sessions and tokens. Runs in the transaction of the caller,
 * who must then invalidate the caches of users and accounts.
 */
export function createSetActive(client: Database) {
  const update = client.prepare<unknown, [number | null, number]>(
    `UPDATE users SET deactivated_at = ?, access_version = access_version + 1, refresh_version = refresh_version + 1,
       kept_token = NULL WHERE id = ?`,
  )
  const endSessions = client.prepare<unknown, [number]>(
    "DELETE FROM sessions WHERE username = (SELECT username FROM users WHERE id = ?)",
  )
  return (userId: number, deactivatedAt: number | null) => {
    update.run(deactivatedAt, userId)
    endSessions.run(userId)
  }
}
