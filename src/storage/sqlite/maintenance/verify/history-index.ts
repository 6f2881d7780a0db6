import type { Database } from "bun:sqlite"
import {
  type BlockRow,
  blockColumns,
  blockSize,
  decodeBlock,
  type Entries,
  type ListKey,
} from "../../history/blocks.ts"
import type { LedgerCheck, Subject } from "./check.ts"

interface StoredEnds {
  readonly userId: number
  readonly username: string
  /** The three are null where the user has no row of balances. */
  readonly lastReceived: number | null
  readonly lastSent: number | null
  readonly selfCount: number | null
}

/** A list up to the current row, with a digest of the entries since its last full block: the entries themselves would take
 *  too much memory. */
interface SeenList {
  count: number
  last: number
  firstId: number
  smallest: number
  largest: number
  digest: number
}

interface Seen {
  readonly received: SeenList
  readonly sent: SeenList
  selfCount: number
}

/** The history index: each transaction links to the one before it in its lists, and the blocks match the rows. */
export function createHistoryIndexCheck({ client }: Subject): LedgerCheck {
  const seen = new Map<number, Seen>()
  const all = emptyList()
  const stored = client.query<BlockRow, [number, string, number]>(
    `SELECT ${blockColumns} FROM blocks WHERE owner_id = ? AND side = ? AND number = ?`,
  )
  let blocks = 0

  return {
    name: "lists",
    see({ id, senderId, receiverId, value, userPrev, fromPrev }) {
      const [sender, receiver] = [of(senderId), of(receiverId)]
      if (senderId === receiverId) sender.selfCount += 1
      const isLinked = receiver.received.last === userPrev && sender.sent.last === fromPrev
      const wrong = [
        extend({ ownerId: receiverId, side: "received" }, receiver.received, receiver.selfCount),
        extend({ ownerId: senderId, side: "sent" }, sender.sent, sender.selfCount),
        extend({ ownerId: 0, side: "all" }, all, 0),
      ].filter((side) => side !== null)
      if (!isLinked) return "it names the wrong transaction before it"
      return wrong.length === 0 ? null : `the block that it fills is wrong: ${wrong.join(", ")}`

      function extend(key: ListKey, list: SeenList, selfCount: number): string | null {
        const isFirst = list.count % blockSize === 0
        list.firstId = isFirst ? id : list.firstId
        list.smallest = isFirst ? value : Math.min(list.smallest, value)
        list.largest = isFirst ? value : Math.max(list.largest, value)
        list.digest = digestOf(isFirst ? 0 : list.digest, id, value)
        list.last = id
        list.count += 1
        return list.count % blockSize !== 0 || isStored(key, list, selfCount) ? null : key.side
      }
    },
    *end() {
      for (const { userId, username, lastReceived, lastSent, selfCount } of storedEnds(client)) {
        const { received, sent, selfCount: counted } = seen.get(userId) ?? emptySeen()
        if ((lastReceived ?? 0) !== received.last)
          yield `what ${username} received last is stored as ${lastReceived ?? 0} instead of ${received.last}`
        if ((lastSent ?? 0) !== sent.last)
          yield `what ${username} sent last is stored as ${lastSent ?? 0} instead of ${sent.last}`
        if ((selfCount ?? 0) !== counted)
          yield `the count of what ${username} sent to the own account is ${selfCount ?? 0} instead of ${counted}`
      }
      const count = client.query<{ count: number }, []>("SELECT count(*) AS count FROM blocks").get()?.count ?? 0
      if (count !== blocks) yield `there are ${count} blocks instead of ${blocks}`
    },
  }

  function isStored({ ownerId, side }: ListKey, list: SeenList, selfCount: number): boolean {
    blocks += 1
    const row = stored.get(ownerId, side, list.count / blockSize - 1)
    if (!row || row.offsets.length % blockSize !== 0 || row.amounts.length % blockSize !== 0) return false
    return (
      row.firstId === list.firstId &&
      row.smallest === list.smallest &&
      row.largest === list.largest &&
      row.selfCount === selfCount &&
      digestOfBlock(decodeBlock(row)) === list.digest
    )
  }

  function of(userId: number): Seen {
    const known = seen.get(userId)
    if (known) return known
    const empty = emptySeen()
    seen.set(userId, empty)
    return empty
  }
}

const emptyList = (): SeenList => ({ count: 0, last: 0, firstId: 0, smallest: 0, largest: 0, digest: 0 })

const emptySeen = (): Seen => ({ received: emptyList(), sent: emptyList(), selfCount: 0 })

function digestOfBlock({ firstId, offsets, values }: Entries): number {
  let digest = 0
  for (let index = 0; index < blockSize; index += 1)
    digest = digestOf(digest, firstId + (offsets[index] ?? 0), values[index] ?? 0)
  return digest
}

/** Mixing is one-to-one, so a single wrong number always changes the digest. */
function digestOf(digest: number, id: number, value: number): number {
  const low = mix(mix(digest, id), value)
  return mix(mix(low, id / 2 ** 32), value / 2 ** 32)
}

/** Uses the lower 32 bits of the number. */
const mix = (digest: number, number: number): number =>
  Math.imul(((digest << 13) | (digest >>> 19)) ^ number, 0x9e3779b1)

const storedEnds = (client: Database): Iterable<StoredEnds> =>
  client
    .query<StoredEnds, []>(
      `SELECT users.id AS userId, username, last_received AS lastReceived, last_sent AS lastSent, self_count AS selfCount
       FROM users LEFT JOIN balances ON user_id = users.id ORDER BY users.id`,
    )
    .iterate()
