import { DomainError } from "../../../domain/errors.ts"
import type { NewRedemption, RedemptionAnswer } from "../../../domain/rewards/model.ts"
import { insertJobs } from "../../jobs.ts"
import type { LockedCatalogue, Posting } from "../../ledger/postings.ts"
import { type RewardRow, rewardColumns, rewardOf } from "../../rows.ts"
import type { Transaction as DatabaseTransaction } from "../database/client.ts"
import { senderOn } from "../database/database.ts"

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
        insertJobs(senderOn(tx), jobs(id))
      })
    },
    isRequested: () => requested,
    decline({ id }, { redemption, answer, date, jobs }) {
      writes.push((tx) => {
        tx.send(declineRedemption, [answer, date, id, redemption.id])
        tx.send(moveStock, [1, redemption.rewardId])
        insertJobs(senderOn(tx), jobs)
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
