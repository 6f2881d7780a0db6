import type { RewardStore } from "../domain/rewards/ports.ts"
import { entryOf, writeAudit } from "./audit.ts"
import { type Database, one, type Reads } from "./database.ts"
import { remember } from "./idempotency.ts"
import { insertJobs } from "./jobs.ts"
import { emptyPockets, pocketsWhere } from "./people/users.ts"
import { dropUnusedPicture, keepPicture } from "./pictures.ts"
import { columnsOf, fields, returning, row, select, set, sql, where } from "./sql.ts"
import { redemptions, rewards, transactions, users, wishes } from "./tables.ts"

export const reward = fields(columnsOf(rewards))

const redemption = fields({
  ...columnsOf(redemptions, "refundId"),
  username: users.username,
  name: users.name,
  dept: users.dept,
  cost: transactions.value,
  date: transactions.date,
})
const withPayment = sql`${redemptions} JOIN ${transactions} ON ${transactions.id} = ${redemptions.id}
  JOIN ${users} ON ${users.id} = ${redemptions.userId}`

/** The catalogue and its redemptions. The ledger takes and returns their points. */
export function createRewardStore(db: Database): RewardStore {
  return {
    list: () => db.all(everyReward),
    find: (id) => find(db, id),
    create: (newReward, audit, once) =>
      db.write(async (tx) => {
        const created = await one(tx, returning(reward)`INSERT INTO ${rewards} ${row(rewards, newReward)}`)
        writeAudit(tx, audit)
        return remember(tx, once, created)
      }),
    async update(id, change, audit) {
      if (Object.values(change).every((value) => value === undefined)) return find(db, id)
      return db.write(async (tx) => {
        const before = await tx.first(select(reward)`FROM ${rewards} WHERE ${rewards.id} = ${id} FOR UPDATE`)
        if (before === null) return null
        const dropped = change.emoji == null ? null : before.picture
        const columns = dropped === null ? change : { ...change, picture: null }
        const changed = await one(
          tx,
          returning(reward)`UPDATE ${rewards} SET ${set(rewards, columns)} WHERE ${rewards.id} = ${id}`,
        )
        if (dropped !== null) dropUnusedPicture(tx, dropped)
        writeAudit(tx, entryOf(audit, before, changed))
        return changed
      })
    },
    savePicture: (id, picture, audit) =>
      db.write(async (tx) => {
        const before = await tx.first(select(reward)`FROM ${rewards} WHERE ${rewards.id} = ${id} FOR UPDATE`)
        if (before === null) return null
        const address = keepPicture(tx, picture)
        const changed = await one(
          tx,
          returning(
            reward,
          )`UPDATE ${rewards} SET ${set(rewards, { picture: address, emoji: null })} WHERE ${rewards.id} = ${id}`,
        )
        if (before.picture !== null) dropUnusedPicture(tx, before.picture)
        writeAudit(tx, entryOf(audit, before, changed))
        return changed
      }),
    async catalogueOf(userId) {
      const [rewards, [pockets = emptyPockets], redeemed, wished, wishes] = await db.snapshot([
        everyReward,
        pocketsWhere(userId),
        redeemedBy(userId),
        wishesOf(userId),
        wishCounts,
      ])
      return {
        rewards,
        pockets,
        redeemed: byReward(redeemed),
        wished: new Set(wished.map(({ id }) => id)),
        wishes: byReward(wishes),
      }
    },
    wish: (wish) =>
      db.write(async (tx) => {
        await tx.run(sql`INSERT INTO ${wishes} ${row(wishes, wish)} ON CONFLICT DO NOTHING`)
      }),
    takeBackWish: ({ userId, rewardId }) =>
      db.write(async (tx) => {
        await tx.run(endWish(userId, rewardId))
      }),
    redemption: (id) => db.first(select(redemption)`FROM ${withPayment} WHERE ${redemptions.id} = ${id}`),
    redemptions: ({ state, userId, before, limit }) =>
      db.all(
        select(redemption)`FROM ${withPayment} ${where(
          state === undefined ? undefined : sql`${redemptions.state} = ${state}`,
          userId === undefined ? undefined : sql`${redemptions.userId} = ${userId}`,
          before === undefined ? undefined : sql`${redemptions.id} < ${before}`,
        )} ORDER BY ${redemptions.id} DESC LIMIT ${limit}`,
      ),
    fulfil: ({ redemption: { id }, answer, date, jobs, audit }, once) =>
      db.write(async (tx) => {
        const answered = { state: "fulfilled" as const, answer, answeredAt: date }
        const fulfilled = await tx.run(
          sql`UPDATE ${redemptions} SET ${set(redemptions, answered)}
            WHERE ${redemptions.id} = ${id} AND ${redemptions.state} = 'requested'`,
        )
        if (fulfilled === 0) return false
        insertJobs(tx, jobs)
        writeAudit(tx, audit)
        return remember(tx, once, true)
      }),
  }
}

const everyReward = select(reward)`FROM ${rewards} ORDER BY ${rewards.id}`

interface RewardCount {
  readonly id: number
  readonly count: number
}

const byReward = (counts: readonly RewardCount[]) => new Map(counts.map(({ id, count }) => [id, count]))

const redeemedBy = (userId: number) =>
  sql<RewardCount>`SELECT ${redemptions.rewardId} AS id, count(*) AS count FROM ${redemptions}
    WHERE ${redemptions.userId} = ${userId} AND ${redemptions.state} <> 'declined' GROUP BY ${redemptions.rewardId}`

const wishesOf = (userId: number) =>
  sql<{ id: number }>`SELECT ${wishes.rewardId} AS id FROM ${wishes} WHERE ${wishes.userId} = ${userId}`

const wishCounts = sql<RewardCount>`SELECT ${wishes.rewardId} AS id, count(*) AS count FROM ${wishes}
  JOIN ${users} ON ${users.id} = ${wishes.userId} WHERE ${users.deactivatedAt} IS NULL GROUP BY ${wishes.rewardId}`

const find = (reads: Reads, id: number) => reads.first(select(reward)`FROM ${rewards} WHERE ${rewards.id} = ${id}`)

/** Ends a wish. */
export const endWish = (userId: number, rewardId: number) =>
  sql`DELETE FROM ${wishes} WHERE ${wishes.userId} = ${userId} AND ${wishes.rewardId} = ${rewardId}`
