import { DomainError } from "../domain/errors.ts"
import { pushWork } from "../domain/push/model.ts"
import type { PushStore } from "../domain/push/ports.ts"
import { lockAccounts, requireNotEnded } from "./auth/access.ts"
import { countOf, type Database, one } from "./database.ts"
import { prune } from "./pruning.ts"
import { isRecognition } from "./recognition/recognitions.ts"
import { columnsOf, fields, returning, row, select, set, sql } from "./sql.ts"
import { jobProgress, pushDevices, pushKeys, transactions, users } from "./tables.ts"

const keys = fields(columnsOf(pushKeys, "id"))
const device = fields(columnsOf(pushDevices, "sessionHash", "endsAt"))

/** A device without this time is from before sessions were stored with devices. */
const isOpen = (now: number) => sql`${pushDevices.endsAt} > ${now}`

export function createPushStore(db: Database): PushStore {
  const stored = select(keys)`FROM ${pushKeys}`
  return {
    keys: () => db.first(stored),

    keepKeys: (made, replaced) =>
      db.write(async (tx) => {
        const removed = await tx.run(sql`DELETE FROM ${pushKeys} WHERE ${pushKeys.publicKey} = ${replaced}::text`)
        if (removed > 0) tx.send(sql`DELETE FROM ${pushDevices}`)
        tx.send(sql`INSERT INTO ${pushKeys} ${row(pushKeys, { id: 1, ...made })} ON CONFLICT (id) DO NOTHING`)
        return one(tx, stored)
      }),

    devicesOf: (userId, now) =>
      db.all(select(device)`FROM ${pushDevices}
        WHERE ${pushDevices.userId} = ${userId} AND ${isOpen(now)} ORDER BY ${pushDevices.id}`),

    device: (id, now) =>
      db.first(select(device)`FROM ${pushDevices} WHERE ${pushDevices.id} = ${id} AND ${isOpen(now)}`),

    add: (added, max, credential) =>
      db.write(async (tx) => {
        const { userId, endpoint, p256dh, auth, name, createdAt, endsAt } = added
        const { session: sessionHash } = credential
        const renewed = { p256dh, auth, name, silences: 0, silentSince: null }
        lockAccounts(tx)
        await requireNotEnded(tx, userId, credential)
        tx.send(sql`INSERT INTO ${jobProgress} (work, reached)
          SELECT ${pushWork}, CAST(coalesce(max(${transactions.id}), 0) AS text) FROM ${transactions} WHERE true
          ON CONFLICT (work) DO NOTHING`)
        tx.send(sql`DELETE FROM ${pushDevices}
          WHERE ${pushDevices.endpoint} = ${endpoint} AND ${pushDevices.userId} <> ${userId}`)
        const known = await tx.first(
          returning(device)`UPDATE ${pushDevices} SET ${set(pushDevices, { ...renewed, sessionHash, endsAt })}
            WHERE ${pushDevices.endpoint} = ${endpoint}`,
        )
        if (known) return known
        const others = sql`${pushDevices} WHERE ${pushDevices.userId} = ${userId} AND ${isOpen(createdAt)}`
        if ((await countOf(tx, others)) >= max) throw new DomainError("too_many_devices")
        return one(tx, returning(device)`INSERT INTO ${pushDevices} ${row(pushDevices, { ...added, sessionHash })}`)
      }),

    remove: (userId, id) =>
      db.write(async (tx) => {
        const removed = await tx.run(
          sql`DELETE FROM ${pushDevices} WHERE ${pushDevices.id} = ${id} AND ${pushDevices.userId} = ${userId}`,
        )
        return removed > 0
      }),

    saveUse: (id, at) =>
      db.write(async (tx) =>
        tx.send(sql`UPDATE ${pushDevices} SET last_used_at = ${at} WHERE ${pushDevices.id} = ${id}`),
      ),

    prune: (now) =>
      prune(db, {
        table: pushDevices,
        condition: sql`coalesce(${pushDevices.endsAt}, 0) <= ${now}`,
      }),

    saveSilence: (id, silence) =>
      db.write(async (tx) =>
        tx.send(sql`UPDATE ${pushDevices} SET ${set(pushDevices, silence)} WHERE ${pushDevices.id} = ${id}`),
      ),

    due: (after, through, now) =>
      db.all(
        select(due)`FROM ${transactions}
          JOIN ${pushDevices} ON ${pushDevices.userId} = ${transactions.userId}
          JOIN ${users} ON ${users.id} = ${transactions.userId} AND ${users.deactivatedAt} IS NULL
        WHERE ${transactions.id} > ${after} AND ${transactions.id} <= ${through} AND ${isRecognition}
          AND ${isOpen(now)}
        ORDER BY ${transactions.id}, ${pushDevices.id}`,
      ),
  }
}

const due = fields({ transactionId: transactions.id, deviceId: pushDevices.id, userId: pushDevices.userId })
