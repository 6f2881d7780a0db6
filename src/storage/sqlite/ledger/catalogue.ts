import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import { insertJobs } from "../../jobs.ts"
import type { LockedCatalogue } from "../../ledger/postings.ts"
import { type RewardRow, rewardColumns, rewardOf } from "../../rows.ts"
import { senderOn } from "../database/database.ts"

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
  const sender = senderOn(client)

  return {
    contextOf({ rewardId, userId }) {
      const row = reward.get(rewardId)
      if (!row) throw new DomainError("reward_not_found")
      return { reward: rewardOf(row), redeemed: redeemed.get(userId, rewardId)?.count ?? 0 }
    },
    redeem({ id }, { name }, { rewardId, userId, comment, jobs }) {
      insert.run(id, rewardId, userId, name, comment)
      moveStock.run(-1, rewardId)
      insertJobs(sender, jobs(id))
    },
    isRequested: (id) => open.get(id) !== null,
    decline({ id }, { redemption, answer, date, jobs }) {
      decline.run(answer, date, id, redemption.id)
      moveStock.run(1, redemption.rewardId)
      insertJobs(sender, jobs)
    },
  }
}
