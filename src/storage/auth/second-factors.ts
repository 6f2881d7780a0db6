import type { FactorUse } from "../../domain/auth/model.ts"
import type { SecondFactorStore } from "../../domain/auth/ports.ts"
import type { KeptCredential, SpentToken } from "../../domain/people/credentials.ts"
import { writeAudit } from "../audit.ts"
import { countOf, type Database, type Tx } from "../database.ts"
import { insertJobs } from "../jobs.ts"
import { prune } from "../pruning.ts"
import { columnsOf, fields, list, returning, row, select, sql } from "../sql.ts"
import { recoveryCodes, secondFactors, spentTokens, totpSetups, users } from "../tables.ts"
import { endAccess, lockAccounts, requireNotEnded } from "./access.ts"

const factor = fields(columnsOf(secondFactors, "userId"))
const setup = fields({ key: totpSetups.key, expiresAt: totpSetups.expiresAt })

const nothing: KeptCredential = { session: null, token: null }

/** Thrown to roll back a transaction, because the challenge or the factor was used before. */
class UsedBefore extends Error {}

export function createSecondFactorStore(db: Database): SecondFactorStore {
  return {
    of: (userId) => db.all(factorsOf(userId)),
    setupOf: (userId, now) =>
      db.first(
        select(setup)`FROM ${totpSetups} WHERE ${totpSetups.userId} = ${userId} AND ${totpSetups.expiresAt} > ${now}`,
      ),
    beginSetup: (userId, { key, expiresAt }) =>
      db.write(async (tx) =>
        tx.send(sql`INSERT INTO ${totpSetups} ${row(totpSetups, { userId, key, expiresAt })}
          ON CONFLICT (user_id) DO UPDATE SET key = excluded.key, expires_at = excluded.expires_at`),
      ),
    add: (userId, newFactor, kept, audit, notice) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, kept)
        const added = await tx.first(returning(factor)`
          INSERT INTO ${secondFactors} ${row(secondFactors, { userId, ...newFactor })}
          ON CONFLICT (credential_id) DO NOTHING`)
        if (added === null) return null
        if (newFactor.kind === "totp") endSetup(tx, userId)
        await endAccess(tx, userId, kept)
        writeAudit(tx, audit)
        if (notice) insertJobs(tx, [notice])
        return added
      }),
    async use(userId, use, challenge, at, audit) {
      try {
        await db.write(async (tx) => {
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
      db.write(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, kept)
        const removed = await tx.run(
          sql`DELETE FROM ${secondFactors} WHERE ${secondFactors.id} = ${id} AND ${secondFactors.userId} = ${userId}`,
        )
        if (removed === 0) return false
        if ((await tx.all(factorsOf(userId))).length === 0) endRecoveryCodes(tx, userId)
        await endAccess(tx, userId, kept)
        writeAudit(tx, audit)
        if (notice) insertJobs(tx, [notice])
        return true
      }),
    reset: (userId, audit, notice) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const removed = await tx.run(sql`DELETE FROM ${secondFactors} WHERE ${secondFactors.userId} = ${userId}`)
        endRecoveryCodes(tx, userId)
        endSetup(tx, userId)
        await endAccess(tx, userId, nothing)
        writeAudit(tx, audit)
        if (notice && removed > 0) insertJobs(tx, [notice])
        return removed
      }),
    recoveryCodesLeft: (userId) => countOf(db, sql`${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId}`),
    replaceRecoveryCodes: (userId, codeHashes, credential, audit) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        await requireNotEnded(tx, userId, credential)
        if ((await tx.all(factorsOf(userId))).length === 0) return false
        endRecoveryCodes(tx, userId)
        tx.send(sql`INSERT INTO ${recoveryCodes} (user_id, code_hash)
          SELECT ${userId}::bigint, value FROM ${list("added", codeHashes, "text")}`)
        writeAudit(tx, audit)
        return true
      }),
    pruneSetups: (now) =>
      prune(db, {
        table: totpSetups,
        condition: sql`${totpSetups.expiresAt} <= ${now}`,
      }),
  }
}

const factorsOf = (userId: number) =>
  select(factor)`FROM ${secondFactors} WHERE ${secondFactors.userId} = ${userId} ORDER BY ${secondFactors.id}`

const endSetup = (tx: Tx, userId: number) =>
  tx.send(sql`DELETE FROM ${totpSetups} WHERE ${totpSetups.userId} = ${userId}`)

const endRecoveryCodes = (tx: Tx, userId: number) =>
  tx.send(sql`DELETE FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId}`)

async function spendChallenge(tx: Tx, userId: number, challenge: SpentToken): Promise<boolean> {
  const { tokenHash, expiresAt, version = null } = challenge
  const spent = await tx.run(sql`
    INSERT INTO ${spentTokens} (token_hash, expires_at) SELECT ${tokenHash}::text, ${expiresAt}::bigint FROM ${users}
    WHERE ${users.id} = ${userId} AND (${version}::bigint IS NULL OR ${users.refreshVersion} = ${version})
    ON CONFLICT DO NOTHING`)
  return spent > 0
}

/**
 * How many steps the code that was used last may be ahead of one that is used now, because codes of the step before and of
 * the next one are accepted. A wrong clock counted one that is further ahead.
 */
const furthestStep = 2

async function useFactor(tx: Tx, userId: number, use: FactorUse, at: number): Promise<boolean> {
  const used = await tx.run(
    use.kind === "recovery"
      ? sql`DELETE FROM ${recoveryCodes}
          WHERE ${recoveryCodes.userId} = ${userId} AND ${recoveryCodes.codeHash} = ${use.codeHash}`
      : // The counter of a passkey that is synced between devices stays 0.
        sql`UPDATE ${secondFactors} SET counter = ${use.counter}, last_used_at = ${at}
          WHERE ${secondFactors.id} = ${use.factorId} AND ${secondFactors.userId} = ${userId}
            AND (counter < ${use.counter} OR (kind = 'passkey' AND counter = 0)
              OR (kind = 'totp' AND counter > ${use.counter + furthestStep}))`,
  )
  return used > 0
}
