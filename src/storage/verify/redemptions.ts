import { adminUsername } from "../../domain/people/users.ts"
import type { Damage } from "./damage.ts"
import { maxListed } from "./ledger.ts"

interface Row {
  readonly id: number
  readonly fault: string
}

/**
 * Redemptions that contradict the transactions which took the points and returned them. The stock of a reward is not
 * checked: superusers set it, so it follows from nothing.
 */
export const redemptionsAgainstLedger = `
  SELECT id, fault FROM (
    SELECT r.id, CASE
        WHEN paid.kind <> 'redemption' THEN 'its transaction is of another kind'
        WHEN paid.from_id <> r.user_id THEN 'somebody else paid for it'
        WHEN returned.id IS NULL THEN NULL
        WHEN returned.kind <> 'refund' THEN 'its refund is a transaction of another kind'
        WHEN returned.user_id <> paid.from_id OR returned.from_id <> paid.user_id THEN 'its refund is between other people'
        WHEN returned.value <> paid.value THEN 'its refund is not what was paid'
        WHEN returned.id < paid.id THEN 'its refund came before it'
      END AS fault
    FROM redemptions r JOIN transactions paid ON paid.id = r.id LEFT JOIN transactions returned ON returned.id = r.refund_id
    UNION ALL
    SELECT t.id, 'points were taken, but nothing was redeemed' FROM transactions t
    WHERE t.kind = 'redemption' AND NOT EXISTS (SELECT 1 FROM redemptions r WHERE r.id = t.id)
    UNION ALL
    SELECT t.id, 'points were returned, but no redemption was declined' FROM transactions t
    WHERE t.kind = 'refund' AND t.from_id = (SELECT id FROM users WHERE username = '${adminUsername}')
      AND NOT EXISTS (SELECT 1 FROM redemptions r WHERE r.refund_id = t.id)
  ) AS compared WHERE fault IS NOT NULL ORDER BY id, fault LIMIT ${maxListed}`

export const redemptionFault = ({ id, fault }: Row): Damage => ({
  check: "redemptions",
  fault: `transaction ${id}: ${fault}`,
})
