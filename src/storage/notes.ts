import type { Note } from "../domain/model.ts"

/** A note as its row has it. */
export interface NoteRow {
  readonly reason: string
  /** One space between them. */
  readonly tags: string
  /** 0 or 1 */
  readonly isPrivate: number
}

export const noteColumns = ({ reason, tags, isPrivate }: Note): NoteRow => ({
  reason,
  tags: tags.join(" "),
  isPrivate: Number(isPrivate),
})

export const noteOf = ({ reason, tags, isPrivate }: NoteRow): Note => ({
  reason,
  tags: tags === "" ? [] : tags.split(" "),
  isPrivate: isPrivate === 1,
})

/** In bytes: enough that nobody can guess the words from their commitment. */
const saltLength = 16

export const newSalt = (): Uint8Array => crypto.getRandomValues(new Uint8Array(saltLength))
