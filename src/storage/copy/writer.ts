import type { Tx } from "../database.ts"
import { type List, sql } from "../sql.ts"
import { ledgerState, pairs, transactions } from "../tables.ts"
import type { CopiedRow, CopyTarget } from "./copy.ts"
import { statement } from "./reader.ts"
import { type CopiedTable, jsonColumns, ledgerTables } from "./tables.ts"

type Send = Pick<Tx, "send">

/** Writes what is copied. `within` runs its work in one commit. */
export const writerOf = (
  within: (work: (tx: Send) => void) => Promise<void>,
): Pick<CopyTarget, "append" | "write"> => ({
  write: (table, columns, rows) => within((tx) => insert(tx, table, columns, rows)),
  append: (page) =>
    within((tx) => {
      const { columns, end } = page
      for (const part of ["transactions", "notes", "erasures"] as const)
        insert(tx, ledgerTables[part], columns[part], page[part])
      tx.send(sql`UPDATE ${ledgerState} SET transaction_count = ${end.count}, last_id = ${end.lastId},
        last_date = ${end.lastDate}, last_hash = ${end.lastHash}`)
    }),
})

/** Every database counts for itself. */
export const countPairs = sql`INSERT INTO ${pairs} (from_id, user_id, count)
  SELECT from_id, user_id, count(*) FROM ${transactions} GROUP BY from_id, user_id ON CONFLICT DO NOTHING`

function insert(
  { send }: Send,
  { name, key, types, hasOneRow }: CopiedTable,
  columns: readonly string[],
  rows: readonly CopiedRow[],
) {
  if (rows.length === 0) return
  const json = jsonColumns[name] ?? []
  const selected = columns.map((column) => (json.includes(column) ? `${column}::jsonb` : column))
  const update = columns.map((column) => `${column} = excluded.${column}`)
  const copied: List = {
    name: "copied",
    columns: columns.map((column) => [column, types[column] ?? "text"]),
    isOrdered: false,
    rows,
  }
  send(
    statement(
      `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${selected.join(", ")} FROM ? WHERE true
       ${hasOneRow ? `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${update.join(", ")}` : ""}`,
      [copied],
    ),
  )
}
