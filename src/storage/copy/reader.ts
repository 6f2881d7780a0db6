import type { Reads } from "../database.ts"
import { ledgerStateMissing } from "../open-store.ts"
import { type SQL, select } from "../sql.ts"
import { ledgerState } from "../tables.ts"
import { ledgerEnd } from "../verify/ledger-rows.ts"
import { type CopiedRow, type CopySource, orderedJson, type Page, type Value } from "./copy.ts"
import { type CopiedTable, jsonColumns } from "./tables.ts"

/** Reads a database for a copy; what each kind of database reads in its own way is given. */
export const readerOf = (reads: Reads, own: Pick<CopySource, "columns" | "sequences" | "verify">): CopySource => ({
  ...own,
  rows: (table, columns, page) => rowsOf(reads, table, columns, page),
  async ledgerEnd() {
    const end = await reads.first(select(ledgerEnd)`FROM ${ledgerState}`)
    if (end === null) throw ledgerStateMissing()
    return end
  },
})

async function rowsOf(
  reads: Reads,
  { name, key }: CopiedTable,
  columns: readonly string[],
  { after, through, limit }: Page,
): Promise<readonly CopiedRow[]> {
  const json = jsonColumns[name] ?? []
  const selected = columns.map((column) => (json.includes(column) ? `${column}::text AS ${column}` : column))
  const bound = (comparison: string, values: CopiedRow | null | undefined) =>
    values ? [`(${key.join(", ")}) ${comparison} (${values.map(() => "?").join(", ")})`] : []
  const bounds = [...bound(">", after), ...bound("<=", through)]
  const where = bounds.length === 0 ? "" : `WHERE ${bounds.join(" AND ")}`
  const rows = await reads.all(
    statement(`SELECT ${selected.join(", ")} FROM ${name} ${where} ORDER BY ${key.join(", ")} LIMIT ${limit}`, [
      ...(after ?? []),
      ...(through ?? []),
    ]),
  )
  return rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? null
      return json.includes(column) && typeof value === "string" ? orderedJson(value) : value
    }),
  )
}

/** The largest key of a table; null while it is empty. */
export async function lastKeyOf(reads: Reads, { name, key }: CopiedTable): Promise<CopiedRow | null> {
  const order = key.map((column) => `${column} DESC`).join(", ")
  const last = await reads.first(statement(`SELECT ${key.join(", ")} FROM ${name} ORDER BY ${order} LIMIT 1`, []))
  return last && key.map((column) => last[column] ?? null)
}

/** A statement that is put together, with a question mark for each value. */
export function statement(text: string, values: SQL["values"]): SQL<Readonly<Record<string, Value>>> {
  const strings = statements.get(text) ?? text.split("?")
  statements.set(text, strings)
  return { strings, values }
}

/** The text of a statement is compiled once for each array. */
const statements = new Map<string, readonly string[]>()
