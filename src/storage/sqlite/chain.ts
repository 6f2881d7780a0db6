import type { Transaction } from "../../domain/store.ts"

/** What the first transaction takes for its predecessor's hash. */
export const firstHash: Uint8Array = new Uint8Array(32)

/**
 * The hash of a transaction: SHA-256 over this line of ASCII, the predecessor's hash in lower-case hexadecimal and its
 * own fields in decimal, one space between them: `<hash before> <id> <from_id> <user_id> <value> <date>`. Whoever
 * changes, removes or inserts one has to change every hash behind it.
 */
export function hashOf(before: Uint8Array, { id, senderId, receiverId, value, date }: Transaction): Uint8Array {
  return Bun.SHA256.hash(`${before.toHex()} ${id} ${senderId} ${receiverId} ${value} ${date}`) as Uint8Array
}
