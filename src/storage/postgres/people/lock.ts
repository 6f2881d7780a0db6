import type { Transaction } from "../database/client.ts"

/**
 * Whoever changes users or ends sessions takes this lock first and holds it until the commit. So no two lookalikes arrive at
 * the same moment, and no two changes wait for each other: the triggers of both tables end at the same row.
 */
export function lockAccounts({ send }: Transaction) {
  send("SELECT FROM access_changes FOR UPDATE")
}

/**
 * Whoever deactivates people takes this lock, and does so before any other: no transfer to or from them is then between its
 * checks and its commit.
 */
export function lockLedger({ send }: Transaction) {
  send("SELECT FROM ledger_state FOR UPDATE")
}
