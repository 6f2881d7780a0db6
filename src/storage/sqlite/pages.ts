import { and, asc, desc, eq, or, type SQL, sql } from "drizzle-orm"
import { alias } from "drizzle-orm/sqlite-core"
import type { LedgerStore, PageQuery } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { balances, ledgerState, transactions, users } from "./schema.ts"

const receiver = alias(users, "receiver")
const sender = alias(users, "sender")

const orderColumns = {
  user: receiver.username,
  from_user: sender.username,
  value: transactions.value,
}

/** What a query asks for, with users as ids; absent: anybody. */
interface Filter {
  readonly participantId: number | undefined
  readonly receiverId: number | undefined
  readonly senderId: number | undefined
}

export function createPages({ db }: Connection): LedgerStore["page"] {
  const idOf = db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.username, sql.placeholder("username")))
    .prepare()
  const counts = db
    .select({ received: balances.receivedCount, sent: balances.sentCount, self: balances.selfCount })
    .from(balances)
    .where(eq(balances.userId, sql.placeholder("userId")))
    .prepare()
  const pair = db
    .select({ count: sql<number>`count(*)` })
    .from(transactions)
    .where(
      and(
        eq(transactions.senderId, sql.placeholder("senderId")),
        eq(transactions.receiverId, sql.placeholder("receiverId")),
      ),
    )
    .prepare()
  const all = db.select({ count: ledgerState.transactionCount }).from(ledgerState).prepare()

  return async (query) =>
    // One read transaction: items and total are of the same moment, whatever another process commits meanwhile.
    db.transaction(() => {
      const filter = filterOf(query)
      return filter ? { items: itemsOf(filter, query), total: totalOf(filter) } : { items: [], total: 0 }
    })

  /** Null when a named user does not exist: nothing can match. */
  function filterOf(query: PageQuery): Filter | null {
    const receiverId = query.receiver === undefined ? undefined : idOf.get({ username: query.receiver })?.id
    const senderId = query.sender === undefined ? undefined : idOf.get({ username: query.sender })?.id
    const nobody =
      (query.receiver !== undefined && receiverId === undefined) ||
      (query.sender !== undefined && senderId === undefined)
    return nobody ? null : { participantId: query.participantId, receiverId, senderId }
  }

  function itemsOf(filter: Filter, { order, page, size }: PageQuery) {
    return db
      .select({
        id: transactions.id,
        receiverId: transactions.receiverId,
        senderId: transactions.senderId,
        value: transactions.value,
        date: transactions.date,
        receiverUsername: receiver.username,
        senderUsername: sender.username,
      })
      .from(transactions)
      .innerJoin(receiver, eq(receiver.id, transactions.receiverId))
      .innerJoin(sender, eq(sender.id, transactions.senderId))
      .where(conditionOf(filter))
      .orderBy(...orderOf(order))
      .limit(size)
      .offset((page - 1) * size)
      .all()
  }

  /** Never counts rows: the counters are kept in the commit of each batch. */
  function totalOf({ participantId, receiverId, senderId }: Filter): number {
    const anyone = participantId === undefined
    if (receiverId !== undefined && senderId !== undefined)
      return anyone || participantId === receiverId || participantId === senderId ? pairCount(senderId, receiverId) : 0
    if (receiverId !== undefined)
      return anyone || participantId === receiverId
        ? countsOf(receiverId).received
        : pairCount(participantId, receiverId)
    if (senderId !== undefined)
      return anyone || participantId === senderId ? countsOf(senderId).sent : pairCount(senderId, participantId)
    if (anyone) return all.get()?.count ?? 0
    const { received, sent, self } = countsOf(participantId)
    return received + sent - self
  }

  function countsOf(userId: number) {
    return counts.get({ userId }) ?? { received: 0, sent: 0, self: 0 }
  }

  function pairCount(senderId: number, receiverId: number): number {
    return pair.get({ senderId, receiverId })?.count ?? 0
  }
}

function conditionOf({ participantId, receiverId, senderId }: Filter): SQL | undefined {
  return and(
    receiverId === undefined ? undefined : eq(transactions.receiverId, receiverId),
    senderId === undefined ? undefined : eq(transactions.senderId, senderId),
    participantId === undefined
      ? undefined
      : or(eq(transactions.receiverId, participantId), eq(transactions.senderId, participantId)),
  )
}

function orderOf(order: PageQuery["order"]): SQL[] {
  const direction = order?.descending ? desc : asc
  // Dates never go backwards, so that their order is the order of ids.
  const field = order && order.field !== "date" ? [direction(orderColumns[order.field])] : []
  return [...field, direction(transactions.id)]
}
