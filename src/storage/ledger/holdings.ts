import type { LedgerStore } from "../../domain/ledger/ports.ts"
import { type Database, single } from "../database.ts"
import { fields, select, sql } from "../sql.ts"
import { balances, ledgerState, transactions } from "../tables.ts"
import { transactionColumns } from "./history.ts"

const holding = fields({ userId: balances.userId, balance: balances.value, redeemable: balances.earned })
const end = fields({ lastDate: ledgerState.lastDate })

const { id, kind, date, value, receiverId, senderId } = transactionColumns
const movement = fields({
  ...{ id, kind, date, value, receiverId, senderId },
  originalKind: sql<typeof transactions.$inferSelect.kind | null>`(SELECT original.kind FROM ${transactions} AS original
    WHERE original.id = ${transactions.reverses})`,
})

/** What people hold, for reports. */
export const createHoldings = (db: Database): Pick<LedgerStore, "holdings" | "movementsAfter"> => ({
  async holdings(signal) {
    const [holdings, state] = await db
      .reports(signal)
      .snapshot([
        select(holding)`FROM ${balances} WHERE ${balances.value} > 0 ORDER BY ${balances.userId}`,
        select(end)`FROM ${ledgerState}`,
      ])
    return { holdings, lastDate: single(state).lastDate }
  },
  movementsAfter: (after, limit, signal) =>
    db.reports(signal).all(select(movement)`FROM ${transactions} WHERE ${transactions.id} > ${after}
      ORDER BY ${transactions.id} LIMIT ${limit}`),
})
