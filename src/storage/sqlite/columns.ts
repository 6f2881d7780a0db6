import type { Database } from "bun:sqlite"
import { descending, type ValueList } from "./lists.ts"
import type { Reading } from "./sequences.ts"

/** Transactions, ascending by id, by their values alone. */
export interface Column {
  readonly values: ArrayLike<number>
  /** The same values, ascending. */
  readonly sorted: ArrayLike<number>
  idAt(index: number): number
}

/** Ids that stand together: a block of everything. */
const blockSize = 16_384
/** Values read between two rests. */
const readAtOnce = 1024

export type Columns = ReturnType<typeof createColumns>

/**
 * The values of everything, side by side. A block that is full never changes: it is read once for each process and
 * remembered twice, as it stands and sorted, in a byte each, or in two, four or eight where a value needs them.
 */
export function createColumns(client: Database) {
  // As one text: a row each takes three times as long.
  const read = client.prepare<{ list: string }, [number, number]>(
    "SELECT json_group_array(value) AS list FROM transactions WHERE id BETWEEN ? AND ?",
  )
  const full: Column[] = []

  return {
    /** Of all transactions up to this id. */
    *through(last: number): Reading<readonly Column[]> {
      const blocks = Math.floor(last / blockSize)
      while (full.length < blocks) {
        const at = full.length
        const block = yield* readBlock(at * blockSize + 1, (at + 1) * blockSize)
        full[at] ??= block // somebody else may have read it meanwhile
      }
      return [...full.slice(0, blocks), yield* readBlock(blocks * blockSize + 1, last)]
    },
  }

  function* readBlock(first: number, last: number): Reading<Column> {
    const values: number[] = []
    for (let id = first; id <= last; id += readAtOnce) {
      const row = read.get(id, Math.min(last, id + readAtOnce - 1))
      values.push(...(JSON.parse(row?.list ?? "[]") as number[]))
      yield
    }
    if (values.length !== last - first + 1) throw new Error(`a transaction from ${first} to ${last} is missing`)
    return columnWith(values, (index) => first + index)
  }
}

/** The values of some lists as one, what stands in two once. */
export function* columnOf(lists: readonly ValueList[]): Reading<Column> {
  const ids: number[] = []
  const values: number[] = []
  const waiting = lists.map((list) => descending(list, list.smallest))
  const next = waiting.map((entries) => entries.next().value)
  for (;;) {
    const id = Math.max(0, ...next.map((entry) => entry?.id ?? 0))
    if (id === 0) break
    for (const [at, entry] of next.entries())
      if (entry?.id === id) {
        if (ids.at(-1) !== id) {
          ids.push(id)
          values.push(entry.place.value)
        }
        next[at] = waiting[at]?.next().value
      }
    if (ids.length % readAtOnce === 0) yield
  }
  ids.reverse()
  values.reverse()
  return columnWith(values, (index) => ids[index] ?? 0)
}

function columnWith(given: readonly number[], idAt: Column["idAt"]): Column {
  const values = packed(given)
  return { values, sorted: values.toSorted(), idAt }
}

function packed(values: readonly number[]) {
  const largest = values.reduce((largest, value) => Math.max(largest, value), 0)
  if (largest < 2 ** 8) return Uint8Array.from(values)
  if (largest < 2 ** 16) return Uint16Array.from(values)
  if (largest < 2 ** 32) return Uint32Array.from(values)
  return Float64Array.from(values)
}
