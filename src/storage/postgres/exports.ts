import type { Note, TransactionRecord } from "../../domain/ledger/model.ts"
import type { ExportStore } from "../../domain/people/ports.ts"
import type { Database } from "../database.ts"
import { createPeopleExports, sliceLength } from "../people/exports.ts"
import { type NoteRow, noteOf } from "../rows.ts"
import type { Client, Queries } from "./database/client.ts"
import { partsOf, readSelection, recordColumns, recordTables } from "./history.ts"

/**
 * `ExportStore`. Each slice continues after the last id. Transactions that are appended meanwhile are left out: their
 * ids are above the end that is read first.
 */
export function createExportStore(client: Client, database: Database): ExportStore {
  return {
    ...createPeopleExports(database),
    async *transactions(filter) {
      const selection = await client.snapshot((tx) => readSelection(tx, filter))
      if (selection === null) return
      const parts = partsOf(selection)
      const params = parts[0]?.params ?? []
      const next = params.length
      const candidates = parts.map(
        ({ where }) =>
          `(SELECT t.* FROM transactions t WHERE ${where} AND t.id > $${next + 1} AND t.id <= $${next + 2}
            ORDER BY t.id LIMIT ${sliceLength})`,
      )
      const sliceBehind = `SELECT ${recordColumns}
        FROM (SELECT t.* FROM (${candidates.join(" UNION ALL ")}) t ORDER BY t.id LIMIT ${sliceLength}) t ${recordTables}
        ORDER BY t.id`
      const [{ end } = { end: 0 }] = await client.query<{ end: number }>(`SELECT last_id AS "end" FROM ledger_state`)
      for (let from = 0; from < end; ) {
        const slice = await client.query<TransactionRecord>(sliceBehind, [...params, from, end])
        if (slice.length > 0) yield withNotes(slice)
        from = slice.length < sliceLength ? end : (slice.at(-1)?.id ?? end)
      }
    },
  }

  async function withNotes(slice: readonly TransactionRecord[]): Promise<TransactionRecord[]> {
    const notes = await notesOf(
      client,
      slice.map(({ id }) => id),
    )
    return slice.map((record) => ({ ...record, note: notes.get(record.id) }))
  }
}

/** The notes of transactions by their ids. */
async function notesOf({ query }: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, Note>> {
  const rows = await query<NoteRow & { readonly id: number }>(
    `SELECT transaction_id AS id, reason, tags, private AS "isPrivate" FROM notes WHERE transaction_id = ANY($1::bigint[])`,
    [ids],
  )
  return new Map(rows.map(({ id, ...row }) => [id, noteOf(row)]))
}
