import type { Page, PageQuery } from "../../domain/pages.ts"
import type { LedgerStore, Transaction, TransactionRecord } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { between, bothSides, everything, type Kept, oneSide, orderOf } from "./kept.ts"
import { createLists, type ValueList } from "./lists.ts"
import { createPeople } from "./people.ts"
import { createRows } from "./rows.ts"
import { selectionOf } from "./selection.ts"
import type { Reading } from "./sequences.ts"
import { createStretches } from "./stretches.ts"

/**
 * Pages of the ledger. What a query keeps is a list of forest.ts, or two; in the order that it asks for, this is a
 * sequence, of which the page is read where it stands. Its count is kept with the list; that of a pair alone is not
 * (pairs.ts). `longestMs` is how long a page may keep all others waiting at a stretch.
 */
export function createPages({ client }: Pick<Connection, "client">, longestMs?: number): LedgerStore["page"] {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const inStretches = createStretches(client, longestMs)
  const state = client.prepare<Pick<ValueList, "count" | "last">, []>(
    "SELECT transaction_count AS count, last_id AS last FROM ledger_state",
  )

  return (query) => inStretches(pageOf(query))

  function* pageOf(query: PageQuery): Reading<Page<TransactionRecord>> {
    const kept = yield* keptBy(query)
    if (!kept) return { items: [], total: 0 }
    const sequence = kept[query.order ? orderOf[query.order.field] : "byId"]()
    const total = sequence.count
    const from = Math.min(total, (query.page - 1) * query.size)
    const to = Math.min(total, from + query.size)
    if (!query.order?.descending) return { items: itemsOf(yield* sequence.slice(from, to)), total }
    return { items: itemsOf(yield* sequence.slice(total - to, total - from)).reverse(), total }
  }

  function* keptBy(query: PageQuery): Reading<Kept | null> {
    const selection = selectionOf(people, query)
    if (selection === null) return null
    if (selection.kind === "pair")
      return yield* between(rows, people.endsOf(selection.sender), people.endsOf(selection.receiver))
    if (selection.kind === "side") return oneSide(people, people.endsOf(selection.owner), selection.side)
    if (selection.kind === "participant") return bothSides(people, people.endsOf(selection.owner))
    const end = state.get() ?? { count: 0, last: 0 }
    return everything(people, lists.all(end))
  }

  function itemsOf(ids: readonly number[]): TransactionRecord[] {
    return rows.of(ids).map(named)
  }

  function named({ id, receiverId, senderId, value, date }: Transaction): TransactionRecord {
    const [receiverUsername, senderUsername] = [people.usernameOf(receiverId), people.usernameOf(senderId)]
    return { id, receiverId, senderId, value, date, receiverUsername, senderUsername }
  }
}
