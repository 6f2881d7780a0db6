import { DatabaseDamaged } from "../../domain/damage.ts"
import type { EntryQuery, Note, TransactionEntry } from "../../domain/ledger/model.ts"
import type { LedgerStore } from "../../domain/ledger/ports.ts"
import type { FollowedTransaction, Recognition } from "../../domain/recognition/model.ts"
import type { Database, Reads, SharedReads } from "../database.ts"
import {
  additionsTo,
  adjustedBy,
  entryIdsOf,
  followedOf,
  groupsOf,
  recognitionsOf,
} from "../recognition/recognitions.ts"
import { slicesOf } from "../slices.ts"
import { columnsOf, fields, list, raw, type SQL, select, sql } from "../sql.ts"
import { notes, transactions } from "../tables.ts"
import { firstIdSince, partsOf, readSelection, transactionColumns, withUsers } from "./history.ts"

const entryRow = fields({
  ...transactionColumns,
  reverses: transactions.reverses,
  reversed: sql<number>`(SELECT coalesce(sum(back.value), 0)::bigint FROM ${transactions} AS back
    WHERE back.reverses = ${transactions.id})`,
  receiverUsername: sql<string>`receiver.username`,
  receiverName: sql<string>`receiver.name`,
  receiverAvatar: sql<string | null>`receiver.avatar`,
  senderUsername: sql<string>`sender.username`,
  senderName: sql<string>`sender.name`,
  senderAvatar: sql<string | null>`sender.avatar`,
})
const noteRow = fields(columnsOf(notes, "salt"))

/** Reads transactions as entries, in the order of the ids. */
export async function readEntries(reads: Reads, ids: readonly number[]): Promise<TransactionEntry[]> {
  if (ids.length === 0) return []
  const [rows, notesById] = await Promise.all([
    reads.all(select(entryRow)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${withUsers}
      WHERE ${transactions.id} = asked.value ORDER BY asked.key`),
    readNotes(reads, ids),
  ])
  if (rows.length < ids.length) throw new DatabaseDamaged("a transaction of the history, or its user, is missing")
  return rows.map(
    ({ receiverUsername, receiverName, receiverAvatar, senderUsername, senderName, senderAvatar, ...entry }) => ({
      ...entry,
      note: notesById.get(entry.id),
      receiver: { username: receiverUsername, name: receiverName, avatar: receiverAvatar },
      sender: { username: senderUsername, name: senderName, avatar: senderAvatar },
    }),
  )
}

/** The notes of transactions, by their ids. */
export async function readNotes(reads: Reads, ids: readonly number[]): Promise<ReadonlyMap<number, Note>> {
  const found = await reads.all(select(noteRow)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${notes}
    WHERE ${notes.transactionId} = asked.value`)
  return new Map(found.map(({ transactionId, ...note }) => [transactionId, note]))
}

/** The recognitions to which these transactions belong, in their order. */
export async function readRecognitions(reads: Reads, ids: readonly number[]): Promise<Recognition[]> {
  const entries = await readEntries(reads, ids)
  return recognitionsOf(entries, await relatedTo(reads, entries))
}

/** Transactions for followers of the feed, likewise. */
export async function readFollowed(reads: Reads, ids: readonly number[]): Promise<FollowedTransaction[]> {
  const entries = await readEntries(reads, ids)
  const [related, adjusted] = await Promise.all([
    relatedTo(reads, entries),
    readRecognitions(reads, adjustedBy(entries)),
  ])
  return followedOf(entries, related, adjusted)
}

/** What `recognitionsOf` needs besides these entries. */
async function relatedTo(reads: Reads, entries: readonly TransactionEntry[]) {
  const groups = groupsOf(entries)
  const [grouped, additions] = await Promise.all([
    groups.length === 0 ? [] : membersOf(reads, groups),
    entries.length === 0 ? [] : reads.all(additionsTo(entryIdsOf(entries))),
  ])
  return { grouped, additions }
}

async function membersOf(reads: Reads, groups: readonly number[]): Promise<TransactionEntry[]> {
  const found = await reads.all(sql<{ id: number }>`SELECT ${transactions.id} FROM ${list("asked", groups, "bigint")}
    CROSS JOIN ${transactions} WHERE ${transactions.groupId} = asked.value ORDER BY ${transactions.id}`)
  return readEntries(
    reads,
    found.map(({ id }) => id),
  )
}

/** `LedgerStore.entry`, `entries` and `entriesWith`. */
export function createEntries(db: Database): Pick<LedgerStore, "entry" | "entries" | "entriesWith"> {
  return {
    async entry(id) {
      const found = await db.first(sql<{ id: number }>`SELECT ${transactions.id} FROM ${transactions}
        WHERE ${transactions.id} = ${id}`)
      return found === null ? null : ((await readEntries(db, [id]))[0] ?? null)
    },

    async entriesWith(ids) {
      const found = await db.all(sql<{ id: number }>`SELECT ${transactions.id}
        FROM ${list("asked", [...new Set(ids)], "bigint")} CROSS JOIN ${transactions}
        WHERE ${transactions.id} = asked.value ORDER BY ${transactions.id} DESC`)
      return readEntries(
        db,
        found.map(({ id }) => id),
      )
    },

    async entries(query) {
      const { kind, since, until, noteMatches } = query
      const reads = noteMatches ? db.reports(query.signal) : db.until(query.signal)
      const selection = await readSelection(reads, query)
      if (selection === null) return []
      const conditions = [
        // In the text, not as a parameter, so that every plan can use the index of the kind.
        kind === undefined ? undefined : raw(`kind = '${kind}'`),
        since === undefined ? undefined : sql`${transactions.id} >= ${firstIdSince(since)}`,
        until === undefined ? undefined : sql`${transactions.id} < ${firstIdSince(until)}`,
      ]
      return readEntries(reads, await matchingIds(reads, query, [partsOf(selection)], conditions))
    },
  }
}

/** Notes that one statement reads. */
const notesAtOnce = 512

const notedRow = fields({ ...transactionColumns, ...columnsOf(notes, "salt", "transactionId") })
const receiverRow = fields({ groupId: transactions.groupId, userId: transactions.userId })

/**
 * The newest transactions in these lists that meet all conditions and whose note matches, newest first. Reads the notes, because
 * there is no index of words. Of a private note in a group, `noteMatches` also gets the `receivers` of the group.
 */
export async function matchingIds(
  reads: SharedReads,
  { noteMatches, before, limit, signal }: Pick<EntryQuery, "noteMatches" | "before" | "limit" | "signal">,
  lists: readonly (readonly SQL[])[],
  conditions: readonly (SQL | undefined)[],
  idOf: SQL = ownId,
): Promise<number[]> {
  const older = (id: number | undefined) => (id === undefined ? undefined : sql`${transactions.id} < ${id}`)
  if (!noteMatches) return newestIds(reads, lists, [...conditions, older(before)], limit, idOf)
  const found: number[] = []
  for (let below = before; ; ) {
    const ids = await newestIds(reads, lists, [...conditions, withNote, older(below)], notesAtOnce, idOf)
    const noted = await reads.all(select(notedRow)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${transactions}
      JOIN ${notes} ON ${notes.transactionId} = ${transactions.id}
      WHERE ${transactions.id} = asked.value ORDER BY asked.key`)
    const groups = noted.flatMap(({ group, isPrivate }) => (isPrivate && group !== null ? [group] : []))
    const receivers = groups.length === 0 ? new Map() : await receiversIn(reads, groups)
    signal?.throwIfAborted()
    for (const { reason, tags, isPrivate, ...transaction } of noted) {
      const ofGroup = isPrivate ? receivers.get(transaction.group) : undefined
      const shown = { ...transaction, note: { reason, tags, isPrivate }, ...(ofGroup && { receivers: ofGroup }) }
      if (noteMatches(shown)) found.push(transaction.id)
    }
    if (found.length >= limit || ids.length < notesAtOnce) return found.slice(0, limit)
    below = ids.at(-1)
  }
}

async function receiversIn(reads: Reads, groups: readonly number[]) {
  const found = await reads.all(select(receiverRow)`FROM ${list("asked", [...new Set(groups)], "bigint")}
    CROSS JOIN ${transactions} WHERE ${transactions.groupId} = asked.value`)
  return Map.groupBy(found, ({ groupId }) => groupId)
}

const withNote = sql`EXISTS (SELECT 1 FROM ${notes} WHERE ${notes.transactionId} = ${transactions.id})`

/**
 * The newest transactions in these lists that meet all conditions, newest first. Each list is read by itself, and consists of
 * parts with an index each. Of many lists, some are read at a time; the caller leaves out what is committed meanwhile. `idOf`: the
 * transaction that stands for each, not after it.
 */
export async function newestIds(
  reads: SharedReads,
  lists: readonly (readonly SQL[])[],
  conditions: readonly (SQL | undefined)[],
  limit: number,
  idOf: SQL = ownId,
): Promise<number[]> {
  const and = conditions.reduce<SQL>((all, one) => (one === undefined ? all : sql`${all} AND ${one}`), raw("true"))
  const ids = new Set<number>()
  for (const some of slicesOf(lists)) {
    const found = await reads.snapshot(some.map((parts) => newestIn(parts, and, limit, idOf)))
    for (const { id } of found.flat()) ids.add(id)
  }
  return [...ids].sort((one, other) => other - one).slice(0, limit)
}

const ownId = sql`${transactions.id}`

function newestIn(parts: readonly SQL[], and: SQL, limit: number, idOf: SQL): SQL<{ id: number }> {
  const [first = raw("false"), ...others] = parts.map(
    (part) => sql`SELECT id FROM (SELECT ${idOf} AS id FROM ${transactions} WHERE ${part} AND ${and}
      ORDER BY ${transactions.id} DESC LIMIT ${limit}) AS part`,
  )
  const all = others.reduce<SQL>((before, part) => sql`${before} UNION ${part}`, first)
  return sql`SELECT id FROM (${all}) AS merged ORDER BY id DESC LIMIT ${limit}`
}
