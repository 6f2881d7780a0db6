import type { Database } from "bun:sqlite"
import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { EntryQuery, Note, Party, Transaction, TransactionEntry } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { FollowedTransaction, Recognition } from "../../../domain/recognition/model.ts"
import { createTimeSlices, type Reading } from "../../budget.ts"
import {
  additionsTo,
  adjustedBy,
  entryIdsOf,
  followedOf,
  groupsOf,
  recognitionsOf,
} from "../../recognition/recognitions.ts"
import { columnsOf, fields, list, select } from "../../sql.ts"
import { notes } from "../../tables.ts"
import { readerOn } from "../database/database.ts"
import type { Reader } from "../database/reader.ts"
import { createLists, firstOf, type Ids } from "../history/lists.ts"
import { createListOwners, createRows, type Selected } from "../history/records.ts"

/**
 * `LedgerStore.entry`, `entries` and `entriesWith`. People are found in the history index, and days by a binary search, since
 * dates ascend with ids. Kinds and notes have no index: transactions are read in time slices.
 */
export function createEntries(
  { client, read }: Pick<Reader, "client" | "read">,
  longestMs?: number,
): Pick<LedgerStore, "entry" | "entries" | "entriesWith"> {
  const lists = createLists(client)
  const owners = createListOwners(client, lists)
  const noteSearch = createNoteSearch(client)
  const entriesOf = createEntryReader(client)
  const inTimeSlices = createTimeSlices(read, longestMs)
  const one = client.prepare<{ id: number; date: number }, [number]>("SELECT id, date FROM transactions WHERE id = ?")
  const present = client.prepare<{ id: number }, [string]>(
    "SELECT id FROM transactions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC",
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const ofKind = client.prepare<{ id: number }, [string, string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value WHERE t.kind = ?`,
  )

  return {
    entry: (id) => read(() => (one.get(id) ? (entriesOf([id])[0] ?? null) : null)),
    entriesWith: (ids) => read(() => entriesOf(present.all(JSON.stringify(ids)).map(({ id }) => id))),
    entries: (query) => inTimeSlices(newest(query), query.signal),
  }

  function* newest(query: EntryQuery): Reading<TransactionEntry[]> {
    const { since, until, before, limit } = query
    const selection = owners.select(query)
    if (!selection) return []
    const end = until === undefined ? Number.POSITIVE_INFINITY : firstIdFrom(until)
    const highest = Math.min(end, before ?? Number.POSITIVE_INFINITY) - 1
    const lowest = since === undefined ? 1 : firstIdFrom(since)
    const ids = yield* firstOf(matching(idsIn(selection, highest, query), lowest, query), limit)
    return entriesOf(ids)
  }

  /** The first id with this date or a later one; one more than the last id when there is none. */
  function firstIdFrom(date: number): number {
    let [low, high] = [1, (last.get()?.id ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((one.get(middle)?.date ?? 0) < date) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The ids of a selection, descending from `highest`. */
  function idsIn(selection: Selected, highest: number, { noteMatches }: EntryQuery): Ids {
    if ("sent" in selection)
      return lists.idsInCommon(lists.asOf(selection.sent, highest), lists.asOf(selection.received, highest), "down")
    if (noteMatches && selection.lists.some(({ side }) => side === "all")) return noteSearch.idsUpTo(highest)
    return lists.idsIn(
      selection.lists.map((list) => lists.asOf(list, highest)),
      "down",
    )
  }

  function* matching(ids: Ids, lowest: number, { kind, noteMatches }: EntryQuery): Ids {
    for (const some of ids) {
      const within = some.filter((id) => id >= lowest)
      const kept = kind === undefined ? within : ofKind.all(JSON.stringify(within), kind).map(({ id }) => id)
      yield noteMatches ? noteSearch.matching(kept, noteMatches) : kept
      if (within.length < some.length) return
    }
  }
}

/** Notes that one statement reads. */
const notesAtOnce = 512

/** Finds transactions by their notes. Reads the notes, because there is no index of words. */
export function createNoteSearch(client: Database) {
  const rows = createRows(client)
  const notesOf = createNoteReader(client)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const withNote = client.prepare<{ id: number }, [number]>(
    `SELECT transaction_id AS id FROM notes WHERE transaction_id <= ? ORDER BY transaction_id DESC LIMIT ${notesAtOnce}`,
  )

  return {
    /** Transactions with a note, descending from `highest`. */
    *idsUpTo(highest: number): Ids {
      for (let from = Math.min(highest, last.get()?.id ?? 0); ; ) {
        const ids = withNote.all(from).map(({ id }) => id)
        yield ids
        if (ids.length < notesAtOnce) return
        from = (ids.at(-1) ?? 0) - 1
      }
    },

    /** The ids of those transactions that have a matching note. */
    matching(ids: readonly number[], matches: NonNullable<EntryQuery["noteMatches"]>): number[] {
      const notes = notesOf(ids)
      const found = rows.of(ids.filter((id) => notes.has(id)))
      return found.filter((transaction) => isMatch(transaction, notes.get(transaction.id))).map(({ id }) => id)

      function isMatch(transaction: Transaction, note: Note | undefined): boolean {
        return note !== undefined && matches({ ...transaction, note })
      }
    },
  }
}

interface PartyRow extends Party {
  readonly id: number
}

/** Reads transactions as entries, in the order of the ids. */
export function createEntryReader(client: Database) {
  const rows = createRows(client)
  const notesOf = createNoteReader(client)
  const reversedOf = createReversedReader(client)
  const reverses = client.prepare<{ id: number; reverses: number }, [string]>(
    `SELECT t.id, t.reverses FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value
     WHERE t.kind = 'reversal'`,
  )
  const parties = client.prepare<PartyRow, [string]>(
    `SELECT users.id, username, name, avatar FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )

  return (ids: readonly number[]): TransactionEntry[] => {
    if (ids.length === 0) return []
    const transactions = rows.of(ids)
    const notes = notesOf(ids)
    const reversed = reversedOf(ids)
    const originals = new Map(reverses.all(JSON.stringify(ids)).map((row) => [row.id, row.reverses]))
    const partyById = partiesOf(transactions)
    const partyOf = (userId: number) => {
      const party = partyById.get(userId)
      if (!party) throw new DatabaseDamaged(`user ${userId}, whom a transaction names, is missing`)
      return party
    }
    return transactions.map((transaction) => ({
      ...transaction,
      note: notes.get(transaction.id),
      reverses: originals.get(transaction.id) ?? null,
      reversed: reversed.get(transaction.id) ?? 0,
      sender: partyOf(transaction.senderId),
      receiver: partyOf(transaction.receiverId),
    }))
  }

  function partiesOf(transactions: readonly Transaction[]): Map<number, Party> {
    const ids = new Set(transactions.flatMap(({ senderId, receiverId }) => [senderId, receiverId]))
    return new Map(parties.all(JSON.stringify([...ids])).map(({ id, ...party }) => [id, party]))
  }
}

/** Reads recognitions by the ids of transactions. */
export function createRecognitionReader(client: Database) {
  const entriesOf = createEntryReader(client)
  const inGroups = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.group_id = asked.value ORDER BY t.id`,
  )
  const { all } = readerOn(client)
  const groupedWith = (entries: readonly TransactionEntry[]): readonly TransactionEntry[] => {
    const groups = groupsOf(entries)
    return groups.length === 0 ? [] : entriesOf(inGroups.all(JSON.stringify(groups)).map(({ id }) => id))
  }
  const relatedTo = (entries: readonly TransactionEntry[]) => ({
    grouped: groupedWith(entries),
    additions: entries.length === 0 ? [] : all(additionsTo(entryIdsOf(entries))),
  })
  const of = (ids: readonly number[]): Recognition[] => {
    const entries = entriesOf(ids)
    return recognitionsOf(entries, relatedTo(entries))
  }

  return {
    of,
    /** `followedOf` */
    followed(ids: readonly number[]): FollowedTransaction[] {
      const entries = entriesOf(ids)
      return followedOf(entries, relatedTo(entries), of(adjustedBy(entries)))
    },
  }
}

const noteRow = fields(columnsOf(notes, "salt"))

/** Reads the notes of transactions by their ids. */
export function createNoteReader(client: Database) {
  const { all } = readerOn(client)

  return (ids: readonly number[]): ReadonlyMap<number, Note> => {
    const found = all(select(noteRow)`FROM ${list("asked", ids, "bigint")} CROSS JOIN ${notes}
      WHERE ${notes.transactionId} = asked.value`)
    return new Map(found.map(({ transactionId, ...note }) => [transactionId, note]))
  }
}

/** Reads how many points reversals have moved back, by the ids of the transactions that they reverse. */
function createReversedReader(client: Database) {
  const reversed = client.prepare<{ id: number; value: number }, [string]>(
    `SELECT t.reverses AS id, t.value
     FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.reverses = asked.value`,
  )

  return (ids: readonly number[]): ReadonlyMap<number, number> => {
    const points = new Map<number, number>()
    for (const { id, value } of reversed.all(JSON.stringify(ids))) points.set(id, (points.get(id) ?? 0) + value)
    return points
  }
}
