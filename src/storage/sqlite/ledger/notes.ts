import type { Database } from "bun:sqlite"
import type { Note } from "../../../domain/model.ts"
import { type NoteRow, noteColumns, noteOf } from "../../recognition-rows.ts"

/** Writes the note of a transaction that was appended in the same commit. */
export function createNoteInsert(client: Database) {
  const insert = client.prepare(
    "INSERT INTO notes (transaction_id, salt, reason, tags, private) VALUES (?, ?, ?, ?, ?)",
  )

  return (transactionId: number, note: Note, salt: Uint8Array) => {
    const { reason, tags, isPrivate } = noteColumns(note)
    insert.run(transactionId, salt, reason, tags, isPrivate)
  }
}

/** Reads the notes of transactions by their ids. */
export function createNoteReader(client: Database) {
  const notes = client.prepare<NoteRow & { readonly id: number }, [string]>(
    `SELECT transaction_id AS id, reason, tags, private AS isPrivate
     FROM json_each(?) AS asked CROSS JOIN notes ON transaction_id = asked.value`,
  )

  return (ids: readonly number[]): ReadonlyMap<number, Note> =>
    new Map(notes.all(JSON.stringify(ids)).map(({ id, ...row }) => [id, noteOf(row)]))
}
