import type { AuditEntry } from "../../domain/audit/ports.ts"
import { DomainError, type ErrorCode } from "../../domain/errors.ts"
import type { KeptCredential } from "../../domain/people/credentials.ts"
import { exists, type Tx } from "../database.ts"
import { handOverReports } from "../people/managers.ts"
import { fields, returning, sql } from "../sql.ts"
import { accessChanges, ledgerState, pushDevices, sessions, users } from "../tables.ts"

/**
 * Every transaction that changes users or ends sessions takes this lock before it changes them, and holds it until the
 * commit. So no two confusable names can be added at the same moment, and no two transactions deadlock: the triggers of
 * both tables update the same row.
 */
export function lockAccounts(tx: Pick<Tx, "send">) {
  tx.send(sql`SELECT 1 FROM ${accessChanges} FOR UPDATE`)
}

/**
 * Every transaction that deactivates people takes this lock before any other. No transfer to or from them is then between
 * its checks and its commit.
 */
export function lockLedger(tx: Pick<Tx, "send">) {
  tx.send(sql`SELECT 1 FROM ${ledgerState} FOR UPDATE`)
}

const ended = fields({ username: users.username })

/** Ends every session and token of a user except `kept`, and their notifications, and returns how many sessions. Call `lockAccounts` first. */
export async function endAccess(
  tx: Tx,
  userId: number,
  { session, token, accessVersion }: KeptCredential,
): Promise<number> {
  const user = await tx.first(returning(ended)`
    UPDATE ${users} SET access_version = access_version + 1, refresh_version = refresh_version + 1,
      kept_token = CASE WHEN access_version = coalesce(${accessVersion ?? null}::bigint, access_version)
        OR kept_token = ${token}::text THEN ${token}::text END
    WHERE id = ${userId}`)
  if (user === null) return 0
  endPush(tx, userId)
  return endSessions(tx, user.username, session)
}

/** Ends the notifications for which access tokens of a user asked. Those of a session end with its row. */
export const endPush = (tx: Pick<Tx, "send">, userId: number) =>
  tx.send(
    sql`DELETE FROM ${pushDevices} WHERE ${pushDevices.userId} = ${userId} AND ${pushDevices.sessionHash} IS NULL`,
  )

/** Ends every session of a user except the one whose `idHash` is `kept`, and returns their number. */
export const endSessions = (tx: Tx, username: string, kept: string | null): Promise<number> =>
  tx.run(sql`DELETE FROM ${sessions}
    WHERE ${sessions.username} = ${username} AND ${sessions.idHash} IS DISTINCT FROM ${kept}::text`)

/**
 * Refuses a request whose session or access token has ended since it was checked. Call `lockAccounts` first.
 * @throws DomainError with `code`
 */
export async function requireNotEnded(
  tx: Tx,
  userId: number,
  { session, token, accessVersion }: KeptCredential,
  code: ErrorCode = "bad_credentials",
): Promise<void> {
  // A session that has ended has no row.
  const isValid = await exists(
    tx,
    sql`${users} WHERE ${users.id} = ${userId} AND CASE
    WHEN ${session}::text IS NULL
    THEN ${users.accessVersion} = coalesce(${accessVersion ?? null}::bigint, ${users.accessVersion})
      OR ${users.keptToken} = ${token}::text
    ELSE EXISTS (SELECT 1 FROM ${sessions}
      WHERE ${sessions.idHash} = ${session} AND ${sessions.username} = ${users.username}) END`,
  )
  if (!isValid) throw new DomainError(code)
}

/**
 * Deactivates a user, or reactivates one (null), and ends all sessions, tokens, notifications and duties. Those who report to
 * somebody who leaves report to that person's manager from then on. A user who is inactive already keeps the time of the
 * deactivation. Call `lockLedger` and then `lockAccounts` first. `entry` says who does it.
 */
export function setActive(
  tx: Pick<Tx, "send">,
  userId: number,
  deactivatedAt: number | null,
  entry: AuditEntry | undefined,
) {
  if (deactivatedAt !== null) handOverReports(tx, userId, entry)
  tx.send(sql`UPDATE ${users} SET access_version = access_version + 1, refresh_version = refresh_version + 1,
      kept_token = NULL, duties = '',
      deactivated_at = CASE WHEN ${deactivatedAt}::bigint IS NOT NULL THEN coalesce(deactivated_at, ${deactivatedAt}) END
    WHERE ${users.id} = ${userId}`)
  endPush(tx, userId)
  tx.send(sql`DELETE FROM ${sessions}
    WHERE ${sessions.username} = (SELECT ${users.username} FROM ${users} WHERE ${users.id} = ${userId})`)
}
