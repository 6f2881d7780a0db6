import type { HistoryPageQuery, TransactionRecord } from "../../../src/domain/ledger/model.ts"
import type { Page } from "../../../src/domain/paging.ts"

/**
 * The result that `page` must have, from a list in ascending order of id: filtered, sorted and cut in the simplest way.
 */
export function pageModel(ledger: readonly TransactionRecord[]): (query: HistoryPageQuery) => Page<TransactionRecord> {
  return ({ participantId, receiver, sender, order, page, size }) => {
    const kept = ledger.filter(
      (record) =>
        (participantId === undefined || record.receiverId === participantId || record.senderId === participantId) &&
        (receiver === undefined || record.receiverUsername === receiver) &&
        (sender === undefined || record.senderUsername === sender),
    )
    const field = order ? orderedBy[order.field] : orderedBy.id
    kept.sort((a, b) => compare(field(a), field(b)) || a.id - b.id)
    if (order?.descending) kept.reverse()
    return { items: kept.slice((page - 1) * size, page * size), total: kept.length }
  }
}

const orderedBy = {
  id: ({ id }: TransactionRecord) => id,
  user: ({ receiverUsername }: TransactionRecord) => receiverUsername,
  from_user: ({ senderUsername }: TransactionRecord) => senderUsername,
  value: ({ value }: TransactionRecord) => value,
  date: ({ date }: TransactionRecord) => date,
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
