import { auditEntry } from "../../src/domain/audit/audit-log.ts"
import type { Store } from "../../src/domain/store.ts"
import { allow, person } from "./contract/people.ts"

/**
 * Writes redemptions: Ana got 100 points from admin (transaction 1), redeemed a mug for 20 (2) and a lunch for 30 (3),
 * which was declined (4).
 */
export async function writeRedemptions({ users, ledger, rewards }: Pick<Store, "users" | "ledger" | "rewards">) {
  const admin = await users.create(person("Admin", { dept: "management" }))
  const ana = await users.create(person("Ana"))
  const audit = auditEntry({ who: "admin", way: "http", address: null }, 1, "reward_created")
  const transfer = { kind: "transfer", senderId: admin.id, receiverId: ana.id, value: 100, date: 1000 } as const
  await ledger.post(transfer, allow)
  const redeem = async (name: string, cost: number) => {
    const fields = {
      name,
      description: null,
      cost,
      stock: 5,
      limitPerPerson: null,
      isActive: true,
      moneyValue: null,
      isTaxable: false,
      emoji: null,
    }
    const { id: rewardId } = await rewards.create(fields, audit)
    const note = { reason: name, tags: [], isPrivate: false }
    const who = { userId: ana.id, receiverId: admin.id, comment: null }
    const request = { ...who, rewardId, date: 1000, note, jobs: () => [] }
    return { id: (await ledger.redeem(request, allow)).id, rewardId }
  }
  await redeem("Mug", 20)
  const lunch = await redeem("Lunch", 30)
  const refund = { kind: "refund", senderId: admin.id, receiverId: ana.id, value: 30, date: 1000 } as const
  await ledger.refund(refund, { redemption: lunch, answer: null, date: 1000, jobs: [], audit }, allow)
}

/** Damages of these, in SQL that every store understands, with the findings for each. */
export const redemptionDamage = [
  [
    "a redemption that is said to be somebody else's",
    "UPDATE redemptions SET user_id = 1 WHERE id = 2",
    ["redemptions: transaction 2: somebody else paid for it"],
  ],
  [
    "a redemption that is gone",
    "DELETE FROM redemptions WHERE id = 2",
    ["redemptions: transaction 2: points were taken, but nothing was redeemed"],
  ],
  [
    "a redemption that names a transfer",
    "UPDATE redemptions SET id = 1 WHERE id = 2",
    [
      "redemptions: transaction 1: its transaction is of another kind",
      "redemptions: transaction 2: points were taken, but nothing was redeemed",
    ],
  ],
  [
    "a redemption that is no longer declined",
    "UPDATE redemptions SET state = 'fulfilled', refund_id = NULL WHERE id = 3",
    ["redemptions: transaction 4: points were returned, but no redemption was declined"],
  ],
  [
    "a redemption that was declined without a refund",
    "UPDATE redemptions SET state = 'declined', answered_at = 1000, refund_id = 1 WHERE id = 2",
    ["redemptions: transaction 2: its refund is a transaction of another kind"],
  ],
  [
    "a refund of another cost",
    `UPDATE redemptions SET state = 'fulfilled', refund_id = NULL WHERE id = 3;
     UPDATE redemptions SET state = 'declined', answered_at = 1000, refund_id = 4 WHERE id = 2`,
    ["redemptions: transaction 2: its refund is not what was paid"],
  ],
] as const
