import type { Note, TransactionRecord, UserWithBalance } from "../../domain/model.ts"
import type { ExportStore } from "../../domain/store.ts"
import { personalRows } from "../personal-data.ts"
import { type NoteRow, noteOf } from "../rows.ts"
import type { Client, Queries } from "./database/client.ts"
import { partsOf, readSelection, recordColumns, recordTables } from "./history.ts"
import { userColumns } from "./people/user-rows.ts"

/** Rows in a slice: some 50 KB of text. */
const sliceLength = 500

/**
 * `ExportStore`. Each slice continues after the last id. Transactions that are appended meanwhile are left out: their
 * ids are above the end that is read first.
 */
export function createExportStore(client: Client): ExportStore {
  return {
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
      const end = await lastOf("SELECT last_id AS id FROM ledger_state")
      for (let from = 0; from < end; ) {
        const slice = await client.query<TransactionRecord>(sliceBehind, [...params, from, end])
        if (slice.length > 0) yield withNotes(slice)
        from = slice.length < sliceLength ? end : (slice.at(-1)?.id ?? end)
      }
    },

    async *users() {
      const end = await lastOf("SELECT coalesce(max(id), 0) AS id FROM users")
      for (let from = 0; from < end; ) {
        const slice = await client.query<UserWithBalance>(
          `SELECT ${userColumns}, coalesce(b.value, 0) AS balance
           FROM users u LEFT JOIN balances b ON b.user_id = u.id
           WHERE u.id > $1 AND u.id <= $2 ORDER BY u.id LIMIT ${sliceLength}`,
          [from, end],
        )
        if (slice.length > 0) yield slice
        from = slice.at(-1)?.id ?? end
      }
    },

    personalRows: (user) => personalRows((sql, parameters) => client.query(sql, parameters), user),
  }

  async function withNotes(slice: readonly TransactionRecord[]): Promise<TransactionRecord[]> {
    const notes = await notesOf(
      client,
      slice.map(({ id }) => id),
    )
    return slice.map((record) => ({ ...record, note: notes.get(record.id) }))
  }

  async function lastOf(sql: string): Promise<number> {
    const [row] = await client.query<{ id: number }>(sql)
    return row?.id ?? 0
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
