import type { FactorUse, KeptCredential, SecondFactor, SpentToken, TotpSetup } from "../../../domain/model.ts"
import type { SecondFactorStore } from "../../../domain/store.ts"
import { secondFactorColumns } from "../../rows.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import { createJobInsert } from "../jobs.ts"
import { createEndAccess, createRequireNotEnded } from "./sessions.ts"

const nothing: KeptCredential = { session: null, token: null }

/** Thrown to roll back a transaction, because the challenge or the factor was used before. */
class UsedBefore extends Error {}

export function createSecondFactorStore(connection: Connection): SecondFactorStore {
  const { client, write, versions } = connection
  const writeAudit = createAuditWriter(connection)
  const endAccess = createEndAccess(client)
  const requireNotEnded = createRequireNotEnded(client)
  const insertJob = createJobInsert(client)
  const ofUser = client.prepare<SecondFactor, [number]>(
    `SELECT ${secondFactorColumns} FROM second_factors WHERE user_id = ? ORDER BY id`,
  )
  const setup = client.prepare<TotpSetup, [number, number]>(
    "SELECT key, expires_at AS expiresAt FROM totp_setups WHERE user_id = ? AND expires_at > ?",
  )
  const saveSetup = client.prepare(
    `INSERT INTO totp_setups (user_id, key, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET key = excluded.key, expires_at = excluded.expires_at`,
  )
  const insert = client.prepare<SecondFactor, (string | number | null)[]>(
    `INSERT INTO second_factors (user_id, kind, name, credential_id, transports, key, counter, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential_id) DO NOTHING RETURNING ${secondFactorColumns}`,
  )
  const spend = client.prepare<unknown, [Record<string, string | number | null>]>(
    `INSERT INTO spent_tokens (token_hash, expires_at) SELECT $tokenHash, $expiresAt FROM users
     WHERE id = $userId AND ($version IS NULL OR refresh_version = $version) ON CONFLICT DO NOTHING`,
  )
  // The counter of a passkey that is synced between devices stays 0.
  const countUse = client.prepare<unknown, [Record<string, string | number>]>(
    `UPDATE second_factors SET counter = $counter, last_used_at = $at
     WHERE id = $id AND user_id = $userId AND (counter < $counter OR (kind = 'passkey' AND counter = 0))`,
  )
  const useCode = client.prepare<unknown, [number, string]>(
    "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?",
  )
  const codesLeft = client.prepare<{ count: number }, [number]>(
    "SELECT count(*) AS count FROM recovery_codes WHERE user_id = ?",
  )
  const addCode = client.prepare("INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)")

  return {
    of: async (userId) => ofUser.all(userId),
    setupOf: async (userId, now) => setup.get(userId, now),
    beginSetup: async (userId, { key, expiresAt }) => {
      await write(() => saveSetup.run(userId, key, expiresAt))
    },
    add: async (userId, { kind, name, credentialId, transports, key, counter, createdAt }, kept, audit, notice) =>
      write(() => {
        requireNotEnded(userId, kept)
        const added = insert.get(userId, kind, name, credentialId, transports, key, counter, createdAt)
        if (!added) return null
        if (kind === "totp") client.run("DELETE FROM totp_setups WHERE user_id = ?", [userId])
        endAccess(userId, kept)
        versions.invalidate()
        writeAudit(audit)
        if (notice) insertJob(notice)
        return added
      }),
    use: async (userId, use, challenge, at, audit) => {
      try {
        await write(() => {
          if (!spendChallenge(userId, challenge) || !useFactor(userId, use, at)) throw new UsedBefore()
          writeAudit(audit)
        })
        return true
      } catch (error) {
        if (error instanceof UsedBefore) return false
        throw error
      }
    },
    remove: async (userId, id, kept, audit, notice) =>
      write(() => {
        requireNotEnded(userId, kept)
        if (client.run("DELETE FROM second_factors WHERE id = ? AND user_id = ?", [id, userId]).changes === 0)
          return false
        if (ofUser.all(userId).length === 0) client.run("DELETE FROM recovery_codes WHERE user_id = ?", [userId])
        endAccess(userId, kept)
        versions.invalidate()
        writeAudit(audit)
        if (notice) insertJob(notice)
        return true
      }),
    reset: async (userId, audit, notice) =>
      write(() => {
        const { length } = ofUser.all(userId)
        for (const table of ["second_factors", "recovery_codes", "totp_setups"])
          client.run(`DELETE FROM ${table} WHERE user_id = ?`, [userId])
        endAccess(userId, nothing)
        versions.invalidate()
        writeAudit(audit)
        if (notice && length > 0) insertJob(notice)
        return length
      }),
    recoveryCodesLeft: async (userId) => codesLeft.get(userId)?.count ?? 0,
    replaceRecoveryCodes: async (userId, codeHashes, credential, audit) =>
      write(() => {
        requireNotEnded(userId, credential)
        if (ofUser.all(userId).length === 0) return false
        client.run("DELETE FROM recovery_codes WHERE user_id = ?", [userId])
        for (const hash of codeHashes) addCode.run(userId, hash)
        writeAudit(audit)
        return true
      }),
    pruneSetups: async (now) => {
      // Checked without the write lock first: there is rarely anything to prune.
      if (client.query("SELECT 1 FROM totp_setups WHERE expires_at <= ? LIMIT 1").get(now))
        await write(() => client.run("DELETE FROM totp_setups WHERE expires_at <= ?", [now]))
    },
  }

  function spendChallenge(userId: number, { tokenHash, expiresAt, version }: SpentToken): boolean {
    return spend.run({ tokenHash, expiresAt, version, userId }).changes > 0
  }

  function useFactor(userId: number, use: FactorUse, at: number): boolean {
    return use.kind === "recovery"
      ? useCode.run(userId, use.codeHash).changes > 0
      : countUse.run({ id: use.factorId, userId, counter: use.counter, at }).changes > 0
  }
}
