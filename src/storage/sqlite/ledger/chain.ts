import type { Note, Transaction } from "../../../domain/model.ts"
import { noteColumns } from "./notes.ts"

/** What the first transaction takes for its predecessor's hash. */
export const firstHash: Uint8Array = new Uint8Array(32)

/**
 * The hash of a transaction: SHA-256 over this line of ASCII, the predecessor's hash in lower-case hexadecimal and its
 * own fields in decimal, one space between them: `<hash before> <id> <from_id> <user_id> <value> <date>`, and behind
 * them, where it has a note, a space and the note's hash. Whoever changes, removes or inserts one has to change every hash
 * behind it. docs/chain.md says it for everybody.
 */
export function hashOf(before: Uint8Array, { id, senderId, receiverId, value, date, note }: Transaction): Uint8Array {
  const line = `${before.toHex()} ${id} ${senderId} ${receiverId} ${value} ${date}`
  return sha256(note ? `${line} ${hashOfNote(note).toHex()}` : line)
}

/** SHA-256 over the three columns of its row, as UTF-8, with a line break between them: `<private>\n<tags>\n<reason>`.
 *  Only the last can hold line breaks of its own. */
function hashOfNote(note: Note): Uint8Array {
  const { reason, tags, isPrivate } = noteColumns(note)
  return sha256(`${isPrivate}\n${tags}\n${reason}`)
}

const sha256 = (text: string): Uint8Array => Bun.SHA256.hash(text) as Uint8Array
