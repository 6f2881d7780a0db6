import type { Redemption } from "../../domain/model.ts"
import { avatarPath } from "../../domain/people/avatars.ts"
import type { RewardStore } from "../../domain/store.ts"
import {
  changedRewardColumns,
  type RewardRow,
  redemptionColumns,
  redemptionFilter,
  redemptionRows,
  rewardColumns,
  rewardOf,
} from "../rows.ts"
import { writeAudit } from "./audit.ts"
import type { Client } from "./database/client.ts"
import { sendJobs } from "./jobs.ts"

export function createRewardStore(client: Client): RewardStore {
  return {
    list: async () => (await client.query<RewardRow>(`SELECT ${rewardColumns} FROM rewards ORDER BY id`)).map(rewardOf),
    find,
    create: (reward, audit) =>
      client.transaction(async (tx) => {
        const columns = changedRewardColumns(reward)
        const [created] = await tx.query<RewardRow>(
          `INSERT INTO rewards (${columns.map(([column]) => column).join(", ")})
           VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING ${rewardColumns}`,
          columns.map(([, value]) => value),
        )
        if (!created) throw new Error("a reward that was inserted was not returned")
        writeAudit(tx, audit)
        return rewardOf(created)
      }),
    async update(id, change, audit) {
      const columns = changedRewardColumns(change)
      if (columns.length === 0) return find(id)
      return client.transaction(async (tx) => {
        const [changed] = await tx.query<RewardRow>(
          `UPDATE rewards SET ${columns.map(([column], index) => `${column} = $${index + 2}`).join(", ")}
           WHERE id = $1 RETURNING ${rewardColumns}`,
          [id, ...columns.map(([, value]) => value)],
        )
        if (!changed) return null
        writeAudit(tx, audit)
        return rewardOf(changed)
      })
    },
    savePicture: (id, { hash, kind, bytes }, audit) =>
      client.transaction(async (tx) => {
        // Locks the row of the picture, so that a transaction that deletes unused pictures waits until the reward uses it.
        tx.send(
          `INSERT INTO avatars (hash, kind, bytes) SELECT $1, $2, $3 FROM rewards WHERE id = $4
           ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash`,
          [hash, kind, bytes, id],
        )
        const [before] = await tx.query<{ picture: string | null }>(
          "SELECT picture FROM rewards WHERE id = $1 FOR UPDATE",
          [id],
        )
        const [changed] = await tx.query<RewardRow>(
          `UPDATE rewards SET picture = $2 WHERE id = $1 RETURNING ${rewardColumns}`,
          [id, avatarPath + hash],
        )
        if (!before || !changed) return null
        if (before.picture !== null) tx.send("SELECT drop_unused_picture($1)", [before.picture])
        writeAudit(tx, audit)
        return rewardOf(changed)
      }),
    async redeemedBy(userId) {
      const rows = await client.query<{ rewardId: number; count: number }>(
        `SELECT reward_id AS "rewardId", count(*) AS count FROM redemptions
         WHERE user_id = $1 AND state <> 'declined' GROUP BY reward_id`,
        [userId],
      )
      return new Map(rows.map(({ rewardId, count }) => [rewardId, count]))
    },
    async redemption(id) {
      const [found] = await client.query<Redemption>(
        `SELECT ${redemptionColumns} FROM ${redemptionRows} WHERE r.id = $1`,
        [id],
      )
      return found ?? null
    },
    redemptions(query) {
      const { where, parameters } = redemptionFilter(query, (index) => `$${index}`)
      return client.query<Redemption>(
        `SELECT ${redemptionColumns} FROM ${redemptionRows} ${where} ORDER BY r.id DESC LIMIT $${parameters.length + 1}`,
        [...parameters, query.limit],
      )
    },
    fulfil: ({ redemption, answer, date, jobs, audit }) =>
      client.transaction(async (tx) => {
        const { count } = await tx.query(
          "UPDATE redemptions SET state = 'fulfilled', answer = $2, answered_at = $3 WHERE id = $1 AND state = 'requested'",
          [redemption.id, answer, date],
        )
        if (count === 0) return false
        sendJobs(tx, jobs)
        writeAudit(tx, audit)
        return true
      }),
  }

  async function find(id: number) {
    const [found] = await client.query<RewardRow>(`SELECT ${rewardColumns} FROM rewards WHERE id = $1`, [id])
    return found ? rewardOf(found) : null
  }
}
