import type { Database } from "bun:sqlite"
import { DomainError } from "../../domain/errors.ts"
import type { Redemption } from "../../domain/model.ts"
import { avatarPath } from "../../domain/people/avatars.ts"
import type { RewardStore } from "../../domain/store.ts"
import type { LockedCatalogue } from "../postings.ts"
import {
  changedRewardColumns,
  type RewardRow,
  redemptionColumns,
  redemptionFilter,
  redemptionRows,
  rewardColumns,
  rewardOf,
} from "../rows.ts"
import { createAuditWriter } from "./audit.ts"
import { type Connection, mapped, type Value } from "./database/connection.ts"
import { createJobInsert } from "./jobs.ts"
import { createRemember } from "./ledger/idempotency-keys.ts"

export function createRewardStore(connection: Connection): RewardStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const remember = createRemember(client)
  const insertJob = createJobInsert(client)
  const all = client.prepare<RewardRow, []>(`SELECT ${rewardColumns} FROM rewards ORDER BY id`)
  const one = client.prepare<RewardRow, [number]>(`SELECT ${rewardColumns} FROM rewards WHERE id = ?`)
  const counts = client.prepare<{ rewardId: number; count: number }, [number]>(
    `SELECT reward_id AS rewardId, count(*) AS count FROM redemptions
     WHERE user_id = ? AND state <> 'declined' GROUP BY reward_id`,
  )
  const redemption = client.prepare<Redemption, [number]>(
    `SELECT ${redemptionColumns} FROM ${redemptionRows} WHERE r.id = ?`,
  )
  const fulfil = client.prepare<unknown, [string | null, number, number]>(
    "UPDATE redemptions SET state = 'fulfilled', answer = ?, answered_at = ? WHERE id = ? AND state = 'requested'",
  )
  const keepPicture = client.prepare(
    "INSERT INTO avatars (hash, kind, bytes) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
  )
  const dropPicture = client.prepare<unknown, [Record<string, string>]>(
    `DELETE FROM avatars WHERE hash = substr($address, 17)
       AND NOT EXISTS (SELECT 1 FROM users WHERE avatar = $address)
       AND NOT EXISTS (SELECT 1 FROM rewards WHERE picture = $address)`,
  )
  const setPicture = client.prepare<RewardRow, [string, number]>(
    `UPDATE rewards SET picture = ? WHERE id = ? RETURNING ${rewardColumns}`,
  )

  return {
    list: async () => all.all().map(rewardOf),
    find: async (id) => mapped(one.get(id), rewardOf),
    create: async (reward, audit, once) =>
      write(() => {
        const columns = changedRewardColumns(reward)
        const created = client
          .prepare<RewardRow, Value[]>(
            `INSERT INTO rewards (${columns.map(([column]) => column).join(", ")})
             VALUES (${columns.map(() => "?").join(", ")}) RETURNING ${rewardColumns}`,
          )
          .get(...columns.map(([, value]) => value))
        if (!created) throw new Error("a reward that was inserted was not returned")
        writeAudit(audit)
        return remember(once, rewardOf(created))
      }),
    update: async (id, change, audit) =>
      write(() => {
        const columns = changedRewardColumns(change)
        if (columns.length === 0) return mapped(one.get(id), rewardOf)
        const changed = client
          .prepare<RewardRow, Value[]>(
            `UPDATE rewards SET ${columns.map(([column]) => `${column} = ?`).join(", ")}
             WHERE id = ? RETURNING ${rewardColumns}`,
          )
          .get(...columns.map(([, value]) => value), id)
        if (changed) writeAudit(audit)
        return mapped(changed, rewardOf)
      }),
    savePicture: async (id, { hash, kind, bytes }, audit) =>
      write(() => {
        const before = one.get(id)
        if (!before) return null
        keepPicture.run(hash, kind, bytes)
        const changed = setPicture.get(avatarPath + hash, id)
        if (before.picture !== null) dropPicture.run({ address: before.picture })
        writeAudit(audit)
        return mapped(changed, rewardOf)
      }),
    redeemedBy: async (userId) => new Map(counts.all(userId).map(({ rewardId, count }) => [rewardId, count])),
    redemption: async (id) => redemption.get(id),
    redemptions: async (query) => {
      const { where, parameters } = redemptionFilter(query, () => "?")
      return client
        .prepare<Redemption, (string | number)[]>(
          `SELECT ${redemptionColumns} FROM ${redemptionRows} ${where} ORDER BY r.id DESC LIMIT ?`,
        )
        .all(...parameters, query.limit)
    },
    fulfil: async ({ redemption, answer, date, jobs, audit }, once) =>
      write(() => {
        if (fulfil.run(answer, date, redemption.id).changes === 0) return false
        for (const job of jobs) insertJob(job)
        writeAudit(audit)
        return remember(once, true)
      }),
  }
}

/** Rewards and redemptions, for the commits that take and return their points. */
export function createLockedCatalogue(client: Database): LockedCatalogue {
  const reward = client.prepare<RewardRow, [number]>(`SELECT ${rewardColumns} FROM rewards WHERE id = ?`)
  const redeemed = client.prepare<{ count: number }, [number, number]>(
    "SELECT count(*) AS count FROM redemptions WHERE user_id = ? AND reward_id = ? AND state <> 'declined'",
  )
  const insert = client.prepare(
    "INSERT INTO redemptions (id, reward_id, user_id, reward_name, state, comment) VALUES (?, ?, ?, ?, 'requested', ?)",
  )
  const moveStock = client.prepare("UPDATE rewards SET stock = stock + ? WHERE id = ?")
  const open = client.prepare<{ id: number }, [number]>(
    "SELECT id FROM redemptions WHERE id = ? AND state = 'requested'",
  )
  const decline = client.prepare(
    "UPDATE redemptions SET state = 'declined', answer = ?, answered_at = ?, refund_id = ? WHERE id = ?",
  )
  const insertJob = createJobInsert(client)

  return {
    contextOf({ rewardId, userId }) {
      const row = reward.get(rewardId)
      if (!row) throw new DomainError("reward_not_found")
      return { reward: rewardOf(row), redeemed: redeemed.get(userId, rewardId)?.count ?? 0 }
    },
    redeem({ id }, { name }, { rewardId, userId, comment, jobs }) {
      insert.run(id, rewardId, userId, name, comment)
      moveStock.run(-1, rewardId)
      for (const job of jobs(id)) insertJob(job)
    },
    isRequested: (id) => open.get(id) !== null,
    decline({ id }, { redemption, answer, date, jobs }) {
      decline.run(answer, date, id, redemption.id)
      moveStock.run(1, redemption.rewardId)
      for (const job of jobs) insertJob(job)
    },
  }
}
