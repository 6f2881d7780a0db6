import type { Database } from "bun:sqlite"
import { fields, type RowOf, sql } from "../../sql.ts"
import { type LedgerCheck, ledgerColumns } from "../../verify/ledger-rows.ts"
import {
  type BlockRow,
  blockColumns,
  blockSize,
  decodeBlock,
  type Entries,
  type ListKey,
  type Side,
} from "../history/blocks.ts"

const columns = { ...ledgerColumns, userPrev: sql<number>`user_prev`, fromPrev: sql<number>`from_prev` }
type LinkedRow = RowOf<typeof columns>
/** A row of `transactions`, with the links of the history index. */
export const linkedColumns = fields(columns)

/**
 * A list up to the current row, with a digest of the entries since its last full block, because the entries themselves
 * would take too much memory.
 */
interface SeenList {
  count: number
  last: number
  firstId: number
  smallest: number
  largest: number
  digest: number
}

type Seen = Readonly<Record<Side, SeenList>>

/** The history index: each transaction links to the one before it in its lists, and the blocks match the rows. */
export function createHistoryIndexCheck(client: Database): LedgerCheck<LinkedRow> {
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
      const [to, from] = sender === receiver ? (["self", "self"] as const) : (["received", "sent"] as const)
      const isLinked = receiver[to].last === userPrev && sender[from].last === fromPrev
      const wrong = [
        extend({ ownerId: receiverId, side: to }, receiver[to]),
        sender === receiver ? null : extend({ ownerId: senderId, side: from }, sender[from]),
        extend({ ownerId: 0, side: "all" }, all),
      ].filter((side) => side !== null)
      if (!isLinked) return "it names the wrong transaction before it"
      return wrong.length === 0 ? null : `the block that it fills is wrong: ${wrong.join(", ")}`

      function extend(key: ListKey, list: SeenList): string | null {
        const isFirst = list.count % blockSize === 0
        list.firstId = isFirst ? id : list.firstId
        list.smallest = isFirst ? value : Math.min(list.smallest, value)
        list.largest = isFirst ? value : Math.max(list.largest, value)
        list.digest = digestOf(isFirst ? 0 : list.digest, id, value)
        list.last = id
        list.count += 1
        return list.count % blockSize !== 0 || isStored(key, list) ? null : key.side
      }
    },
    *end({ balances }) {
      const lasts = storedLasts(client)
      for (const { userId, username, receivedCount, sentCount, selfCount } of balances) {
        const { received, sent, self } = seen.get(userId) ?? emptySeen()
        const stored = lasts.get(userId)
        for (const [what, { count, last }, storedCount, storedLast = 0] of [
          ["received", received, receivedCount, stored?.received],
          ["sent", sent, sentCount, stored?.sent],
          ["sent to the own account", self, selfCount, stored?.self],
        ] as const) {
          if (storedCount !== count) yield `the count of what ${username} ${what} is ${storedCount} instead of ${count}`
          if (storedLast !== last) yield `what ${username} ${what} last is stored as ${storedLast} instead of ${last}`
        }
      }
      const count = client.query<{ count: number }, []>("SELECT count(*) AS count FROM blocks").get()?.count ?? 0
      if (count !== blocks) yield `there are ${count} blocks instead of ${blocks}`
    },
  }

  function isStored({ ownerId, side }: ListKey, list: SeenList): boolean {
    blocks += 1
    const row = stored.get(ownerId, side, list.count / blockSize - 1)
    if (!row || row.offsets.length % blockSize !== 0 || row.amounts.length % blockSize !== 0) return false
    return (
      row.firstId === list.firstId &&
      row.smallest === list.smallest &&
      row.largest === list.largest &&
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

const emptySeen = (): Seen => ({ received: emptyList(), sent: emptyList(), self: emptyList() })

function digestOfBlock({ ids, values }: Entries): number {
  let digest = 0
  for (let index = 0; index < blockSize; index += 1) digest = digestOf(digest, ids[index] ?? 0, values[index] ?? 0)
  return digest
}

/** Mixing is reversible, so a single wrong number always changes the digest. */
function digestOf(digest: number, id: number, value: number): number {
  const low = mix(mix(digest, id), value)
  return mix(mix(low, id / 2 ** 32), value / 2 ** 32)
}

/** Uses the lower 32 bits of the number. */
const mix = (digest: number, number: number): number =>
  Math.imul(((digest << 13) | (digest >>> 19)) ^ number, 0x9e3779b1)

/** The last transaction in each list, by the user whose lists they are. */
function storedLasts(client: Database) {
  const rows = client.query<Readonly<Record<Side, number>> & { readonly userId: number }, []>(
    "SELECT user_id AS userId, last_received AS received, last_sent AS sent, last_self AS self FROM balances",
  )
  return new Map(rows.all().map((row) => [row.userId, row]))
}
