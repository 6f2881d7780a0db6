import type { Note, TransactionKind } from "../../domain/ledger/model.ts"
import { noteColumns } from "../rows.ts"

/** Takes the place of the predecessor's hash for the first transaction. */
export const firstHash: Uint8Array = new Uint8Array(32)

/** The fields of a transaction that its hash covers, besides the hash of its predecessor. */
export interface Link {
  readonly id: number
  readonly kind: TransactionKind
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  readonly date: number
  /** Null unless it is a reversal. */
  readonly reverses: number | null
  /** Null unless it is in a group. */
  readonly group: number | null
  /** Null without a note. */
  readonly commitment: Uint8Array | null
}

/**
 * The hash of a transaction: SHA-256 over one line of ASCII, the predecessor's hash and its own fields, so that
 * changing, removing or inserting a transaction changes every later hash. docs/chain.md documents the format for other
 * programs.
 */
export function hashOf(before: Uint8Array, link: Link): Uint8Array {
  const { id, kind, senderId, receiverId, value, date, reverses, group, commitment } = link
  let line = `${before.toHex()} ${id} ${kind} ${senderId} ${receiverId} ${value} ${date}`
  if (reverses !== null) line += ` ${reverses}`
  if (group !== null) line += ` ${group}`
  if (commitment !== null) line += ` ${commitment.toHex()}`
  return sha256(line)
}

/**
 * A commitment to a note: SHA-256 over the salt in hexadecimal and the three columns of the note, as UTF-8, with a line
 * break between them. Only the last one, the reason, can hold line breaks.
 */
export function commitmentTo(note: Note, salt: Uint8Array): Uint8Array {
  const { reason, tags, isPrivate } = noteColumns(note)
  return sha256(`${salt.toHex()}\n${isPrivate}\n${tags}\n${reason}`)
}

/** In bytes. Long enough that nobody can guess the words of a note from its commitment. */
const saltLength = 16

export const newSalt = (): Uint8Array => crypto.getRandomValues(new Uint8Array(saltLength))

const sha256 = (text: string): Uint8Array => Bun.SHA256.hash(text) as Uint8Array
