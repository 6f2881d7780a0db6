import type { Database } from "bun:sqlite"
import {
  type BlockRow,
  blockColumns,
  blockSize,
  createReadBack,
  decodeBlock,
  type Entries,
  idsOf,
  type ListKey,
  type Side,
  sideColumns,
} from "./blocks.ts"
import type { Reading } from "./time-slices.ts"

export type Direction = "up" | "down"

/** A list as it stood at one moment: what is appended later does not change it. */
export interface List extends ListKey {
  readonly count: number
  /** Id of the newest entry; 0 when there is none. */
  readonly last: number
  /** The newest entries, which fill no block yet. Read once, when they are first asked for. */
  openEnd(): Entries
}

/** What one user received or sent. */
export interface SideList extends List {
  readonly side: Side
}

/** Both lists of a user. A transaction to oneself is in both. */
export interface Participant {
  readonly received: SideList
  readonly sent: SideList
  readonly selfCount: number
}

/** How many transactions the user takes part in. */
export const participantCount = ({ received, sent, selfCount }: Participant): number =>
  received.count + sent.count - selfCount

/** Blocks that are full. */
export const fullBlocks = ({ count }: Pick<List, "count">): number => Math.floor(count / blockSize)

/** Ids one by one; undefined is a pause, where other work may run. */
export type Ids = Generator<number | undefined, void>

export type Lists = ReturnType<typeof createLists>

/** Reads lists. Statements are raw here and in the other files of the history: Drizzle's mapping costs more than the work. */
export function createLists(client: Database) {
  const readBack = createReadBack(client)
  const byNumber = client.prepare<BlockRow, [number, string, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND number = ?`,
  )
  const byFirstId = client.prepare<BlockRow, [number, string, number, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND first_id <= ? AND number < ?
     ORDER BY first_id DESC LIMIT 1`,
  )
  const asked = "json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value"
  const selfTransfers = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM ${asked} WHERE t.user_id = t.from_id`,
  )
  const others = { received: othersOf("received"), sent: othersOf("sent") }

  return {
    of,
    before,
    slice,
    segments,
    idsIn,
    participantSlice,
    idsOfParticipant,
    merged,
    idsInCommon,
    othersIn,
    withoutSelfTransfers,
  }

  function of<Key extends ListKey>(key: Key, { count, last }: Pick<List, "count" | "last">): List & Key {
    let open: Entries | undefined
    const openEnd = () => {
      open ??= readBack(key.side, last, count % blockSize)
      return open
    }
    return { ...key, count, last, openEnd }
  }

  /** The list as it stood before transaction `id`. */
  function before(list: SideList, id: number): SideList {
    return prefix(list, countUpTo(list, id - 1))
  }

  function prefix<Known extends List>(list: Known, count: number): List & Known {
    const last = count === list.count ? list.last : count === 0 ? 0 : idAt(list, count - 1)
    return of(list, { count, last })
  }

  /** Ids from number `from`, the oldest being 0, up to but not including number `to`. */
  function* slice(list: List, from: number, to: number): Reading<readonly number[]> {
    if (list.side === "all") return Array.from({ length: to - from }, (_, index) => from + 1 + index) // without gaps
    const ids: number[] = []
    for (let at = from; at < to; at += blockSize - (at % blockSize)) {
      const start = at % blockSize
      ids.push(...idsOf(segmentAt(list, at)).slice(start, start + to - at))
      yield
    }
    return ids
  }

  /** Blocks and open end, one after the other, from the one with entry number `from` on. */
  function* segments(
    list: List,
    direction: Direction,
    from = direction === "up" ? 0 : list.count - 1,
  ): Generator<Entries> {
    const step = direction === "up" ? blockSize : -blockSize
    for (let at = from - (from % blockSize); at >= 0 && at < list.count; at += step) yield segmentAt(list, at)
  }

  /** Ids of a list in this direction, without the first `skip`. */
  function* idsIn(list: List, direction: Direction, skip = 0): Ids {
    if (direction === "down") {
      for (const segment of segments(prefix(list, list.count - skip), "down")) {
        yield* idsOf(segment).reverse()
        yield
      }
      return
    }
    let start = skip % blockSize
    for (const segment of segments(list, "up", skip)) {
      yield* idsOf(segment).slice(start)
      start = 0
      yield
    }
  }

  /** What a user received or sent: ids from number `from` up to but not including number `to`, read from the nearer end. */
  function* participantSlice(participant: Participant, from: number, to: number): Reading<readonly number[]> {
    const count = participantCount(participant)
    const direction = count - to < from ? "down" : "up"
    const ids: number[] = []
    for (const id of idsOfParticipant(participant, direction, direction === "down" ? count - to : from)) {
      if (id === undefined) yield
      else ids.push(id)
      if (ids.length === to - from) break
    }
    return direction === "down" ? ids.reverse() : ids
  }

  /** What a user received or sent, each once, in this direction, without the first `skip`. */
  function* idsOfParticipant(participant: Participant, direction: Direction, skip = 0): Ids {
    const skipped = skip === 0 ? { received: 0, sent: 0 } : skippedOf(participant, direction, skip)
    const received = idsIn(participant.received, direction, skipped.received)
    const sent = idsIn(participant.sent, direction, skipped.sent)
    yield* merged(received, sent, direction)
  }

  /** Two orders of ids as one; what is in both comes once. */
  function* merged(one: Ids, other: Ids, direction: Direction): Ids {
    const first = direction === "up" ? Math.min : Math.max
    let [a, b] = [yield* nextOf(one), yield* nextOf(other)]
    for (;;) {
      const id = a === null || b === null ? (a ?? b) : first(a, b)
      if (id === null) return
      yield id
      if (a === id) a = yield* nextOf(one)
      if (b === id) b = yield* nextOf(other)
    }
  }

  /** How many entries of each list are among the first `skip` of both in this direction. */
  function skippedOf(participant: Participant, direction: Direction, skip: number) {
    const { received, sent } = participant
    if (direction === "up") {
      const last = idAtParticipant(participant, skip - 1)
      return { received: countUpTo(received, last), sent: countUpTo(sent, last) }
    }
    const before = idAtParticipant(participant, participantCount(participant) - skip) - 1
    return { received: received.count - countUpTo(received, before), sent: sent.count - countUpTo(sent, before) }
  }

  /** Id number `position`, from 0, of what a user received or sent. Halves the ids; each step reads a block of each list. */
  function idAtParticipant({ received, sent, selfCount }: Participant, position: number): number {
    let [low, high] = [1, Math.max(received.last, sent.last)]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const selfs = selfCount === 0 ? 0 : selfTransfersUpTo(sent, middle)
      if (countUpTo(received, middle) + countUpTo(sent, middle) - selfs > position) high = middle
      else low = middle + 1
    }
    return low
  }

  function selfTransfersUpTo(sent: SideList, id: number): number {
    const count = countUpTo(sent, id)
    const ids = count === 0 ? [] : idsOf(segmentAt(sent, count - 1)).filter((one) => one <= id)
    const number = Math.floor((count - 1) / blockSize)
    return (number > 0 ? rowOf(sent, number - 1).selfCount : 0) + selfTransfers.all(JSON.stringify(ids)).length
  }

  /** Ids in the lists of two users, one of received and one of sent: the shorter one is read. */
  function* idsInCommon(one: SideList, other: SideList, direction: Direction): Ids {
    const [shorter, longer] = one.count < other.count ? [one, other] : [other, one]
    for (const segment of segments(shorter, direction)) {
      const shared = othersIn(shorter, idsOf(segment)).filter(({ otherId }) => otherId === longer.ownerId)
      const ids = shared.map(({ id }) => id).filter((id) => id <= longer.last) // of the same moment
      yield* direction === "up" ? ids : ids.reverse()
      yield
    }
  }

  /** These entries of a list with the user on the other side. */
  function othersIn({ side }: SideList, ids: readonly number[]): { readonly id: number; readonly otherId: number }[] {
    const found = others[side].all(JSON.stringify(ids))
    if (found.length !== ids.length) throw new Error("a transaction that the history index names is missing")
    return found
  }

  function withoutSelfTransfers(entries: Entries): Entries {
    const { firstId, offsets, values } = entries
    const ids = idsOf(entries)
    const selfs = new Set(selfTransfers.all(JSON.stringify(ids)).map(({ id }) => id))
    const kept = ids.flatMap((id, index) => (selfs.has(id) ? [] : [index]))
    return { firstId, offsets: kept.map((at) => offsets[at] ?? 0), values: kept.map((at) => values[at] ?? 0) }
  }

  function idAt(list: List, position: number): number {
    const { firstId, offsets } = segmentAt(list, position)
    return firstId + (offsets[position % blockSize] ?? 0)
  }

  /** The block, or the open end, with entry number `position`. */
  function segmentAt(list: List, position: number): Entries {
    const number = Math.floor(position / blockSize)
    return number < fullBlocks(list) ? decodeBlock(rowOf(list, number)) : list.openEnd()
  }

  /** How many entries of a list have at most this id. */
  function countUpTo(list: List, id: number): number {
    if (id >= list.last) return list.count
    const full = fullBlocks(list)
    const row = byFirstId.get(list.ownerId, list.side, id, full)
    const inBlocks = row ? row.number * blockSize + countIn(decodeBlock(row), id) : 0
    return inBlocks === full * blockSize ? inBlocks + countIn(list.openEnd(), id) : inBlocks
  }

  function rowOf({ ownerId, side }: List, number: number): BlockRow {
    const row = byNumber.get(ownerId, side, number)
    if (!row) throw new Error(`block ${number} of list ${side} ${ownerId} is missing`)
    return row
  }

  function othersOf(side: Side) {
    return client.prepare<{ id: number; otherId: number }, [string]>(
      `SELECT t.id, t.${sideColumns[side].other} AS otherId FROM ${asked}`,
    )
  }
}

/** How many of these entries have at most this id. */
function countIn({ firstId, offsets }: Entries, id: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (firstId + (offsets[middle] ?? 0) <= id) low = middle + 1
    else high = middle
  }
  return low
}

/** The next id, passing on the pauses before it; null at the end. */
function* nextOf(ids: Ids): Generator<undefined, number | null> {
  for (;;) {
    const { done, value } = ids.next()
    if (done) return null
    if (value !== undefined) return value
    yield
  }
}
