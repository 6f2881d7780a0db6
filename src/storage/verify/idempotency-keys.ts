import type { Damage } from "./damage.ts"
import { maxListed } from "./ledger.ts"

interface Row {
  readonly userid: number
  readonly first: number
  readonly last: number
}

/** Keys whose request is said to have made a transaction that does not exist. */
export const keysWithoutTransactions = `
  SELECT user_id AS userid, transaction_id AS first, transaction_id + transaction_count - 1 AS last
  FROM idempotency_keys
  WHERE transaction_id < 1 OR transaction_id + transaction_count - 1 > (SELECT last_id FROM ledger_state)
  ORDER BY user_id, key LIMIT ${maxListed}`

export const keyFault = ({ userid, first, last }: Row): Damage => ({
  check: "idempotency keys",
  fault: `a key of user ${userid} names transactions ${first} to ${last}, which do not all exist`,
})
