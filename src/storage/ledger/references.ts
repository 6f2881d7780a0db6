import { DomainError } from "../../domain/errors.ts"
import type { PostResult, Reference, Transaction } from "../../domain/ledger/model.ts"
import type { ReferenceStore } from "../../domain/ledger/ports.ts"
import type { Database } from "../database.ts"
import { fields, list, type RowOf, row, select, sql, where } from "../sql.ts"
import { transactionReferences, transactions } from "../tables.ts"
import { type Kind, type LockedLedger, withQueries } from "./locked-ledger.ts"

const { userId, reference: name, transactionId: first, transactionCount } = transactionReferences
const last = sql<number>`${first} + ${transactionCount} - 1`

/** Transactions of one request differ only by id and receiver. */
const columns = {
  requestHash: transactionReferences.requestHash,
  balance: transactionReferences.balance,
  first,
  kind: transactions.kind,
  value: transactions.value,
  date: transactions.date,
  group: transactions.groupId,
  addsTo: transactions.addsTo,
  receivers: sql<string>`(SELECT string_agg(CAST(sent.user_id AS TEXT), ',' ORDER BY sent.id)
    FROM ${transactions} AS sent WHERE sent.id BETWEEN ${first} AND ${last})`,
}
const request = fields(columns)

const requestOf = (senderId: number, reference: Reference) =>
  select(request)`FROM ${transactionReferences} JOIN ${transactions} ON ${transactions.id} = ${first}
    WHERE ${userId} = ${senderId} AND ${name} = ${reference.name}`

/** What a request posts that may have a reference: nothing if the sender has used the reference before. */
export function referenced(kind: Kind, reference: Reference | undefined): Kind {
  if (reference === undefined) return kind
  const { senderId } = kind
  const earlier = requestOf(senderId, reference)

  return {
    ...withQueries(kind, `reference ${senderId} ${reference.name}`, earlier),
    replay: (ledger) => replayOf(senderId, reference, ledger.rowOf(earlier)),
    after(ledger, posted) {
      kind.after?.(ledger, posted)
      save(ledger, senderId, reference, posted)
    },
  }
}

function save(
  ledger: LockedLedger,
  senderId: number,
  { name, requestHash }: Reference,
  posted: readonly Transaction[],
) {
  const { balance } = ledger.accountOf(senderId)
  const made = { transactionId: posted[0]?.id ?? 0, transactionCount: posted.length, balance }
  ledger.send(sql`INSERT INTO ${transactionReferences}
    ${row(transactionReferences, { userId: senderId, reference: name, requestHash, ...made })}`)
}

/** @throws DomainError `reference_reused` */
function replayOf(senderId: number, reference: Reference, found: RowOf<typeof columns> | null): PostResult | null {
  if (found === null) return null
  if (found.requestHash !== reference.requestHash) throw new DomainError("reference_reused")
  const { first, kind, value, date, group, addsTo, receivers, balance } = found
  const posted = receivers.split(",").map((receiver, place) => ({
    id: first + place,
    kind,
    senderId,
    receiverId: Number(receiver),
    value,
    date,
    group,
    addsTo,
  }))
  return { transactions: posted, balance, replayed: true }
}

const span = fields({ first, last })

export const createReferenceStore = (db: Database): ReferenceStore => ({
  findReplay: async (senderId, reference) =>
    replayOf(senderId, reference, await db.first(requestOf(senderId, reference))),
  requests: (query) =>
    db.all(
      select(span)`FROM ${transactionReferences} ${where(
        sql`${name} = ${query.name}`,
        query.senderId === undefined ? undefined : sql`${userId} = ${query.senderId}`,
        query.before === undefined ? undefined : sql`${first} < ${query.before}`,
      )} ORDER BY ${first} DESC LIMIT ${query.limit}`,
    ),
  async namesOf(ids) {
    // The request that begins last before a transaction is the only one that may have made it.
    const found = await db.all(sql<{ id: number; name: string }>`SELECT asked.value AS id, ${name} AS name
      FROM ${list("asked", ids, "bigint")} CROSS JOIN ${transactionReferences}
      WHERE ${first} = (SELECT max(begun.transaction_id) FROM ${transactionReferences} AS begun
          WHERE begun.transaction_id <= asked.value)
        AND asked.value <= ${last}`)
    return new Map(found.map(({ id, name }) => [id, name]))
  },
})
