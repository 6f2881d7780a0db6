import type { Note } from "../../../domain/model.ts"
import { type NoteRow, noteOf } from "../../recognition-rows.ts"
import type { Queries } from "../database/client.ts"

/** The notes of transactions by their ids. */
export async function notesOf({ query }: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, Note>> {
  const rows = await query<NoteRow & { readonly id: number }>(
    `SELECT transaction_id AS id, reason, tags, private AS "isPrivate" FROM notes WHERE transaction_id = ANY($1::bigint[])`,
    [ids],
  )
  return new Map(rows.map(({ id, ...row }) => [id, noteOf(row)]))
}
