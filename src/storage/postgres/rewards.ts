import { DomainError } from "../../domain/errors.ts"
import type { NewRedemption, Redemption, RedemptionAnswer } from "../../domain/model.ts"
import { avatarPath } from "../../domain/people/avatars.ts"
import type { RewardStore } from "../../domain/store.ts"
import type { LockedCatalogue, Posting } from "../postings.ts"
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
import type { Client, Transaction as DatabaseTransaction } from "./database/client.ts"
import { sendJobs } from "./jobs.ts"
import { remember } from "./ledger/idempotency-keys.ts"

export function createRewardStore(client: Client): RewardStore {
  return {
    list: async () => (await client.query<RewardRow>(`SELECT ${rewardColumns} FROM rewards ORDER BY id`)).map(rewardOf),
    find,
    create: (reward, audit, once) =>
      client.transaction(async (tx) => {
        const columns = changedRewardColumns(reward)
        const [created] = await tx.query<RewardRow>(
          `INSERT INTO rewards (${columns.map(([column]) => column).join(", ")})
           VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING ${rewardColumns}`,
          columns.map(([, value]) => value),
        )
        if (!created) throw new Error("a reward that was inserted was not returned")
        writeAudit(tx, audit)
        return remember(tx, once, rewardOf(created))
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
    fulfil: ({ redemption, answer, date, jobs, audit }, once) =>
      client.transaction(async (tx) => {
        const { count } = await tx.query(
          "UPDATE redemptions SET state = 'fulfilled', answer = $2, answered_at = $3 WHERE id = $1 AND state = 'requested'",
          [redemption.id, answer, date],
        )
        if (count === 0) return false
        sendJobs(tx, jobs)
        writeAudit(tx, audit)
        return remember(tx, once, true)
      }),
  }

  async function find(id: number) {
    const [found] = await client.query<RewardRow>(`SELECT ${rewardColumns} FROM rewards WHERE id = $1`, [id])
    return found ? rewardOf(found) : null
  }
}

/** What a batch does to rewards and redemptions. Such a batch has only one posting, so what it has read stays true. */
export interface BatchCatalogue extends LockedCatalogue {
  /** Sends the changes. Call it after the transactions were sent. */
  write(tx: DatabaseTransaction): void
}

/** Reads what the batch needs. Also locks these rows, because others can change them without the lock of the ledger. */
export async function catalogueOf(tx: DatabaseTransaction, batch: readonly Posting[]): Promise<BatchCatalogue> {
  const [posting] = batch
  const request = posting?.redemption?.request
  const [context, requested] = await Promise.all([
    request ? contextFor(tx, request) : null,
    posting?.refunds ? isRequested(tx, posting.refunds) : false,
  ])
  const writes: ((tx: DatabaseTransaction) => void)[] = []

  return {
    contextOf() {
      if (!context) throw new DomainError("reward_not_found")
      return context
    },
    redeem({ id }, { name }, { rewardId, userId, comment, jobs }) {
      writes.push((tx) => {
        tx.send(insertRedemption, [id, rewardId, userId, name, comment])
        tx.send(moveStock, [-1, rewardId])
        sendJobs(tx, jobs(id))
      })
    },
    isRequested: () => requested,
    decline({ id }, { redemption, answer, date, jobs }) {
      writes.push((tx) => {
        tx.send(declineRedemption, [answer, date, id, redemption.id])
        tx.send(moveStock, [1, redemption.rewardId])
        sendJobs(tx, jobs)
      })
    },
    write(tx) {
      for (const send of writes) send(tx)
    },
  }
}

async function contextFor({ query }: DatabaseTransaction, { rewardId, userId }: NewRedemption) {
  const [[reward], [redeemed]] = await Promise.all([
    query<RewardRow>(`SELECT ${rewardColumns} FROM rewards WHERE id = $1 FOR UPDATE`, [rewardId]),
    query<{ count: number }>(
      "SELECT count(*) AS count FROM redemptions WHERE user_id = $1 AND reward_id = $2 AND state <> 'declined'",
      [userId, rewardId],
    ),
  ])
  return reward ? { reward: rewardOf(reward), redeemed: redeemed?.count ?? 0 } : null
}

async function isRequested({ query }: DatabaseTransaction, { redemption }: RedemptionAnswer): Promise<boolean> {
  const [found] = await query<{ state: string }>("SELECT state FROM redemptions WHERE id = $1 FOR UPDATE", [
    redemption.id,
  ])
  return found?.state === "requested"
}

const insertRedemption = `
  INSERT INTO redemptions (id, reward_id, user_id, reward_name, state, comment) VALUES ($1, $2, $3, $4, 'requested', $5)`
const moveStock = "UPDATE rewards SET stock = stock + $1 WHERE id = $2"
const declineRedemption =
  "UPDATE redemptions SET state = 'declined', answer = $1, answered_at = $2, refund_id = $3 WHERE id = $4"
