import type { Database } from "bun:sqlite"
import type { EntryQuery, Note, Transaction } from "../../../domain/model.ts"
import { type NoteRow, noteColumns, noteOf } from "../../rows.ts"
import type { Ids } from "../history/lists.ts"
import { createRows } from "../history/records.ts"

/** Notes that one statement reads. */
const notesAtOnce = 512

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

/** Finds transactions by their notes. Reads the notes, because there is no index of words. */
export function createNoteSearch(client: Database) {
  const rows = createRows(client)
  const notesOf = createNoteReader(client)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const withNote = client.prepare<{ id: number }, [number]>(
    `SELECT transaction_id AS id FROM notes WHERE transaction_id <= ? ORDER BY transaction_id DESC LIMIT ${notesAtOnce}`,
  )

  return {
    /** Transactions with a note, descending from `highest`. */
    *idsUpTo(highest: number): Ids {
      for (let from = Math.min(highest, last.get()?.id ?? 0); ; ) {
        const ids = withNote.all(from).map(({ id }) => id)
        yield ids
        if (ids.length < notesAtOnce) return
        from = (ids.at(-1) ?? 0) - 1
      }
    },

    /** The ids of those transactions that have a matching note. */
    matching(ids: readonly number[], matches: NonNullable<EntryQuery["noteMatches"]>): number[] {
      const notes = notesOf(ids)
      const found = rows.of(ids.filter((id) => notes.has(id)))
      return found.filter((transaction) => isMatch(transaction, notes.get(transaction.id))).map(({ id }) => id)

      function isMatch(transaction: Transaction, note: Note | undefined): boolean {
        return note !== undefined && matches({ ...transaction, note })
      }
    },
  }
}
