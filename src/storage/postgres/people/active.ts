import type { Transaction } from "../database/client.ts"

/** Deactivates a user, or reactivates one (null), and ends all sessions and tokens. Call `lockLedger` and then `lockAccounts` first. */
export function setActive({ send }: Transaction, userId: number, deactivatedAt: number | null) {
  send(
    `UPDATE users SET deactivated_at = $2, access_version = access_version + 1, refresh_version = refresh_version + 1,
       kept_token = NULL WHERE id = $1`,
    [userId, deactivatedAt],
  )
  send("DELETE FROM sessions WHERE username = (SELECT username FROM users WHERE id = $1)", [userId])
}
