import { DomainError } from "../../domain/errors.ts"
import { checkStillActive } from "../../domain/ledger/leavers.ts"
import type { Balances, NewTransaction } from "../../domain/ledger/model.ts"
import type {
  NewRedemption,
  RedemptionAnswer,
  RedemptionContext,
  RedemptionState,
  Reward,
} from "../../domain/rewards/model.ts"
import { insertJobs } from "../jobs.ts"
import { endWish, reward } from "../rewards.ts"
import { row, select, set, sql } from "../sql.ts"
import { redemptions, rewards } from "../tables.ts"
import { append } from "./chain.ts"
import { balancesIn, type Kind, type LockedLedger } from "./locked-ledger.ts"

/** Redeems a reward at the cost that it has under the lock. */
export function redemption(request: NewRedemption, check: (context: RedemptionContext) => void): Kind {
  const { rewardId, userId, receiverId, comment, date, note, jobs } = request
  const asked = select(reward)`FROM ${rewards} WHERE ${rewards.id} = ${rewardId} FOR UPDATE`
  const earlier = sql<{ count: number }>`SELECT count(*) AS count FROM ${redemptions}
    WHERE ${redemptions.userId} = ${userId} AND ${redemptions.rewardId} = ${rewardId}
      AND ${redemptions.state} <> 'declined'`

  return {
    senderId: userId,
    receiverIds: [receiverId],
    date,
    needs: { exclusive: [`reward ${rewardId}`], queries: [asked, earlier] },
    check(ledger) {
      const sender = ledger.accountOf(userId)
      checkStillActive("redemption", sender, ledger.accountOf(receiverId))
      const { balance, earned } = sender
      const redeemed = ledger.rowOf(earlier)?.count ?? 0
      check({ reward: rewardIn(ledger), redeemed, pockets: { balance, earned } })
    },
    append(ledger) {
      const { cost: value } = rewardIn(ledger)
      return [append(ledger, { kind: "redemption", senderId: userId, receiverId, value, date, note })]
    },
    after(ledger, transactions) {
      const { name: rewardName, moneyValue, isTaxable } = rewardIn(ledger)
      for (const { id } of transactions) {
        const state: RedemptionState = "requested"
        ledger.send(sql`INSERT INTO ${redemptions}
          ${row(redemptions, { id, rewardId, userId, rewardName, state, comment, moneyValue, isTaxable })}`)
        ledger.send(endWish(userId, rewardId))
        moveStock(ledger, rewardId, -1)
        insertJobs(ledger, jobs(id))
      }
    },
  }

  function rewardIn(ledger: LockedLedger): Reward {
    const found = ledger.rowOf(asked)
    if (found === null) throw new DomainError("reward_not_found")
    return found
  }
}

/** Declines a redemption: returns its points, and the reward to the stock. */
export function refund(
  entry: NewTransaction,
  { redemption: { id, rewardId }, answer, date, jobs }: RedemptionAnswer,
  check: (balances: Balances) => void,
): Kind {
  const { senderId, receiverId } = entry
  const stored = sql<{ state: RedemptionState }>`SELECT ${redemptions.state} FROM ${redemptions}
    WHERE ${redemptions.id} = ${id} FOR UPDATE`

  return {
    senderId,
    receiverIds: [receiverId],
    date,
    needs: { exclusive: [`reward ${rewardId}`], queries: [stored] },
    check(ledger) {
      if (ledger.rowOf(stored)?.state !== "requested") throw new DomainError("not_requested")
      check(balancesIn(ledger, senderId, receiverId))
    },
    append: (ledger) => [append(ledger, entry)],
    after(ledger, transactions) {
      const state: RedemptionState = "declined"
      for (const { id: refundId } of transactions)
        ledger.send(sql`UPDATE ${redemptions} SET ${set(redemptions, { state, answer, answeredAt: date, refundId })}
          WHERE ${redemptions.id} = ${id}`)
      moveStock(ledger, rewardId, 1)
      insertJobs(ledger, jobs)
    },
  }
}

const moveStock = (ledger: LockedLedger, rewardId: number, by: number) =>
  ledger.send(sql`UPDATE ${rewards} SET stock = stock + ${by} WHERE ${rewards.id} = ${rewardId}`)
