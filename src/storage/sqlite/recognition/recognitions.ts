import type { Recognition, RecognitionQuery } from "../../../domain/model.ts"
import type { RecognitionStore } from "../../../domain/store.ts"
import { recognitionCondition } from "../../rows.ts"
import { type Connection, createTimeSlices, type Reading } from "../database/connection.ts"
import { createLists, firstOf, type Ids, merged } from "../history/lists.ts"
import { createPeople } from "../history/records.ts"
import { createEntryReader, createNoteSearch } from "../ledger/entries.ts"

/**
 * Ids that are checked between two pauses: at first, and at most. The number doubles after each pause. Most ids are
 * recognitions, but many other transactions may follow each other.
 */
const [fewestAtOnce, mostAtOnce] = [128, 8192]

/** `RecognitionStore`. Everybody's recognitions are found by id, which has no gaps; a person's in the history index.
 *  `longestMs` bounds how long a page blocks the event loop. */
export function createRecognitionStore({ client }: Pick<Connection, "client">, longestMs?: number): RecognitionStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const inTimeSlices = createTimeSlices(client, longestMs)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const recognitions = client.prepare<{ id: number }, [number, number]>(
    `SELECT id FROM transactions AS t WHERE id BETWEEN ? AND ? AND ${recognitionCondition} ORDER BY id DESC`,
  )
  const transfers = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value WHERE ${recognitionCondition}`,
  )
  const ofDept = client.prepare<{ id: number }, [string, string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value
     WHERE EXISTS (SELECT 1 FROM users WHERE id IN (t.user_id, t.from_id) AND dept = ?)`,
  )
  const behind = client.prepare<{ id: number }, [number, number]>(
    "SELECT id FROM transactions WHERE id > ? ORDER BY id LIMIT ?",
  )
  const entriesOf = createEntryReader(client)
  const noteSearch = createNoteSearch(client)

  return {
    newest: (query) => inTimeSlices(newest(query)),
    after: async (id, limit) => entriesOf(behind.all(id, limit).map((row) => row.id)),
  }

  function* newest(query: RecognitionQuery): Reading<Recognition[]> {
    const { participantIds, noteMatches, before, limit } = query
    const bound = before ?? Number.POSITIVE_INFINITY
    const isByNote = noteMatches !== undefined && participantIds.length === 0
    const ids = isByNote ? transfersIn(noteSearch.idsUpTo(bound - 1)) : idsOf(participantIds, bound)
    return entriesOf(yield* firstOf(matching(ids, query), limit))
  }

  function* matching(ids: Ids, { dept, noteMatches }: RecognitionQuery): Ids {
    for (const some of ids) {
      const within = dept === undefined ? some : ofDept.all(JSON.stringify(some), dept).map(({ id }) => id)
      yield noteMatches ? noteSearch.matching(within, noteMatches) : within
    }
  }

  /** Ids of the recognitions of these participants below `bound`, descending. */
  function idsOf(participantIds: readonly number[], bound: number): Ids {
    const [one, other = one] = [...new Set(participantIds)]
    if (one === undefined || other === undefined) return allBelow(bound)
    const [mine, theirs] = [before(one, bound), before(other, bound)]
    if (one === other) return transfersIn(lists.idsIn([mine.received, mine.sent], "down"))
    return transfersIn(
      merged(
        [lists.idsInCommon(mine.sent, theirs.received, "down"), lists.idsInCommon(theirs.sent, mine.received, "down")],
        "down",
      ),
    )
  }

  /** The recognitions among these ids: the history index does not know the kinds of transactions. */
  function* transfersIn(ids: Ids): Ids {
    for (const some of ids) yield transfers.all(JSON.stringify(some)).map(({ id }) => id)
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
    const { received, sent } = people.listsOf(userId)
    return { received: lists.asOf(received, bound - 1), sent: lists.asOf(sent, bound - 1) }
  }
}
