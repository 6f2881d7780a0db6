import type { Transaction } from "./client.ts"

/**
 * Every transaction that changes users or ends sessions takes this lock before it changes them, and holds it until the
 * commit. So no two confusable names can be added at the same moment, and no two transactions deadlock: the triggers of
 * both tables update the same row.
 */
export function lockAccounts({ send }: Transaction) {
  send("SELECT FROM access_changes FOR UPDATE")
}

/**
 * Every transaction that deactivates people takes this lock before any other. No transfer to or from them is then between
 * its checks and its commit.
 */
export function lockLedger({ send }: Transaction) {
  send("SELECT FROM ledger_state FOR UPDATE")
}
