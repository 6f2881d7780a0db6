import type { Note, Transaction } from "../../../domain/ledger/model.ts"
import type { Recognition, RecognitionQuery } from "../../../domain/recognition/model.ts"
import { createTimeSlices, type Reading } from "../../budget.ts"
import type { LedgerEntries } from "../../recognition/occasions.ts"
import { feedEntryCondition, ownEntryCondition } from "../../recognition/recognitions.ts"
import type { Reader } from "../database/reader.ts"
import { createLists, firstOf, type Ids, merged } from "../history/lists.ts"
import { createListOwners } from "../history/records.ts"
import { createNoteSearch, createRecognitionReader } from "../ledger/entries.ts"

/**
 * Ids that are checked between two pauses: at first, and at most. The number doubles after each pause. Most ids are
 * recognitions, but many other transactions may follow each other.
 */
const [fewestAtOnce, mostAtOnce] = [128, 8192]

/** `LedgerEntries`. Everybody's recognitions are found by id, which has no gaps; a person's in the history index.
 *  `longestMs` bounds how long a page blocks the event loop. */
export function createRecognitionStore(
  { client, read }: Pick<Reader, "client" | "read">,
  longestMs?: number,
): LedgerEntries {
  const lists = createLists(client)
  const owners = createListOwners(client, lists)
  const inTimeSlices = createTimeSlices(read, longestMs)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const recognitions = client.prepare<{ id: number }, [number, number]>(
    `SELECT id FROM transactions AS t WHERE id BETWEEN ? AND ? AND ${feedEntryCondition} ORDER BY id DESC`,
  )
  // One transfer of each group: the first, or the one to a person whose list is read.
  const transfers = client.prepare<{ id: number }, [string, number, number]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value
     WHERE ${ownEntryCondition} AND (t.group_id IS NULL OR t.group_id = t.id OR t.user_id IN (?, ?))`,
  )
  const together = client.prepare<{ id: number }, [string, number]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value
     WHERE EXISTS (SELECT 1 FROM transactions AS o WHERE o.group_id = t.group_id AND o.user_id = ?)`,
  )
  const ofDept = client.prepare<{ id: number }, [string, string]>(
    `SELECT t.id FROM json_each(?1) AS asked CROSS JOIN transactions AS t ON t.id = asked.value
     WHERE EXISTS (SELECT 1 FROM users WHERE id IN (t.user_id, t.from_id) AND dept = ?2)
       OR EXISTS (SELECT 1 FROM transactions AS o JOIN users ON users.id = o.user_id WHERE o.group_id = t.group_id AND dept = ?2)`,
  )
  const receivers = client.prepare<{ userId: number }, [number]>(
    "SELECT user_id AS userId FROM transactions WHERE group_id = ?",
  )
  const first = client.prepare<{ id: number }, [number]>(
    "SELECT coalesce(group_id, id) AS id FROM transactions WHERE id = ?",
  )
  const entry = client.prepare<{ id: number }, [number]>(
    "SELECT CASE WHEN adds_to > 0 THEN adds_to ELSE id END AS id FROM transactions WHERE id = ?",
  )
  const behind = client.prepare<{ id: number }, [number, number, number]>(
    "SELECT id FROM transactions WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
  )
  const reader = createRecognitionReader(client)
  const noteSearch = createNoteSearch(client)

  return {
    newest: (query) => inTimeSlices(newest(query), query.signal),
    find: (id) =>
      read(() => {
        const found = entry.get(id)
        return found ? (reader.of([found.id])[0] ?? null) : null
      }),
    between: (after, through, limit) =>
      read(() => reader.followed(behind.all(after, through, limit).map((row) => row.id))),
  }

  function* newest(query: RecognitionQuery): Reading<Recognition[]> {
    const { participantIds, noteMatches, before, limit } = query
    const bound = before === undefined ? Number.POSITIVE_INFINITY : (first.get(before)?.id ?? before)
    const isByNote = noteMatches !== undefined && participantIds.length === 0
    const ids = isByNote ? transfersIn(noteSearch.idsUpTo(bound - 1)) : idsOf(participantIds, bound)
    return reader.of(yield* firstOf(matching(ids, query), limit))
  }

  function* matching(ids: Ids, { dept, noteMatches }: RecognitionQuery): Ids {
    for (const some of ids) {
      const within = dept === undefined ? some : ofDept.all(JSON.stringify(some), dept).map(({ id }) => id)
      yield noteMatches ? noteSearch.matching(within, (one) => noteMatches(withReaders(one))) : within
    }
  }

  function withReaders<T extends Transaction & { readonly note: Note }>(transaction: T) {
    const { group, note } = transaction
    return group === null || !note.isPrivate ? transaction : { ...transaction, receivers: receivers.all(group) }
  }

  /** Ids of the recognitions of these participants below `bound`, descending; of a group, of one of its transfers. */
  function idsOf(participantIds: readonly number[], bound: number): Ids {
    const [one, other = one] = [...new Set(participantIds)]
    if (one === undefined || other === undefined) return allBelow(bound)
    const [mine, theirs] = [before(one, bound), before(other, bound)]
    if (one === other) return transfersIn(lists.idsIn([mine.received, mine.sent], "down"), one)
    return transfersIn(
      merged(
        [
          lists.idsInCommon(mine.sent, theirs.received, "down"),
          lists.idsInCommon(theirs.sent, mine.received, "down"),
          thankedWith(other, lists.idsIn([mine.received], "down")),
        ],
        "down",
      ),
      one,
      other,
    )
  }

  /** The transfers among these ids whose group also thanks this person. */
  function* thankedWith(userId: number, ids: Ids): Ids {
    for (const some of ids) yield together.all(JSON.stringify(some), userId).map(({ id }) => id)
  }

  /** The recognitions among these ids: the history index does not know the kinds of transactions. 0 is nobody. */
  function* transfersIn(ids: Ids, one = 0, other = one): Ids {
    for (const some of ids) yield transfers.all(JSON.stringify(some), one, other).map(({ id }) => id)
  }

  function* allBelow(bound: number): Ids {
    let end = Math.min(last.get()?.id ?? 0, bound - 1)
    for (let atOnce = fewestAtOnce; end > 0; atOnce = Math.min(2 * atOnce, mostAtOnce)) {
      yield recognitions.all(end - atOnce + 1, end).map(({ id }) => id)
      end -= atOnce
    }
  }

  /** What a user received from others and sent to others before a transaction id. */
  function before(userId: number, bound: number) {
    const { received, sent } = owners.listsOf(userId)
    return { received: lists.asOf(received, bound - 1), sent: lists.asOf(sent, bound - 1) }
  }
}
