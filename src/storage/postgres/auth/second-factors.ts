import type { FactorUse, SecondFactor, SpentToken, TotpSetup } from "../../../domain/model.ts"
import type { SecondFactorStore } from "../../../domain/store.ts"
import { secondFactorColumns } from "../../rows.ts"
import { writeAudit } from "../audit.ts"
import type { Client, Queries, Transaction } from "../database/client.ts"
import { sendJobs } from "../jobs.ts"
import { endAccess, lockAccounts, requireNotEnded } from "./sessions.ts"

/** Thrown to roll back a transaction, because the challenge or the factor was used before. */
class UsedBefore extends Error {}

export function createSecondFactorStore(client: Client): SecondFactorStore {
  return {
    of: (userId) => factorsOf(client, userId),
    async setupOf(userId, now) {
      const [setup] = await client.query<TotpSetup>(
        `SELECT key, expires_at AS "expiresAt" FROM totp_setups WHERE user_id = $1 AND expires_at > $2`,
        [userId, now],
      )
      return setup ?? null
    },
    async beginSetup(userId, { key, expiresAt }) {
      await client.change(
        `INSERT INTO totp_setups (user_id, key, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET key = excluded.key, expires_at = excluded.expires_at`,
        [userId, key, expiresAt],
      )
    },
    add: (userId, { kind, name, credentialId, transports, key, counter, createdAt }, kept, audit, notice) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, kept)
        const [added] = await tx.query<SecondFactor>(
          `INSERT INTO second_factors (user_id, kind, name, credential_id, transports, key, counter, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING ${secondFactorColumns}`,
          [userId, kind, name, credentialId, transports, key, counter, createdAt],
        )
        if (!added) return null
        if (kind === "totp") tx.send("DELETE FROM totp_setups WHERE user_id = $1", [userId])
        await endAccess(tx, userId, kept)
        writeAudit(tx, audit)
        if (notice) sendJobs(tx, [notice])
        return added
      }),
    async use(userId, use, challenge, at, audit) {
      try {
        await client.transaction(async (tx) => {
          lockAccounts(tx)
          if (!(await spendChallenge(tx, userId, challenge)) || !(await useFactor(tx, userId, use, at)))
            throw new UsedBefore()
          writeAudit(tx, audit)
        })
        return true
      } catch (error) {
        if (error instanceof UsedBefore) return false
        throw error
      }
    },
    remove: (userId, id, kept, audit, notice) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, kept)
        const [removed] = await tx.query("DELETE FROM second_factors WHERE id = $1 AND user_id = $2 RETURNING 1", [
          id,
          userId,
        ])
        if (!removed) return false
        tx.send(
          "DELETE FROM recovery_codes WHERE user_id = $1 AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = $1)",
          [userId],
        )
        await endAccess(tx, userId, kept)
        writeAudit(tx, audit)
        if (notice) sendJobs(tx, [notice])
        return true
      }),
    reset: (userId, audit, notice) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const removed = await tx.query("DELETE FROM second_factors WHERE user_id = $1 RETURNING 1", [userId])
        tx.send("DELETE FROM recovery_codes WHERE user_id = $1", [userId])
        tx.send("DELETE FROM totp_setups WHERE user_id = $1", [userId])
        await endAccess(tx, userId, { session: null, token: null })
        writeAudit(tx, audit)
        if (notice && removed.length > 0) sendJobs(tx, [notice])
        return removed.length
      }),
    async recoveryCodesLeft(userId) {
      const [row] = await client.query<{ count: number }>(
        "SELECT count(*) AS count FROM recovery_codes WHERE user_id = $1",
        [userId],
      )
      return row?.count ?? 0
    },
    replaceRecoveryCodes: (userId, codeHashes, credential, audit) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, credential)
        if ((await factorsOf(tx, userId)).length === 0) return false
        tx.send("DELETE FROM recovery_codes WHERE user_id = $1", [userId])
        tx.send("INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])", [userId, codeHashes])
        writeAudit(tx, audit)
        return true
      }),
    async pruneSetups(now) {
      await client.change("DELETE FROM totp_setups WHERE expires_at <= $1", [now])
    },
  }
}

const factorsOf = ({ query }: Queries, userId: number): Promise<SecondFactor[]> =>
  query<SecondFactor>(`SELECT ${secondFactorColumns} FROM second_factors WHERE user_id = $1 ORDER BY id`, [userId])

async function spendChallenge({ query }: Transaction, userId: number, challenge: SpentToken): Promise<boolean> {
  const { tokenHash, expiresAt, version } = challenge
  const [spent] = await query(
    `INSERT INTO spent_tokens (token_hash, expires_at) SELECT $1, $2 FROM users
     WHERE id = $3 AND ($4::bigint IS NULL OR refresh_version = $4) ON CONFLICT DO NOTHING RETURNING 1`,
    [tokenHash, expiresAt, userId, version],
  )
  return spent !== undefined
}

async function useFactor({ query }: Transaction, userId: number, use: FactorUse, at: number): Promise<boolean> {
  const used =
    use.kind === "recovery"
      ? await query("DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING 1", [
          userId,
          use.codeHash,
        ])
      : // The counter of a passkey that is synced between devices stays 0.
        await query(
          `UPDATE second_factors SET counter = $3, last_used_at = $4
           WHERE id = $1 AND user_id = $2 AND (counter < $3 OR (kind = 'passkey' AND counter = 0)) RETURNING 1`,
          [use.factorId, userId, use.counter, at],
        )
  return used.length > 0
}
