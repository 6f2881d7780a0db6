import type { Note, TransactionRecord } from "../../domain/ledger/model.ts"
import type { ExportStore } from "../../domain/people/ports.ts"
import type { Database } from "../database.ts"
import { createPeopleExports, sliceLength } from "../people/exports.ts"
import type { Client } from "./database/client.ts"
import { partsOf, readSelection, recordColumns, recordTables } from "./history.ts"
import { noteColumn } from "./ledger/entries.ts"

type Row = Omit<TransactionRecord, "note"> & { readonly note: Note | null }

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
      const sliceBehind = `SELECT ${recordColumns}, ${noteColumn}
        FROM (SELECT t.* FROM (${candidates.join(" UNION ALL ")}) t ORDER BY t.id LIMIT ${sliceLength}) t ${recordTables}
          LEFT JOIN notes n ON n.transaction_id = t.id
        ORDER BY t.id`
      const [{ end } = { end: 0 }] = await client.query<{ end: number }>(`SELECT last_id AS "end" FROM ledger_state`)
      for (let from = 0; from < end; ) {
        const slice = await client.query<Row>(sliceBehind, [...params, from, end])
        if (slice.length > 0) yield slice.map(({ note, ...record }) => ({ ...record, note: note ?? undefined }))
        from = slice.length < sliceLength ? end : (slice.at(-1)?.id ?? end)
      }
    },
  }
}
