import { DatabaseDamaged } from "../../domain/damage.ts"
import type { HistoryFilter, HistoryPageQuery, OrderField, TransactionRecord } from "../../domain/ledger/model.ts"
import type { LedgerStore } from "../../domain/ledger/ports.ts"
import { type Selection, selectionOf } from "../../domain/ledger/transaction-list.ts"
import type { Page } from "../../domain/paging.ts"
import { countOf as countRows, type Database, largestOf, type Reads, type SharedReads } from "../database.ts"
import { cacheByVersion, createVersions } from "../gather.ts"
import { fields, list, raw, type SQL, select, sql } from "../sql.ts"
import { balances, ledgerState, pairs, transactions, users } from "../tables.ts"

/** Columns of `transactions`, named as the fields of a `Transaction`. */
export const transactionColumns = {
  id: transactions.id,
  receiverId: transactions.userId,
  senderId: transactions.fromId,
  value: transactions.value,
  date: transactions.date,
  kind: transactions.kind,
  group: transactions.groupId,
  addsTo: transactions.addsTo,
}

/** Columns of a `TransactionRecord`, of `withUsers`. */
export const recordColumns = {
  ...transactionColumns,
  receiverUsername: sql<string>`receiver.username`,
  senderUsername: sql<string>`sender.username`,
}

/** Transactions with both users. */
export const withUsers = sql`${transactions} JOIN ${users} AS receiver ON receiver.id = ${transactions.userId}
  JOIN ${users} AS sender ON sender.id = ${transactions.fromId}`

const record = fields(recordColumns)

type Order = "id" | "value" | "receiver" | "sender"

/** Dates never go backwards, so their order is the order of ids. */
const orders: Record<OrderField, Order> = { date: "id", value: "value", user: "receiver", from_user: "sender" }

/** The rows `from` to `to` (exclusive) of a selection, the first being 0. */
interface Range {
  readonly from: number
  readonly to: number
  readonly descends: boolean
}

/** A selection as it was when the ledger ended at `lastId`: what comes later changes no page that is being read. */
interface Moment {
  readonly selection: Selection
  readonly total: number
  readonly lastId: number
  /** Of an order by people, those whom the range touches; empty when all transactions belong to one person. */
  readonly groups: readonly Group[]
}

/**
 * `LedgerStore.page`. Each total is a counter that the commit of the transaction updated. It is read together with the end of
 * the ledger, and the page then holds nothing newer, so both are of one moment.
 */
export function createPages(
  db: Database,
  versions = createVersions(db),
): Pick<LedgerStore, "page" | "pageWithBalance"> {
  const cached = cacheByVersion<BalancedPage>(versions, maxCached, ({ page }) => page.items.length + 1)
  const pageFor = async ({ signal, ...query }: HistoryPageQuery, userId?: number) => {
    const found = await cached(JSON.stringify([query, userId]), () => pageIn(db, { ...query, signal }, userId))
    signal?.throwIfAborted()
    return found
  }

  return {
    page: async (query) => (await pageFor(query)).page,
    async pageWithBalance(userId, query) {
      const { page, balance } = await pageFor({ ...query, participantId: userId }, userId)
      return { ...page, balance }
    },
  }
}

/** Transactions in cached pages, some 250 bytes each, with the JSON that HTTP makes of them. */
const maxCached = 65_536

interface BalancedPage {
  readonly page: Page<TransactionRecord>
  readonly balance: number
}

/** The page, with the balance of this user at the same moment. */
async function pageIn(db: Database, query: HistoryPageQuery, userId = 0): Promise<BalancedPage> {
  const { size, order } = query
  const from = (query.page - 1) * size
  const by = order ? orders[order.field] : "id"
  const descends = order?.descending === true
  const isNear = from < manySkipped
  const reads = isNear ? db.until(query.signal) : db.reports(query.signal)
  const selection = await readSelection(reads, query)
  if (selection === null) return { page: { items: [], total: 0 }, balance: await balanceOf(reads, userId) }
  const head = [countOf(selection), lastIdQuery, balanceQuery(userId)] as const
  if (isNear && (by === "id" || (by === "value" && selection.kind === "all"))) {
    const ids = idsIn(selection, by, { from, to: from + size, descends }, partsOf(selection))
    const [[counted], _, [account], items] = await reads.snapshot([...head, recordsFrom(ids, by, descends)])
    return { page: pageOf([...items], counted?.count ?? 0, query), balance: account?.balance ?? 0 }
  }
  const before = await reads.snapshot(head)
  const range = { from, to: from + size, descends }
  const people =
    by === "receiver" || by === "sender"
      ? await peopleIn(reads, { selection, total: before[0][0]?.count ?? 0 }, by, range)
      : null
  // Read together with the people, whose counters tell the places of their transactions.
  const [[counted], [end], [account], groups = []] =
    people === null ? ([...before] as const) : await reads.snapshot([...head, people])
  const total = counted?.count ?? 0
  const moment = { selection, total, lastId: end?.id ?? 0, groups }
  const shown = { from: Math.min(total, from), to: Math.min(total, from + size), descends }
  const items = shown.from === shown.to ? [] : await recordsOf(reads, moment, by, shown)
  return { page: pageOf(items, total, query), balance: account?.balance ?? 0 }
}

/** @throws DatabaseDamaged when the page is shorter than its total says */
function pageOf(items: TransactionRecord[], total: number, { page, size }: HistoryPageQuery): Page<TransactionRecord> {
  if (items.length !== Math.max(0, Math.min(size, total - (page - 1) * size)))
    throw new DatabaseDamaged("a transaction of the history, or its user, is missing")
  return { items, total }
}

/** From so many rows on, a page is read from the nearer end, which takes another message. */
const manySkipped = 1000

/** The records of these ids. */
const recordsFrom = (ids: SQL, by: "id" | "value", descends: boolean) =>
  select(record)`FROM (${ids}) AS page CROSS JOIN ${withUsers}
    WHERE ${transactions.id} = page.id ORDER BY ${ofRecords[by][descends ? "down" : "up"]}`

const ofRecords = {
  id: { up: sql`${transactions.id}`, down: sql`${transactions.id} DESC` },
  value: {
    up: sql`${transactions.value}, ${transactions.id}`,
    down: sql`${transactions.value} DESC, ${transactions.id} DESC`,
  },
}

const balanceQuery = (userId: number) =>
  sql<{ balance: number }>`SELECT ${balances.value} AS balance FROM ${balances} WHERE ${balances.userId} = ${userId}`

const balanceOf = async (reads: SharedReads, userId: number) => (await reads.first(balanceQuery(userId)))?.balance ?? 0

/** `selectionOf`, with the ids of the users from the database. */
export async function readSelection(reads: SharedReads, filter: HistoryFilter): Promise<Selection | null> {
  const named = [filter.receiver, filter.sender].filter((username) => username !== undefined)
  if (named.length === 0) return selectionOf(filter, () => undefined)
  const found = await reads.all(
    sql<{ username: string; id: number }>`SELECT ${users.username}, ${users.id}
      FROM ${list("asked", named, "text")} CROSS JOIN ${users} WHERE ${users.username} = asked.value`,
  )
  const ids = new Map(found.map(({ username, id }) => [username, id]))
  return selectionOf(filter, (username) => ids.get(username))
}

/**
 * What to read for a selection, each from an index. No two parts share a transaction. With a plus sign as `hint`, SQLite reads them
 * from the index of their order instead.
 */
export function partsOf(selection: Selection, hint: SQL = raw("")): readonly SQL[] {
  if (selection.kind === "all") return [sql`true`]
  const received = (user: number) => sql`${hint}${transactions.userId} = ${user}`
  const sent = (user: number) => sql`${hint}${transactions.fromId} = ${user}`
  if (selection.kind === "pair") return [sql`${sent(selection.sender)} AND ${received(selection.receiver)}`]
  const { kind, user } = selection
  if (kind === "received") return [received(user)]
  if (kind === "sent") return [sent(user)]
  return [received(user), sql`${sent(user)} AND ${transactions.userId} <> ${user}`]
}

const counters = {
  received: sql`${balances.receivedCount} + ${balances.selfCount}`,
  sent: sql`${balances.sentCount} + ${balances.selfCount}`,
  participant: sql`${balances.receivedCount} + ${balances.sentCount} + ${balances.selfCount}`,
}

function countOf(selection: Selection): SQL<{ count: number }> {
  if (selection.kind === "all") return sql`SELECT ${ledgerState.transactionCount} AS count FROM ${ledgerState}`
  if (selection.kind === "pair")
    return sql`SELECT ${pairs.count} AS count FROM ${pairs}
      WHERE ${pairs.fromId} = ${selection.sender} AND ${pairs.userId} = ${selection.receiver}`
  return sql`SELECT ${counters[selection.kind]} AS count FROM ${balances} WHERE ${balances.userId} = ${selection.user}`
}

/**
 * The first id of a time, or one more than the last id. Dates never go backwards, so a binary search finds it without an index
 * on dates.
 */
export const firstIdSince = (since: number | SQL): SQL => sql`(
  WITH RECURSIVE search (low, high) AS (
    SELECT 1::bigint, last_id + 1 FROM ${ledgerState}
    UNION ALL
    SELECT CASE WHEN middle.date < ${since} THEN middle.id + 1 ELSE low END,
      CASE WHEN middle.date < ${since} THEN high ELSE middle.id END
    FROM search CROSS JOIN ${transactions} AS middle WHERE low < high AND middle.id = (low + high) / 2
  )
  SELECT low FROM search WHERE low >= high)`

/** The same for several times, in their order. */
export async function firstIdsSince(reads: Reads, times: readonly number[]): Promise<number[]> {
  const found = await reads.all(sql<{ id: number }>`SELECT ${firstIdSince(sql`asked.value`)} AS id
    FROM ${list("asked", times, "bigint")} ORDER BY asked.key`)
  return found.map(({ id }) => id)
}

async function recordsOf(reads: SharedReads, moment: Moment, order: Order, range: Range): Promise<TransactionRecord[]> {
  const ids =
    order === "receiver" || order === "sender"
      ? await idsByUsername(reads, moment, order, range)
      : await idsInOrder(reads, moment, order, range)
  return reads.all(select(record)`FROM ${list("page", ids, "bigint")}
    CROSS JOIN ${withUsers} WHERE ${transactions.id} = page.value ORDER BY page.key`)
}

/** Reads from the nearer end. */
async function idsInOrder(reads: SharedReads, moment: Moment, by: "id" | "value", range: Range): Promise<number[]> {
  const { selection, total, lastId } = moment
  const { from, to, descends } = range
  if (selection.kind === "all" && by === "id")
    return Array.from({ length: to - from }, (_, index) => (descends ? lastId - from - index : from + index + 1))
  const isFromEnd = total - to < from
  const nearer = isFromEnd ? { from: total - to, to: total - from, descends: !descends } : range
  const parts = partsOf(selection, isSoonerInOrder(by, total, nearer, lastId) ? raw("+") : raw(""))
  const found = await reads.all(idsIn(selection, by, nearer, parts, sql`+${transactions.id} <= ${lastId}`))
  const ids = found.map(({ id }) => id)
  return isFromEnd ? ids.reverse() : ids
}

/**
 * Whether a range by value is found sooner among the values of everybody, where about one row in `lastId / total` is of the
 * selection, than by sorting the selection: sorting a row takes some four times as long as passing one.
 */
const isSoonerInOrder = (by: "id" | "value", total: number, { to }: Range, lastId: number): boolean =>
  by === "value" && 4 * total * total > to * lastId

/** Ids of a range. What it skips is read from an index alone. With two parts, all up to the end of the range is read from both. */
function idsIn(
  selection: Selection,
  by: "id" | "value",
  { from, to, descends }: Range,
  parts: readonly SQL[],
  within: SQL = raw("true"),
): SQL<{ id: number }> {
  const order = orderBy[by][descends ? "down" : "up"]
  // Ids have no gaps, so those of a page are known.
  if (selection.kind === "all" && by === "id")
    return sql`SELECT ${transactions.id} FROM ${transactions} WHERE ${
      descends
        ? sql`${transactions.id} <= ${endOfLedger} - ${from} AND ${transactions.id} > ${endOfLedger} - ${to}`
        : sql`${transactions.id} > ${from} AND ${transactions.id} <= ${to}`
    } ORDER BY ${order}`
  const columns = by === "id" ? sql`${transactions.id}` : sql`${transactions.id}, ${transactions.value}`
  const read = (part: SQL) => sql`SELECT ${columns} FROM ${transactions} WHERE ${part} AND ${within} ORDER BY ${order}`
  const limit = sql`LIMIT ${to - from} OFFSET ${from}`
  const [one = raw("false"), other] = parts
  if (other === undefined) return sql`${read(one)} ${limit}`
  // With a limit each, PostgreSQL reads both in their order and merges them. Otherwise it would read all of both.
  const [first, second] = [one, other].map((part) => sql`SELECT * FROM (${read(part)} LIMIT ${to}) AS part`)
  return sql`SELECT id FROM (${first ?? one} UNION ALL ${second ?? other}) AS merged ORDER BY ${order} ${limit}`
}

const endOfLedger = sql`(SELECT last_id FROM ${ledgerState})`

const orderBy = {
  id: { up: raw("id"), down: raw("id DESC") },
  value: { up: raw("value, id"), down: raw("value DESC, id DESC") },
}

/** The transactions of one person in a selection that is ordered by people. */
interface Group {
  readonly id: number
  /** How many transactions come before the end of the group. */
  readonly end: number
  readonly count: number
}

/**
 * The people whom the range touches, found by their counters. Null when all transactions belong to one person, or the range is
 * beyond the end.
 */
async function peopleIn(
  reads: SharedReads,
  { selection, total }: Pick<Moment, "selection" | "total">,
  by: "receiver" | "sender",
  { from, to, descends }: Range,
): Promise<SQL<Group> | null> {
  if (from >= total) return null
  const isWalked = total > manySkipped && (await isSoonerByName(reads, selection, by, Math.min(total, to)))
  const people = groupsOf(selection, by, isWalked)
  if (people === null) return null
  const direction = directions[descends ? "down" : "up"]
  return sql<Group>`SELECT id, count, "end" FROM (
      SELECT id, username, count,
        (sum(count) OVER (ORDER BY username ${direction} ROWS UNBOUNDED PRECEDING))::bigint AS "end"
      FROM (${people} ORDER BY username ${direction} LIMIT ${to}) AS first
    ) AS ends WHERE "end" > ${from} AND "end" - count < ${to} ORDER BY username ${direction}`
}

const directions = { up: raw("ASC"), down: raw("DESC") }

/** Reads the transactions of each person from an index. */
async function idsByUsername(reads: SharedReads, moment: Moment, by: "receiver" | "sender", range: Range) {
  const { selection, total, lastId, groups } = moment
  const { from, to, descends } = range
  if (groups.length === 0) return idsInOrder(reads, moment, "id", range)
  const direction = directions[descends ? "down" : "up"]
  const found = await reads.snapshot(
    groups.map(({ id, count, end }) => {
      const start = end - count
      const skip = Math.max(0, from - start)
      return sql<{ id: number }>`SELECT ${transactions.id} FROM ${transactions}
        WHERE ${inGroup(selection, by, id, total)} AND ${transactions.id} <= ${lastId}
        ORDER BY ${transactions.id} ${direction} LIMIT ${Math.min(to, end) - start - skip} OFFSET ${skip}`
    }),
  )
  return found.flat().map(({ id }) => id)
}

/**
 * Whether passing people in the order of their names finds those of a range sooner than sorting all who have transactions of the
 * selection: one in `people / count` has some.
 */
async function isSoonerByName(reads: SharedReads, selection: Selection, by: "receiver" | "sender", to: number) {
  if (selection.kind === "all" || selection.kind === "pair") return false
  const [, other] = sidesOf(by)
  const enough = Math.ceil(Math.sqrt(to * (await largestOf(reads, users.id))))
  const found = sql`(SELECT 1 FROM ${pairs} WHERE ${other} = ${selection.user} LIMIT ${enough}) AS found`
  return (await countRows(reads, found)) === enough
}

const sidesOf = (by: "receiver" | "sender") =>
  by === "receiver" ? ([pairs.userId, pairs.fromId] as const) : ([pairs.fromId, pairs.userId] as const)

/**
 * The people by whom a selection is ordered, with the number of their transactions: `id`, `username`, `count`. Null when all
 * transactions belong to one person. Each has a transaction, so there are enough of them where there are as many as rows.
 * `isWalked`: as they are passed in the order of their names.
 */
function groupsOf(selection: Selection, by: "receiver" | "sender", isWalked: boolean): SQL | null {
  const [own, other] = sidesOf(by)
  const count = by === "receiver" ? counters.received : counters.sent
  if (selection.kind === "all")
    return sql`SELECT ${users.id}, ${users.username}, ${count} AS count FROM ${users}
      JOIN ${balances} ON ${balances.userId} = ${users.id} WHERE ${count} > 0`
  const isOfOthers = selection.kind === (by === "receiver" ? "sent" : "received")
  if (selection.kind === "pair" || !(isOfOthers || selection.kind === "participant")) return null
  const { user } = selection
  const ofAll = sql`SELECT ${count} FROM ${balances} WHERE ${balances.userId} = ${user}`
  if (isWalked) {
    const ofPerson = sql`(SELECT ${pairs.count} FROM ${pairs} WHERE ${own} = ${users.id} AND ${other} = ${user})`
    const counted = isOfOthers ? ofPerson : sql`CASE ${users.id} WHEN ${user} THEN (${ofAll}) ELSE ${ofPerson} END`
    return sql`SELECT id, username, count FROM (SELECT ${users.id}, ${users.username}, ${counted} AS count FROM ${users})
      AS walked WHERE count > 0`
  }
  const ofOthers = sql`SELECT ${own} AS id, ${pairs.count} AS count FROM ${pairs} WHERE ${other} = ${user}`
  const counted = isOfOthers
    ? ofOthers
    : sql`${ofOthers} AND ${own} <> ${user} UNION ALL SELECT ${balances.userId} AS id, ${count} AS count FROM ${balances}
        WHERE ${balances.userId} = ${user} AND ${count} > 0`
  return sql`SELECT ${users.id}, ${users.username}, counted.count FROM (${counted}) AS counted
    JOIN ${users} ON ${users.id} = counted.id`
}

/** The transactions of one person in a selection. A plus sign chooses the index of the selection if it is small, or that person's. */
function inGroup(selection: Selection, by: "receiver" | "sender", id: number, total: number): SQL {
  const [own, other] =
    by === "receiver" ? [transactions.userId, transactions.fromId] : [transactions.fromId, transactions.userId]
  if (
    selection.kind === "all" ||
    selection.kind === "pair" ||
    (selection.kind === "participant" && selection.user === id)
  )
    return sql`${own} = ${id}`
  return total <= manySkipped
    ? sql`+${own} = ${id} AND ${other} = ${selection.user}`
    : sql`${own} = ${id} AND +${other} = ${selection.user}`
}

/** The newest transaction, 0 for none. */
export const lastIdQuery = sql<{ id: number }>`SELECT last_id AS id FROM ${ledgerState}`
