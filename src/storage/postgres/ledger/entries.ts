import type { EntryQuery, Note, Party, Transaction, TransactionEntry } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { FollowedTransaction, Recognition } from "../../../domain/recognition/model.ts"
import {
  additionsTo,
  adjustedBy,
  entryIdsOf,
  followedOf,
  groupsOf,
  recognitionsOf,
} from "../../recognition/recognitions.ts"
import type { Client, Queries } from "../database/client.ts"
import type { Parameter } from "../database/connection.ts"
import { readsOn } from "../database/database.ts"
import { partsOf, readSelection, transactionColumns } from "../history.ts"

interface EntryRow extends Omit<Transaction, "note"> {
  readonly reverses: number | null
  readonly reversed: number
  readonly receiver: Party
  readonly sender: Party
  readonly note: Note | null
}

/** The note in a row of `notes n`. */
export const noteColumn = `CASE WHEN n.transaction_id IS NOT NULL THEN jsonb_build_object(
  'reason', n.reason, 'tags', string_to_array(n.tags, ' '), 'isPrivate', n.private = 1) END AS note`

/** Reads entries. `transactions` is a query of rows of the table; its last parameter is the limit. */
export async function readEntries(
  { query }: Queries,
  transactions: string,
  direction: "ASC" | "DESC",
  params: readonly Parameter[],
): Promise<TransactionEntry[]> {
  const rows = await query<EntryRow>(
    `SELECT ${transactionColumns}, t.reverses, ${partyOf("receiver")}, ${partyOf("sender")},
       (SELECT coalesce(sum(r.value), 0) FROM transactions r WHERE r.reverses = t.id)::bigint AS reversed,
       ${noteColumn}
     FROM (SELECT t.* FROM (${transactions}) t ORDER BY t.id ${direction} LIMIT $${params.length}) t
       JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id
       LEFT JOIN notes n ON n.transaction_id = t.id
     ORDER BY t.id ${direction}`,
    params,
  )
  return rows.map(({ note, ...entry }) => ({ ...entry, note: note ?? undefined }))
}

/** Reads recognitions, likewise. */
export async function readRecognitions(
  queries: Queries,
  transactions: string,
  direction: "ASC" | "DESC",
  params: readonly Parameter[],
): Promise<Recognition[]> {
  const entries = await readEntries(queries, transactions, direction, params)
  return recognitionsOf(entries, await relatedTo(queries, entries))
}

/** Reads transactions for followers of the feed, likewise. */
export async function readFollowed(
  queries: Queries,
  transactions: string,
  direction: "ASC" | "DESC",
  params: readonly Parameter[],
): Promise<FollowedTransaction[]> {
  const entries = await readEntries(queries, transactions, direction, params)
  const adjusted = adjustedBy(entries)
  return followedOf(
    entries,
    await relatedTo(queries, entries),
    adjusted.length === 0 ? [] : await readRecognitionsOf(queries, adjusted),
  )
}

/** The recognitions with these ids. */
export const readRecognitionsOf = (queries: Queries, ids: readonly number[]): Promise<Recognition[]> =>
  readRecognitions(queries, "SELECT t.* FROM transactions t WHERE t.id = ANY($1::bigint[])", "DESC", [ids, ids.length])

/** What `recognitionsOf` needs besides these entries. */
async function relatedTo(queries: Queries, entries: readonly TransactionEntry[]) {
  const groups = groupsOf(entries)
  const inGroups = "SELECT t.* FROM transactions t WHERE t.group_id = ANY($1::bigint[])"
  const [grouped, additions] = await Promise.all([
    groups.length === 0 ? [] : readEntries(queries, inGroups, "ASC", [groups, Number.MAX_SAFE_INTEGER]),
    entries.length === 0 ? [] : readsOn(queries).all(additionsTo(entryIdsOf(entries))),
  ])
  return { grouped, additions }
}

const partyOf = (user: string) =>
  `jsonb_build_object('username', ${user}.username, 'name', ${user}.name, 'avatar', ${user}.avatar) AS ${user}`

/** Entries whose notes one statement reads. */
const notesAtOnce = 512

/** `LedgerStore.entry`, `entries` and `entriesWith`. */
export function createEntries(client: Client): Pick<LedgerStore, "entry" | "entries" | "entriesWith"> {
  return {
    async entry(id) {
      const [entry] = await readEntries(client, "SELECT t.* FROM transactions t WHERE t.id = $1", "ASC", [id, 1])
      return entry ?? null
    },

    entriesWith: (ids) =>
      readEntries(client, "SELECT t.* FROM transactions t WHERE t.id = ANY($1::bigint[])", "DESC", [
        [...new Set(ids)],
        ids.length,
      ]),

    entries: (query) => matchingEntries(query, (before, limit) => newest({ ...query, before }, limit)),
  }

  async function newest(query: EntryQuery, limit: number): Promise<TransactionEntry[]> {
    const { kind, since, until, before, noteMatches, signal } = query
    const reads = client.until(signal)
    const selection = await reads.snapshot((tx) => readSelection(tx, query))
    if (selection === null) return []
    const parts = partsOf(selection)
    const params = parts[0]?.params ?? []
    const next = params.length
    // In the text, not as a parameter, so that every plan can use the index of the kind.
    const ofKind = kind === undefined ? "" : `AND t.kind = '${kind}'`
    const hasNote = noteMatches ? "AND EXISTS (SELECT FROM notes n WHERE n.transaction_id = t.id)" : ""
    const newest = parts.map(
      ({ where }) =>
        `(SELECT t.* FROM transactions t
          WHERE ${where} AND t.id < $${next + 1} ${ofKind} ${hasNote}
            AND ($${next + 2}::bigint IS NULL OR t.id >= (SELECT first_id_since($${next + 2})))
            AND ($${next + 3}::bigint IS NULL OR t.id < (SELECT first_id_since($${next + 3})))
          ORDER BY t.id DESC LIMIT $${next + 4})`,
    )
    return readEntries(reads, newest.join(" UNION ALL "), "DESC", [
      ...params,
      before ?? Number.MAX_SAFE_INTEGER,
      since ?? null,
      until ?? null,
      limit,
    ])
  }
}

/** Filters what `newest` reads by its notes, newest first, until `limit` entries match. */
export async function matchingEntries<Entry extends TransactionEntry>(
  { noteMatches, before, limit, signal }: Pick<EntryQuery, "noteMatches" | "before" | "limit" | "signal">,
  newest: (before: number | undefined, limit: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  if (!noteMatches) return newest(before, limit)
  const found: Entry[] = []
  for (let below = before; ; ) {
    const some = await newest(below, notesAtOnce)
    signal?.throwIfAborted()
    found.push(...some.filter((entry) => isMatch(entry, noteMatches)))
    if (found.length >= limit || some.length < notesAtOnce) return found.slice(0, limit)
    below = some.at(-1)?.id
  }
}

const isMatch = (
  { note, ...transaction }: TransactionEntry,
  matches: NonNullable<EntryQuery["noteMatches"]>,
): boolean => note !== undefined && matches({ ...transaction, note })
