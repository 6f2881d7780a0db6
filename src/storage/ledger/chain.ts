import type { NewTransaction, Note, Transaction, TransactionKind } from "../../domain/ledger/model.ts"
import { movePoints, type StoredPockets } from "../../domain/ledger/pockets.ts"

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
  /** Null unless it adds points to an entry of the feed. */
  readonly addsTo: number | null
  /** Null without a note. */
  readonly commitment: Uint8Array | null
}

/**
 * The hash of a transaction: SHA-256 over one line of ASCII, the predecessor's hash and its own fields, so that
 * changing, removing or inserting a transaction changes every later hash. docs/chain.md documents the format for other
 * programs.
 */
export function hashOf(before: Uint8Array, link: Link): Uint8Array {
  const { id, kind, senderId, receiverId, value, date, reverses, group, addsTo, commitment } = link
  let line = `${before.toHex()} ${id} ${kind} ${senderId} ${receiverId} ${value} ${date}`
  if (reverses !== null) line += ` ${reverses}`
  if (group !== null) line += ` ${group}`
  // The sign tells it from the id of a group.
  if (addsTo !== null) line += ` +${addsTo}`
  if (commitment !== null) line += ` ${commitment.toHex()}`
  return sha256(line)
}

/** A note as its columns are stored. */
interface NoteColumns {
  readonly reason: string
  /** One space between them. */
  readonly tags: string
  /** 0 or 1 */
  readonly isPrivate: number
}

/**
 * A commitment to a note: SHA-256 over the salt in hexadecimal and the three columns of the note, as UTF-8, with a line
 * break between them. Only the last one, the reason, can hold line breaks.
 */
export const commitmentTo = ({ reason, tags, isPrivate }: NoteColumns, salt: Uint8Array): Uint8Array =>
  sha256(`${salt.toHex()}\n${isPrivate}\n${tags}\n${reason}`)

const columnsOf = ({ reason, tags, isPrivate }: Note): NoteColumns => ({
  reason,
  tags: tags.join(" "),
  isPrivate: Number(isPrivate),
})

/** In bytes. Long enough that nobody can guess the words of a note from its commitment. */
const saltLength = 16

const sha256 = (text: string): Uint8Array => Bun.SHA256.hash(text) as Uint8Array

/** The end of the ledger, on which the next transaction builds. */
export interface LedgerEnd {
  lastId: number
  lastDate: number
  lastHash: Uint8Array
}

/** A transaction as a row, with its note. */
export interface NewRow extends Link {
  readonly hash: Uint8Array
  readonly note: (NoteColumns & { readonly salt: Uint8Array }) | null
}

/** What appending a transaction needs and changes. */
export interface OpenLedger<Account extends StoredPockets> {
  readonly end: LedgerEnd
  /** Accounts to save. */
  readonly changed: Set<Account>
  /** @throws DomainError `user_not_found` */
  accountOf(userId: number): Account
  /** Stores the row, and counts it for both accounts. */
  insert(row: NewRow, sender: Account, receiver: Account): void
}

/** Appends a transaction and moves its value. `originalKind`: the kind of the transaction that a reversal reverses. */
export function append<Account extends StoredPockets>(
  ledger: OpenLedger<Account>,
  entry: NewTransaction,
  originalKind: TransactionKind | null = null,
): Transaction {
  const { end, changed } = ledger
  const { kind, senderId, receiverId, value, note, place, reverses = null, addsTo = null } = entry
  const sender = ledger.accountOf(senderId)
  const receiver = ledger.accountOf(receiverId)
  const id = end.lastId + 1
  const group = place === undefined ? null : id - place
  const date = Math.max(end.lastDate, entry.date)
  const stored = note ? { ...columnsOf(note), salt: crypto.getRandomValues(new Uint8Array(saltLength)) } : null
  const commitment = stored && commitmentTo(stored, stored.salt)
  const row = {
    id,
    kind,
    senderId,
    receiverId,
    value,
    date,
    reverses,
    group,
    addsTo,
    commitment,
    note: stored,
    hash: firstHash,
  }
  row.hash = hashOf(end.lastHash, row)
  // A transfer to oneself moves nothing. Subtracting and adding might exceed 2^53 in between.
  if (sender !== receiver) movePoints({ kind, value, originalKind }, sender, receiver)
  ledger.insert(row, sender, receiver)
  changed.add(sender).add(receiver)
  end.lastId = id
  end.lastDate = date
  end.lastHash = row.hash
  return { id, kind, senderId, receiverId, value, date, group, addsTo, note }
}
