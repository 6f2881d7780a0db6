import type { ExportStore } from "../domain/exports/ports.ts"
import type { TransactionRecord } from "../domain/ledger/model.ts"
import { type Database, one } from "./database.ts"
import { readNotes } from "./ledger/entries.ts"
import { lastIdQuery, partsOf, readSelection, recordColumns, withUsers } from "./ledger/history.ts"
import { createPeopleExports, sliceLength } from "./people/exported-people.ts"
import { fields, type SQL, select, sql } from "./sql.ts"
import { transactions } from "./tables.ts"

const record = fields(recordColumns)

/**
 * `ExportStore`. Each slice continues after the last id. Transactions that are appended meanwhile are left out: their
 * ids are above the end that is read first.
 */
export function createExportStore(db: Database): ExportStore {
  const reads = db.reports()

  return {
    ...createPeopleExports(reads),
    async *transactions(filter) {
      const selection = await readSelection(reads, filter)
      if (selection === null) return
      const parts = partsOf(selection)
      const end = (await one(reads, lastIdQuery)).id
      for (let from = 0; from < end; ) {
        const slice = await sliceAfter(parts, from, end)
        if (slice.length > 0) yield slice
        from = slice.length < sliceLength ? end : (slice.at(-1)?.id ?? end)
      }
    },
  }

  async function sliceAfter(parts: readonly SQL[], from: number, end: number): Promise<TransactionRecord[]> {
    const [first, ...others] = parts.map(
      (part) => sql`SELECT id FROM (SELECT ${transactions.id} FROM ${transactions}
        WHERE ${part} AND ${transactions.id} > ${from} AND ${transactions.id} <= ${end}
        ORDER BY ${transactions.id} LIMIT ${sliceLength}) AS part`,
    )
    if (first === undefined) return []
    const ids = others.reduce<SQL>((before, part) => sql`${before} UNION ${part}`, first)
    const records = await reads.all(select(record)`
      FROM (SELECT id FROM (${ids}) AS merged ORDER BY id LIMIT ${sliceLength}) AS slice
      CROSS JOIN ${withUsers} WHERE ${transactions.id} = slice.id ORDER BY ${transactions.id}`)
    const notes = await readNotes(
      reads,
      records.map(({ id }) => id),
    )
    return records.map((transaction) => ({ ...transaction, note: notes.get(transaction.id) }))
  }
}
