import type { Client, Transaction } from "./client.ts"

/** Rows deleted in one commit, so that none holds its locks for long. */
const prunedAtOnce = 1000

interface Expired {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: string
  /** SQL that is true of the rows to delete. Parameters are numbered: `$1`. */
  readonly condition: string
}

/** Returns a function that deletes expired rows, in several commits if there are many. `before` runs at the beginning of each commit. */
export function createPruning<P extends number[]>(
  client: Client,
  { table, key, condition }: Expired,
  before: (transaction: Transaction, ...parameters: P) => void = () => {},
): (...parameters: P) => Promise<void> {
  const any = `SELECT FROM ${table} WHERE ${condition} LIMIT 1`
  const some = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${prunedAtOnce})`
  const step = (parameters: P) =>
    client.transaction(async (transaction) => {
      before(transaction, ...parameters)
      return (await transaction.query(some, parameters)).count
    })

  return async (...parameters) => {
    // Checked without a lock first: there is rarely anything to prune.
    if ((await client.query(any, parameters)).length === 0) return
    while ((await step(parameters)) >= prunedAtOnce);
  }
}
