import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"

/**
 * The history index (docs/architecture.md has a picture). Each user has three lists of transactions: received from others,
 * sent to others, and to oneself ("self"). The list "all" holds everything. Lists only grow. Every transaction names the one
 * before it in both of its lists (`user_prev`, `from_prev`), and every 256 entries of a list are copied into a row of `blocks`.
 */

/** Entries in a block. */
export const blockSize = 256

/** The part of a user's transactions that a list holds. */
export type Side = "received" | "sent" | "self"

/** Identifies a list: one of a user, or the list of everything (side "all", owner 0). */
export interface ListKey {
  readonly ownerId: number
  readonly side: Side | "all"
}

/** Adjacent entries of a list, ascending by id. */
export interface Entries {
  readonly ids: readonly number[]
  readonly values: ArrayLike<number>
}

/** A row of `blocks`. Numbers are counted from 0. */
export interface BlockRow {
  readonly number: number
  readonly firstId: number
  readonly smallest: number
  readonly largest: number
  /** Each id minus `firstId`. Small numbers take fewer bytes, so a block takes a few hundred. */
  readonly offsets: Uint8Array
  readonly amounts: Uint8Array
}

export const blockColumns = "number, first_id AS firstId, smallest, largest, offsets, amounts"

/** The row of a full block. */
export function encodeBlock({ ids, values }: Entries): Omit<BlockRow, "number"> {
  const firstId = ids[0] ?? 0
  const [smallest, largest] = [Math.min(...Array.from(values)), Math.max(...Array.from(values))]
  return { firstId, smallest, largest, offsets: pack(ids.map((id) => id - firstId)), amounts: pack(values) }
}

export function decodeBlock({ firstId, offsets, amounts }: BlockRow): Entries {
  const [all, values] = [unpack(offsets), unpack(amounts)]
  const ids: number[] = []
  // This loop takes 2 µs; an iterator would take 5.
  for (let at = 0; at < all.length; at += 1) ids.push(firstId + (all[at] ?? 0))
  return { ids, values }
}

const widths = [Uint8Array, Uint16Array, Uint32Array, Float64Array]

/** Stores numbers in 1, 2, 4 or 8 bytes each, as many as the largest needs. */
function pack(numbers: ArrayLike<number>): Uint8Array {
  const largest = Math.max(...Array.from(numbers))
  const Numbers = widths.find((width) => largest < 256 ** width.BYTES_PER_ELEMENT) ?? Float64Array
  return new Uint8Array(Numbers.from(numbers).buffer)
}

/** A block is always full, so the number of bytes tells how wide the numbers are. */
function unpack(bytes: Uint8Array): ArrayLike<number> {
  const Numbers = widths.find((width) => bytes.length === blockSize * width.BYTES_PER_ELEMENT)
  if (!Numbers) throw new DatabaseDamaged("a block of the history index cannot be read")
  return new Numbers(bytes.slice().buffer) // copied, because a typed array needs aligned bytes
}

/** The end of a list, as the next append needs it. */
export interface ListEnd {
  count: number
  /** Id of the newest entry; 0 when there is none. */
  last: number
  recent: Recent
}

/** Entries since the last block, as far as they were appended through this object. */
interface Recent {
  /** Id of the entry before them; 0 when there is none. */
  readonly before: number
  readonly ids: number[]
  readonly values: number[]
}

export const listEnd = (count = 0, last = 0): ListEnd => ({ count, last, recent: noneSince(last) })

export const noneSince = (before: number): Recent => ({ before, ids: [], values: [] })

/**
 * Appends transaction `id`, whose row is already written, to a list, and writes the block that it fills, if any.
 * Used inside the write lock only.
 */
export function createExtend(client: Database) {
  const read = createReadBack(client)
  const insert = client.prepare(
    `INSERT INTO blocks (owner_id, side, number, first_id, smallest, largest, offsets, amounts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  return ({ ownerId, side }: ListKey, end: ListEnd, id: number, value: number) => {
    const { recent } = end
    end.count += 1
    end.last = id
    recent.ids.push(id)
    recent.values.push(value)
    if (end.count % blockSize !== 0) return
    // Reads only the entries that are not in memory: 256 rows take as long as appending ten transactions.
    const older = read(side, recent.before, blockSize - recent.ids.length)
    const entries = { ids: [...older.ids, ...recent.ids], values: [...Array.from(older.values), ...recent.values] }
    end.recent = noneSince(id)
    const { firstId, smallest, largest, offsets, amounts } = encodeBlock(entries)
    insert.run(ownerId, side, end.count / blockSize - 1, firstId, smallest, largest, offsets, amounts)
  }
}

/** Reads the `count` newest entries of a list up to `last` from their rows, in one statement. */
export function createReadBack(client: Database) {
  const bySender = walkAlong("from_prev")
  const walks = { received: walkAlong("user_prev"), sent: bySender, self: bySender, all: walkAlong("id - 1") }

  return (side: ListKey["side"], last: number, count: number): Entries => {
    const rows = walks[side].all(last, count).reverse()
    if (rows.length !== count)
      throw new DatabaseDamaged(`a transaction before ${last}, which the history index names, is missing`)
    return { ids: rows.map(({ id }) => id), values: rows.map(({ value }) => value) }
  }

  function walkAlong(prev: string) {
    return client.prepare<{ id: number; value: number }, [number, number]>(
      `WITH RECURSIVE walk (id, value, prev) AS (SELECT t.id, t.value, t.${prev} FROM transactions AS t WHERE t.id = ?
         UNION ALL SELECT t.id, t.value, t.${prev} FROM walk CROSS JOIN transactions AS t ON t.id = walk.prev LIMIT ?)
       SELECT id, value FROM walk`,
    )
  }
}
