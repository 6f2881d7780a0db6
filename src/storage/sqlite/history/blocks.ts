import type { Database } from "bun:sqlite"

/**
 * The history index. Each user has three lists of transactions: received from others, sent to others, and to oneself
 * ("self"), so each transaction of a user is in one of them. The list "all" holds everything. Lists only grow. Every
 * transaction names the one before it in both of its lists (`user_prev`, `from_prev`), and every 256 entries of a list are
 * copied into a row of `blocks`: their ids, their values, and the smallest and largest of these. So entry n of a list is in
 * block n / 256; the newest entries, which fill no block yet, are found by walking back from the newest one; and "largest
 * first" reads the blocks in the order of their largest value. docs/architecture.md has a picture.
 */

/** Entries in a block. */
export const blockSize = 256

/** The part of a user's transactions that a list holds. */
export type Side = "received" | "sent" | "self"

/** Identifies a list: a user's, or everything (side "all", owner 0). */
export interface ListKey {
  readonly ownerId: number
  readonly side: Side | "all"
}

/** Consecutive entries of a list, ascending by id. */
export interface Entries {
  readonly firstId: number
  /** Each id less `firstId`: packed, a block takes a few hundred bytes. */
  readonly offsets: ArrayLike<number>
  readonly values: ArrayLike<number>
}

export const idsOf = ({ firstId, offsets }: Entries): number[] => Array.from(offsets, (offset) => firstId + offset)

/** A row of `blocks`. Numbers are counted from 0. */
export interface BlockRow {
  readonly number: number
  readonly firstId: number
  readonly smallest: number
  readonly largest: number
  readonly offsets: Uint8Array
  readonly amounts: Uint8Array
}

export const blockColumns = "number, first_id AS firstId, smallest, largest, offsets, amounts"

/** The row of a full block. */
export function encodeBlock({ firstId, offsets, values }: Entries): Omit<BlockRow, "number"> {
  const [smallest, largest] = [Math.min(...Array.from(values)), Math.max(...Array.from(values))]
  return { firstId, smallest, largest, offsets: pack(offsets), amounts: pack(values) }
}

export const decodeBlock = ({ firstId, offsets, amounts }: BlockRow): Entries => ({
  firstId,
  offsets: unpack(offsets),
  values: unpack(amounts),
})

/** By the bytes that a number takes. */
const widths = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const

/** Stores numbers in 1, 2, 4 or 8 bytes each, as many as the largest needs. */
function pack(numbers: ArrayLike<number>): Uint8Array {
  const largest = Math.max(...Array.from(numbers))
  const Numbers =
    largest < 2 ** 8 ? widths[1] : largest < 2 ** 16 ? widths[2] : largest < 2 ** 32 ? widths[4] : widths[8]
  return new Uint8Array(Numbers.from(numbers).buffer)
}

/** A block is always full, so the length of its bytes tells their width. */
function unpack(bytes: Uint8Array): ArrayLike<number> {
  const width = bytes.length / blockSize
  if (width !== 1 && width !== 2 && width !== 4 && width !== 8)
    throw new Error("a block of the history index is damaged")
  return new widths[width](bytes.slice().buffer) // a copy is aligned
}

/** A list at its newest end, as the next append needs it. */
export interface ListEnd {
  count: number
  /** Id of the newest entry; 0 when there is none. */
  last: number
  /** Id and value of each entry appended since the last block, as far as they were appended through this object. */
  recent: number[]
}

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
    end.count += 1
    end.last = id
    end.recent.push(id, value)
    if (end.count % blockSize !== 0) return
    // Reading 256 rows back takes as long as appending ten transactions.
    const entries = end.recent.length === 2 * blockSize ? entriesOf(end.recent) : read(side, id, blockSize)
    end.recent = []
    const { firstId, smallest, largest, offsets, amounts } = encodeBlock(entries)
    insert.run(ownerId, side, end.count / blockSize - 1, firstId, smallest, largest, offsets, amounts)
  }
}

/** From ids and values in turn, ascending by id. */
function entriesOf(recent: readonly number[]): Entries {
  const firstId = recent[0] ?? 0
  const offsets: number[] = []
  const values: number[] = []
  for (let at = 0; at < recent.length; at += 2) {
    offsets.push((recent[at] ?? 0) - firstId)
    values.push(recent[at + 1] ?? 0)
  }
  return { firstId, offsets, values }
}

/** Reads the `count` newest entries of a list up to `last` from their rows: 0.5 µs each. */
export function createReadBack(client: Database) {
  const [byReceiver, bySender] = [stepAlong("user_prev"), stepAlong("from_prev")]
  const steps = { received: byReceiver, sent: bySender, self: bySender }
  const run = client.prepare<{ value: number }, [number, number]>(
    "SELECT value FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id",
  )

  return (side: ListKey["side"], last: number, count: number): Entries => {
    if (side === "all") {
      const first = last - count + 1 // ids have no gaps
      const values = run.all(first, last).map(({ value }) => value)
      if (values.length !== count) throw new Error(`a transaction from ${first} to ${last} is missing`)
      return { firstId: first, offsets: values.map((_, index) => index), values }
    }
    const ids: number[] = []
    const values: number[] = []
    for (let id = last; ids.length < count; ) {
      const row = steps[side].get(id)
      if (!row) throw new Error(`transaction ${id}, which the history index names, is missing`)
      ids.push(id)
      values.push(row.value)
      id = row.prev
    }
    const firstId = ids.at(-1) ?? 0
    return { firstId, offsets: ids.reverse().map((id) => id - firstId), values: values.reverse() }
  }

  function stepAlong(prev: string) {
    return client.prepare<{ prev: number; value: number }, [number]>(
      `SELECT ${prev} AS prev, value FROM transactions WHERE id = ?`,
    )
  }
}
