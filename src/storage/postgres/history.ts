import type { HistoryFilter, HistoryPageQuery, OrderField, TransactionRecord } from "../../domain/ledger/model.ts"
import type { LedgerStore } from "../../domain/ledger/ports.ts"
import { type Selection, selectionOf } from "../../domain/ledger/transaction-list.ts"
import type { Page } from "../../domain/paging.ts"
import type { Client, Queries } from "./database/client.ts"

/** Transactions that can be read from an index, by id and by value. */
interface Part {
  readonly where: string
  readonly params: readonly number[]
}

type Order = "id" | "value" | "receiver" | "sender"

/** Dates never go backwards, so their order is the order of ids. */
const orders: Record<OrderField, Order> = { date: "id", value: "value", user: "receiver", from_user: "sender" }

/** The columns that each order reads an index by. Within one receiver or sender, transactions are ordered by id. */
const keysOf: Record<Order, readonly string[]> = {
  id: ["t.id"],
  value: ["t.value", "t.id"],
  receiver: ["t.id"],
  sender: ["t.id"],
}

/** The rows `from` to `to` (exclusive) of a selection, the first being 0. */
interface Range {
  readonly from: number
  readonly to: number
  readonly descends: boolean
}

/**
 * `LedgerStore.page`. Each filter and order has an index to read from (drizzle/postgres/0000_init.sql), and each total is a
 * counter that the commit of the transaction updated. A page and its total are read from one snapshot.
 */
export const createPages = (client: Pick<Client, "until">): Pick<LedgerStore, "page" | "pageWithBalance"> => ({
  page: (query) => client.until(query.signal).snapshot((tx) => pageIn(tx, query)),
  pageWithBalance: (userId, query) =>
    client.until(query.signal).snapshot(async (tx) => {
      const [[account], page] = await Promise.all([
        tx.query<{ balance: number }>("SELECT value AS balance FROM balances WHERE user_id = $1", [userId]),
        pageIn(tx, { ...query, participantId: userId }),
      ])
      return { ...page, balance: account?.balance ?? 0 }
    }),
})

async function pageIn(tx: Queries, query: HistoryPageQuery): Promise<Page<TransactionRecord>> {
  const selection = await readSelection(tx, query)
  if (selection === null) return { items: [], total: 0 }
  const [total] = await Promise.all([countOf(tx, selection), planForValues(tx)])
  const from = Math.min(total, (query.page - 1) * query.size)
  const to = Math.min(total, from + query.size)
  if (from === to) return { items: [], total }
  const range = { from, to, descends: query.order?.descending === true }
  return { items: await recordsOf(tx, selection, query.order ? orders[query.order.field] : "id", range, total), total }
}

/**
 * Makes the server plan for each page, because the best plan depends on how far the page is from the ends. One plan for
 * all pages would read a tenth of the history for each.
 */
const planForValues = ({ query }: Queries) => query("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")

/** `selectionOf`, with the ids of the users from the database. */
export async function readSelection(tx: Queries, filter: HistoryFilter): Promise<Selection | null> {
  const ids = await idsOf(tx, [filter.receiver, filter.sender])
  return selectionOf(filter, (username) => ids.get(username))
}

async function idsOf(tx: Queries, usernames: readonly (string | undefined)[]): Promise<ReadonlyMap<string, number>> {
  const named = usernames.filter((username) => username !== undefined)
  if (named.length === 0) return new Map()
  const found = await tx.query<{ username: string; id: number }>(
    "SELECT username, id FROM users WHERE username = ANY($1)",
    [named],
  )
  return new Map(found.map(({ username, id }) => [username, id]))
}

/** What to read for a selection. No two parts share a transaction. */
export function partsOf(selection: Selection): readonly Part[] {
  if (selection.kind === "all") return [{ where: "TRUE", params: [] }]
  if (selection.kind === "pair")
    return [{ where: "t.from_id = $1 AND t.user_id = $2", params: [selection.sender, selection.receiver] }]
  const received = { where: "t.user_id = $1", params: [selection.user] }
  if (selection.kind === "received") return [received]
  if (selection.kind === "sent") return [{ where: "t.from_id = $1", params: [selection.user] }]
  return [received, { where: "t.from_id = $1 AND t.user_id <> $1", params: [selection.user] }]
}

async function countOf(tx: Queries, selection: Selection): Promise<number> {
  const [row] = await (selection.kind === "all"
    ? tx.query<{ count: number }>("SELECT transaction_count AS count FROM ledger_state", [])
    : selection.kind === "pair"
      ? tx.query<{ count: number }>("SELECT count FROM pairs WHERE from_id = $1 AND user_id = $2", [
          selection.sender,
          selection.receiver,
        ])
      : tx.query<{ count: number }>(`SELECT ${counters[selection.kind]} AS count FROM balances WHERE user_id = $1`, [
          selection.user,
        ]))
  return row?.count ?? 0
}

const counters = {
  received: "received_count + self_count",
  sent: "sent_count + self_count",
  participant: "received_count + sent_count + self_count",
}

async function recordsOf(tx: Queries, selection: Selection, order: Order, range: Range, total: number) {
  const groups = order === "receiver" || order === "sender" ? groupsOf(selection, order) : null
  if (groups) return recordsByUsername(tx, groups, range)
  if (selection.kind === "all" && order === "id") return recordsById(tx, range, total)
  return recordsInOrder(tx, partsOf(selection), keysOf[order], range, total)
}

/** Ids have no gaps, so the first one of a page is known. */
function recordsById(tx: Queries, { from, to, descends }: Range, total: number): Promise<TransactionRecord[]> {
  const part = descends ? { where: "t.id <= $1", params: [total - from] } : { where: "t.id > $1", params: [from] }
  const length = to - from
  return recordsInOrder(tx, [part], ["t.id"], { from: 0, to: length, descends }, length)
}

/**
 * Rows in the order of an index, read from the nearer end. With two indexes, all rows up to the end of the range are read
 * from both, and merged.
 */
async function recordsInOrder(
  tx: Queries,
  parts: readonly Part[],
  keys: readonly string[],
  { from, to, descends }: Range,
  total: number,
): Promise<TransactionRecord[]> {
  const isFromEnd = total - to < from
  const [skip, end] = isFromEnd ? [total - to, total - from] : [from, to]
  const direction = descends === isFromEnd ? "ASC" : "DESC"
  const order = keys.map((key) => `${key} ${direction}`).join(", ")
  const isFar = skip >= manySkipped
  const [first, second] = parts
  if (first === undefined) return []
  const next = first.params.length + 1
  const places = { skip: `$${next}`, take: `$${next + 1}`, end: `$${next + 2}` }
  const query =
    second === undefined
      ? isFar
        ? farInIndex(first.where, keys, order, places)
        : inIndex(first.where, order, places)
      : isFar
        ? farInIndexes([first.where, second.where], keys, order, places)
        : inIndexes([first.where, second.where], order, places)
  const params = [...first.params, skip, end - skip, ...(second === undefined ? [] : [end])]
  const found = await tx.query<TransactionRecord>(query, params)
  return isFromEnd ? found.reverse() : found
}

/** From so many skipped rows on, looking up the rows of a page costs less than reading all that it skips from the table. */
const manySkipped = 1000

/** The parameters of a page; `end` only where two indexes are merged. */
type Places = Readonly<Record<"skip" | "take" | "end", string>>

const inIndex = (where: string, order: string, { skip, take }: Places): string =>
  `SELECT ${recordColumns}
   FROM (SELECT t.* FROM transactions t WHERE ${where} ORDER BY ${order} OFFSET ${skip} LIMIT ${take}) t ${recordTables}
   ORDER BY ${order}`

/** OFFSET keeps the planner from reading the whole table instead of looking up each row of the page. */
const rowsOfPage = "CROSS JOIN LATERAL (SELECT * FROM transactions WHERE transactions.id = page.id OFFSET 0) t"

/** Reads what it skips from the index alone. */
const farInIndex = (where: string, keys: readonly string[], order: string, { skip, take }: Places): string =>
  `SELECT ${recordColumns}
   FROM (SELECT ${keys.join(", ")} FROM transactions t WHERE ${where} ORDER BY ${order} OFFSET ${skip} LIMIT ${take}) page
     ${rowsOfPage} ${recordTables}
   ORDER BY ${order}`

type Pair = readonly [string, string]

const inIndexes = ([one, other]: Pair, order: string, { skip, take, end }: Places): string =>
  `SELECT ${recordColumns}
   FROM (
     SELECT t.* FROM (
       (SELECT t.* FROM transactions t WHERE ${one} ORDER BY ${order} LIMIT ${end})
       UNION ALL
       (SELECT t.* FROM transactions t WHERE ${other} ORDER BY ${order} LIMIT ${end})
     ) t ORDER BY ${order} OFFSET ${skip} LIMIT ${take}
   ) t ${recordTables}
   ORDER BY ${order}`

const farInIndexes = (
  [one, other]: Pair,
  keys: readonly string[],
  order: string,
  { skip, take, end }: Places,
): string =>
  `SELECT ${recordColumns}
   FROM (
     SELECT t.* FROM (
       (SELECT ${keys.join(", ")} FROM transactions t WHERE ${one} ORDER BY ${order} LIMIT ${end})
       UNION ALL
       (SELECT ${keys.join(", ")} FROM transactions t WHERE ${other} ORDER BY ${order} LIMIT ${end})
     ) t ORDER BY ${order} OFFSET ${skip} LIMIT ${take}
   ) page
     ${rowsOfPage} ${recordTables}
   ORDER BY ${order}`

/**
 * The transactions of a selection, grouped by the user that a page is ordered by: how many each group has, and how to read
 * it.
 */
interface Groups {
  /** Id and count of each group. */
  readonly all: string
  /** The count of the group of the user `u`; no row when the user has none. */
  readonly ofUser: string
  /** Conditions for a group `g.id`. A transaction of the group meets exactly one of them. */
  readonly conditions: readonly string[]
  readonly params: readonly number[]
}

/** Null when all transactions of the selection belong to one group. */
function groupsOf(selection: Selection, order: "receiver" | "sender"): Groups | null {
  const [own, other] = order === "receiver" ? ["user_id", "from_id"] : ["from_id", "user_id"]
  const ownCount = order === "receiver" ? counters.received : counters.sent
  if (selection.kind === "all")
    return {
      all: `SELECT user_id AS id, ${ownCount} AS count FROM balances WHERE ${ownCount} > 0`,
      ofUser: `SELECT ${ownCount} AS count FROM balances WHERE user_id = u.id AND ${ownCount} > 0`,
      conditions: [`t.${own} = g.id`],
      params: [],
    }
  if (selection.kind === "participant")
    return {
      all: `SELECT ${own} AS id, count FROM pairs WHERE ${other} = $1 AND ${own} <> $1
        UNION ALL SELECT user_id AS id, ${ownCount} AS count FROM balances WHERE user_id = $1 AND ${ownCount} > 0`,
      ofUser: `SELECT count FROM pairs WHERE ${own} = u.id AND ${other} = $1 AND ${own} <> $1
        UNION ALL SELECT ${ownCount} AS count FROM balances WHERE user_id = u.id AND user_id = $1 AND ${ownCount} > 0`,
      conditions: [`g.id <> $1 AND t.${other} = $1 AND t.${own} = g.id`, `g.id = $1 AND t.${own} = $1`],
      params: [selection.user],
    }
  return selection.kind === (order === "receiver" ? "sent" : "received")
    ? {
        all: `SELECT ${own} AS id, count FROM pairs WHERE ${other} = $1`,
        ofUser: `SELECT count FROM pairs WHERE ${own} = u.id AND ${other} = $1`,
        conditions: [`t.${other} = $1 AND t.${own} = g.id`],
        params: [selection.user],
      }
    : null
}

/** Finds the groups that the range touches by their counts, then reads the rows of each from its index. */
async function recordsByUsername(tx: Queries, of: Groups, range: Range): Promise<TransactionRecord[]> {
  const { conditions, params } = of
  const { from, to, descends } = range
  const direction = descends ? "DESC" : "ASC"
  const first = (await isWalkingFaster(tx, of, to)) ? firstByWalking(of, range) : firstBySorting(of, range)
  const groups = await tx.query<{ id: number; count: number; end: number }>(
    `SELECT id, count, "end" FROM (
       SELECT id, username, count,
         (sum(count) OVER (ORDER BY username ${direction} ROWS UNBOUNDED PRECEDING))::bigint AS "end"
       FROM (${first}) AS first
     ) ends WHERE "end" > $${params.length + 1} ORDER BY username ${direction} LIMIT $${params.length + 2}`,
    [...params, from, to - from, to],
  )
  const touched = groups.filter(({ count, end }) => end - count < to)
  const skips = touched.map(({ count, end }) => Math.max(0, from - (end - count)))
  const takes = touched.map(({ count, end }, index) => Math.min(to, end) - (end - count) - (skips[index] ?? 0))
  const next = params.length
  const rowsOf = (columns: string) =>
    conditions
      .map(
        (condition) => `(SELECT ${columns} FROM transactions t
          WHERE ${condition} ORDER BY t.id ${direction} OFFSET g.skip LIMIT g.take)`,
      )
      .join(" UNION ALL ")
  const isFar = Math.max(...skips) >= manySkipped
  const rows = isFar ? `(${rowsOf("t.id")}) page ${rowsOfPage}` : `(${rowsOf("t.*")}) t`
  return tx.query<TransactionRecord>(
    `SELECT ${recordColumns}
     FROM unnest($${next + 1}::bigint[], $${next + 2}::bigint[], $${next + 3}::bigint[])
         WITH ORDINALITY AS g (id, skip, take, place)
       CROSS JOIN LATERAL ${rows}
       CROSS JOIN LATERAL (${usernameOf("t.user_id")}) receiver CROSS JOIN LATERAL (${usernameOf("t.from_id")}) sender
     ORDER BY g.place, t.id ${direction}`,
    [...params, touched.map(({ id }) => id), skips, takes],
  )
}

/**
 * Whether there are so many groups that walking through the users in the order of their names finds the first k groups
 * faster than sorting all groups. With n groups among u users, walking passes about k * u / n users, so it is faster
 * when n is at least the square root of k * u. Takes the highest id for u, because ids have no large gaps.
 */
async function isWalkingFaster(tx: Queries, { all, params }: Groups, k: number): Promise<boolean> {
  const [found] = await tx.query<{ many: boolean }>(
    `WITH least AS (SELECT ceil(sqrt($${params.length + 1}::float8 * max(id)))::bigint AS few FROM users)
     SELECT count(*) >= (SELECT few FROM least) AS many
     FROM (SELECT FROM (${all}) AS groups LIMIT (SELECT few FROM least)) AS enough`,
    [...params, k],
  )
  return found?.many === true
}

/** Takes as many groups as there are rows up to the end of the range. That is enough, because each group has a row. */
const limited = ({ params }: Groups, { descends }: Range): string =>
  `ORDER BY u.username ${descends ? "DESC" : "ASC"} LIMIT $${params.length + 3}`

/**
 * Looks into the index for each row. OFFSET keeps the planner from reading all users, since it cannot know how few rows
 * there are.
 */
const usernameOf = (id: string) => `SELECT username FROM users WHERE users.id = ${id} OFFSET 0`

/** OFFSET keeps the planner from walking here too. It would, because it expects equally many groups for each user. */
const firstBySorting = (groups: Groups, range: Range): string =>
  `SELECT g.id, u.username, g.count
   FROM (${groups.all} OFFSET 0) g CROSS JOIN LATERAL (${usernameOf("g.id")}) u
   ${limited(groups, range)}`

/** OFFSET keeps the planner from turning the walk into a sort. */
const firstByWalking = (groups: Groups, range: Range): string =>
  `SELECT u.id, u.username, g.count
   FROM users u CROSS JOIN LATERAL (${groups.ofUser} OFFSET 0) g
   ${limited(groups, range)}`

/** Columns of transactions `t`, named as the fields of a `Transaction`. */
export const transactionColumns = `t.id, t.user_id AS "receiverId", t.from_id AS "senderId", t.value, t.date, t.kind,
  t.group_id AS "group", t.adds_to AS "addsTo"`

/** Columns of a `TransactionRecord`; add `recordTables` to the tables that are read. */
export const recordColumns = `${transactionColumns}, receiver.username AS "receiverUsername",
  sender.username AS "senderUsername"`

export const recordTables = "JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id"
