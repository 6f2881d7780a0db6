import type { Page, PageQuery } from "../../domain/pages.ts"
import type { LedgerStore, Transaction, TransactionRecord } from "../../domain/store.ts"
import { createLatest } from "../../latest.ts"
import { createColumns } from "./columns.ts"
import type { Connection } from "./connection.ts"
import { between, bothSides, everything, type Kept, oneSide, orderOf } from "./kept.ts"
import { createLists, type ValueList } from "./lists.ts"
import { createPeople } from "./people.ts"
import { createRows } from "./rows.ts"
import { selectionOf } from "./selection.ts"
import type { Reading } from "./sequences.ts"
import { createStretches } from "./stretches.ts"

/** Transactions of remembered pages. Some 250 bytes each, with the JSON that HTTP makes of them. */
const maxRemembered = 131_072

/**
 * Pages of the ledger. What a query keeps is a list of forest.ts, or two; in the order that it asks for, this is a
 * sequence, of which the page is read where it stands. Its count is kept with the list; that of a pair alone is not
 * (pairs.ts). `longestMs` is how long a page may keep all others waiting at a stretch.
 *
 * What stands from one place of a list to another never changes, whoever appends: it is remembered (400 µs become 20),
 * and whoever asks again gets the same array.
 */
export function createPages({ client }: Pick<Connection, "client">, longestMs?: number): LedgerStore["page"] {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const columns = createColumns(client)
  const inStretches = createStretches(client, longestMs)
  const remembered = createLatest<string, readonly TransactionRecord[]>(maxRemembered, (items) => items.length)
  const state = client.prepare<Pick<ValueList, "count" | "last">, []>(
    "SELECT transaction_count AS count, last_id AS last FROM ledger_state",
  )

  return (query) => inStretches(pageOf(query))

  function* pageOf(query: PageQuery): Reading<Page<TransactionRecord>> {
    const kept = yield* keptBy(query)
    if (!kept) return { items: [], total: 0 }
    const order = kept[query.order ? orderOf[query.order.field] : "byId"]
    const descends = query.order?.descending === true
    const sequence = order()
    const total = sequence.count
    const near = Math.min(total, (query.page - 1) * query.size)
    const far = Math.min(total, near + query.size)
    const [from, to] = descends ? [total - far, total - near] : [near, far]

    const place = order === kept.byId && kept.list !== null ? `${kept.list} ${from} ${to} ${descends}` : null
    const known = place === null ? undefined : remembered.get(place)
    if (known) return { items: known, total }
    const items = rows.of(yield* sequence.slice(from, to)).map(named)
    if (descends) items.reverse()
    if (place !== null) remembered.set(place, Object.freeze(items))
    return { items, total }
  }

  function* keptBy(query: PageQuery): Reading<Kept | null> {
    const selection = selectionOf(people, query)
    if (selection === null) return null
    if (selection.kind === "pair")
      return yield* between(rows, people.endsOf(selection.sender), people.endsOf(selection.receiver))
    if (selection.kind === "side") return oneSide(people, people.endsOf(selection.owner), selection.side)
    if (selection.kind === "participant") return bothSides(people, people.endsOf(selection.owner))
    const end = state.get() ?? { count: 0, last: 0 }
    return everything(people, lists.all(end), columns)
  }

  function named({ id, receiverId, senderId, value, date }: Transaction): TransactionRecord {
    const [receiverUsername, senderUsername] = [people.usernameOf(receiverId), people.usernameOf(senderId)]
    return { id, receiverId, senderId, value, date, receiverUsername, senderUsername }
  }
}
