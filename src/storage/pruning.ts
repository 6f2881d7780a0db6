import type { Table } from "drizzle-orm"
import { type Database, exists, type Tx } from "./database.ts"
import { keyOf, raw, type SQL, sql } from "./sql.ts"

/** Rows deleted in one commit. It holds its locks, and on SQLite other writers, for some 5 ms. */
const prunedAtOnce = 1000

interface Expired {
  readonly table: Table
  /** True of the rows to delete. */
  readonly condition: SQL
}

/**
 * Deletes expired rows, in several commits if there are many, between which others write. `before` runs at the beginning of
 * each commit.
 */
export async function prune(
  db: Database,
  { table, condition }: Expired,
  before: (tx: Tx) => void = () => {},
): Promise<void> {
  // Checked without the write lock first: there is rarely anything to prune.
  if (!(await exists(db, sql`${table} WHERE ${condition}`))) return
  const key = raw(keyOf(table).join(", "))
  const step = (tx: Tx) => {
    before(tx)
    return tx.run(
      sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${prunedAtOnce})`,
    )
  }
  while ((await db.write(step)) >= prunedAtOnce);
}
