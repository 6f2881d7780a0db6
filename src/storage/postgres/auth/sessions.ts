import { DomainError, type ErrorCode } from "../../../domain/errors.ts"
import type { KeptCredential, Session } from "../../../domain/model.ts"
import type { SessionStore } from "../../../domain/store.ts"
import type { Client, Transaction } from "../database/client.ts"
import { cacheByTick } from "../database/gather.ts"

/** `SessionStore.find`, with the sessions of a tick in one read, and in memory until one ends. */
export function createFindSession(client: Client): SessionStore["find"] {
  const find = cacheByTick<Session>(client, {
    columns: `id_hash AS "idHash", username, expires_at AS "expiresAt"`,
    join: "sessions ON id_hash = ANY($1)",
    key: "idHash",
  })
  return async (idHash, now) => {
    const session = await find(idHash)
    return session !== null && session.expiresAt > now ? session : null
  }
}

/** Ends every session and token of a user except `kept`, and returns how many sessions. Call `lockAccounts` first. */
export async function endAccess(
  tx: Transaction,
  userId: number,
  { session, token, accessVersion }: KeptCredential,
): Promise<number> {
  const [user] = await tx.query<{ username: string }>(
    `UPDATE users SET access_version = access_version + 1, refresh_version = refresh_version + 1,
       kept_token = CASE WHEN access_version = coalesce($3, access_version) OR kept_token = $2 THEN $2 END
     WHERE id = $1 RETURNING username`,
    [userId, token, accessVersion ?? null],
  )
  return user === undefined ? 0 : endSessions(tx, user.username, session)
}

/** Ends every session of a user except the one whose `id_hash` is `kept`, and returns their number. */
export async function endSessions(tx: Transaction, username: string, kept: string | null): Promise<number> {
  const ended = await tx.query(
    "DELETE FROM sessions WHERE username = $1 AND id_hash IS DISTINCT FROM $2::text RETURNING 1",
    [username, kept],
  )
  return ended.length
}

/**
 * Refuses a request whose session or access token has ended since it was checked. Call `lockAccounts` first.
 * @throws DomainError with `code`
 */
export async function requireNotEnded(
  { query }: Transaction,
  userId: number,
  { session, token, accessVersion }: KeptCredential,
  code: ErrorCode = "bad_credentials",
): Promise<void> {
  // A session that has ended has no row.
  const [found] = await query(
    `SELECT FROM users u WHERE id = $1 AND CASE
       WHEN $2::text IS NULL THEN access_version = coalesce($4, access_version) OR kept_token = $3
       ELSE EXISTS (SELECT FROM sessions WHERE id_hash = $2 AND username = u.username) END`,
    [userId, session, token, accessVersion ?? null],
  )
  if (!found) throw new DomainError(code)
}

/**
 * Deactivates a user, or reactivates one (null), and ends all sessions and tokens. A user who is inactive already keeps
 * the time of the deactivation. Call `lockLedger` and then `lockAccounts` first.
 */
export function setActive({ send }: Transaction, userId: number, deactivatedAt: number | null) {
  send(
    `UPDATE users SET deactivated_at = CASE WHEN $2::bigint IS NOT NULL THEN coalesce(deactivated_at, $2) END,
       access_version = access_version + 1, refresh_version = refresh_version + 1, kept_token = NULL WHERE id = $1`,
    [userId, deactivatedAt],
  )
  send("DELETE FROM sessions WHERE username = (SELECT username FROM users WHERE id = $1)", [userId])
}

/**
 * Every transaction that changes users or ends sessions takes this lock before it changes them, and holds it until the
 * commit. So no two confusable names can be added at the same moment, and no two transactions deadlock: the triggers of
 * both tables update the same row.
 */
export function lockAccounts({ send }: Transaction) {
  send("SELECT FROM access_changes FOR UPDATE")
}

/**
 * Every transaction that deactivates people takes this lock before any other. No transfer to or from them is then between
 * its checks and its commit.
 */
export function lockLedger({ send }: Transaction) {
  send("SELECT FROM ledger_state FOR UPDATE")
}
