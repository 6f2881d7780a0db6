import type { Database } from "bun:sqlite"
import type { Transaction } from "../../domain/store.ts"
import { type Account, createSave } from "./accounts.ts"
import { createAppend, emptyAccount, emptyLedger } from "./append.ts"
import { DatabaseUnusable } from "./errors.ts"

/** Read at once from the old table. */
const rowsAtOnce = 10_000

/**
 * Writes every row of `old_transactions` anew as it would be appended today, with its places and its hash, and the ends
 * of the lists with the balances. Keeps in memory what the next ones build on, about 1 KB a user, but no rows.
 * @throws DatabaseUnusable when a balance is not what the transactions add up to
 */
export function backfillLists(client: Database, progress: (text: string) => void) {
  const total =
    client.query<{ count: number }, []>("SELECT transaction_count AS count FROM ledger_state").get()?.count ?? 0
  const rowsAfter = client.query<Transaction, [number, number]>(
    `SELECT id, user_id AS receiverId, from_id AS senderId, value, date FROM old_transactions
     WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const append = createAppend(client)
  const save = createSave(client)
  const kept = client.query<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
  const accounts = new Map<number, Account>()
  const end = emptyLedger()

  for (let rows = rowsAfter.all(0, rowsAtOnce); rows.length > 0; rows = rowsAfter.all(end.lastId, rowsAtOnce)) {
    for (const row of rows) append(end, row, accountOf(row.senderId), accountOf(row.receiverId))
    progress(`${count(end.lastId)} of ${count(total)} transactions`)
  }
  for (const account of accounts.values()) {
    demandSameBalance(account)
    save(account)
  }
  client.run("UPDATE ledger_state SET last_hash = ?", [end.lastHash])

  function accountOf(userId: number): Account {
    const known = accounts.get(userId)
    if (known) return known
    const account = emptyAccount(userId)
    accounts.set(userId, account)
    return account
  }

  function demandSameBalance({ userId, value }: Account) {
    const balance = kept.get(userId)?.value ?? 0
    if (balance === value) return
    throw new DatabaseUnusable(
      `the balance of user ${userId} is ${balance}, but the transactions add up to ${value}; put a backup in its place`,
    )
  }
}

const count = (rows: number): string => rows.toLocaleString("en")
