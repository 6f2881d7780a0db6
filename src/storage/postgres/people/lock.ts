import type { Transaction } from "../database/client.ts"

/**
 * Whoever changes users or ends sessions takes this lock first and holds it until the commit. So no two lookalikes arrive at
 * the same moment, and no two changes wait for each other: the triggers of both tables end at the same row.
 */
export function lockAccounts({ send }: Transaction) {
  send("SELECT FROM access_changes FOR UPDATE")
}
