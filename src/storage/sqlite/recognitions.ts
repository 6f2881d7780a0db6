import type { Party, Recognition, RecognitionQuery, RecognitionStore } from "../../domain/recognitions.ts"
import type { Transaction } from "../../domain/store.ts"
import type { Connection } from "./connection.ts"
import { createLists, descending, type List, lastBefore } from "./lists.ts"
import { type NoteRow, noteOf } from "./notes.ts"
import { idsInCommon } from "./pairs.ts"
import { createPeople } from "./people.ts"
import { createRows } from "./rows.ts"
import { type Reading, stride } from "./sequences.ts"
import { createStretches } from "./stretches.ts"

interface PartyRow extends Party {
  readonly id: number
}

/** Ids looked at between two rests, at first and at most: most are recognitions, but a run of transfers to oneself may be
 *  long. */
const [fewestAtOnce, mostAtOnce] = [128, 8192]

/** Entries are found by id: all of them without gaps, a person's along the lists (forest.ts), from wherever a page begins. */
export function createRecognitionStore({ client }: Pick<Connection, "client">): RecognitionStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const inStretches = createStretches(client)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const recognitions = client.prepare<{ id: number }, [number, number]>(
    "SELECT id FROM transactions WHERE id BETWEEN ? AND ? AND user_id <> from_id ORDER BY id DESC",
  )
  const behind = client.prepare<{ id: number }, [number, number]>(
    "SELECT id FROM transactions WHERE id > ? ORDER BY id LIMIT ?",
  )
  const parties = client.prepare<PartyRow, [string]>(
    `SELECT users.id, username, name, avatar FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )
  const notes = client.prepare<NoteRow & { id: number }, [string]>(
    `SELECT transaction_id AS id, reason, tags, private AS isPrivate
     FROM json_each(?) AS asked CROSS JOIN notes ON transaction_id = asked.value`,
  )

  return {
    newest: (query) => inStretches(newest(query)),
    after: async (id, limit) => told(behind.all(id, limit).map((row) => row.id)),
  }

  function* newest({ participantIds, before, limit }: RecognitionQuery): Reading<Recognition[]> {
    const bound = before ?? Number.POSITIVE_INFINITY
    const ids: number[] = []
    for (const id of idsOf(participantIds, bound)) {
      if (id === undefined) yield
      else ids.push(id)
      if (ids.length === limit) break
    }
    return told(ids.reverse()).reverse()
  }

  /** Descending; undefined is a rest. */
  function idsOf(participantIds: readonly number[], bound: number): Iterable<number | undefined> {
    const [one, other = one] = [...new Set(participantIds)]
    if (one === undefined || other === undefined) return allBelow(bound)
    const [received, sent] = endsBelow(one, bound)
    if (one === other) return mergedWithRests(idsWithOthers(received), idsWithOthers(sent))
    const [theirReceived, theirSent] = endsBelow(other, bound)
    return mergedWithRests(idsInCommon(sent, theirReceived, "down"), idsInCommon(theirSent, received, "down"))
  }

  function* allBelow(bound: number) {
    let end = Math.min(last.get()?.id ?? 0, bound - 1)
    for (let atOnce = fewestAtOnce; end > 0; atOnce = Math.min(2 * atOnce, mostAtOnce)) {
      for (const { id } of recognitions.all(end - atOnce + 1, end)) yield id
      end -= atOnce
      yield
    }
  }

  /** The lists of a user as far as they stand before an id; their counts are as of today. */
  function endsBelow(userId: number, bound: number): [received: List, sent: List] {
    const { received, sent } = people.endsOf(userId)
    return [
      { ...received, last: lastBefore(received, bound) },
      { ...sent, last: lastBefore(sent, bound) },
    ]
  }

  /** Ascending ids as what people see of them. */
  function told(ids: readonly number[]): Recognition[] {
    if (ids.length === 0) return []
    const transactions = rows.of(ids)
    const noteById = new Map(notes.all(JSON.stringify(ids)).map(({ id, ...row }) => [id, noteOf(row)]))
    const partyById = partiesOf(transactions)
    const partyOf = (userId: number) => {
      const party = partyById.get(userId)
      if (!party) throw new Error(`user ${userId}, whom a transaction names, is missing`)
      return party
    }
    return transactions.map((transaction) => ({
      ...transaction,
      note: noteById.get(transaction.id),
      sender: partyOf(transaction.senderId),
      receiver: partyOf(transaction.receiverId),
    }))
  }

  function partiesOf(transactions: readonly Transaction[]): Map<number, Party> {
    const ids = new Set(transactions.flatMap(({ senderId, receiverId }) => [senderId, receiverId]))
    return new Map(parties.all(JSON.stringify([...ids])).map(({ id, ...party }) => [id, party]))
  }
}

/** Descending ids of a list without what its owner sent to the owner; undefined is a rest. */
function* idsWithOthers(list: List): Generator<number | undefined, void> {
  let met = 0
  for (const { id, place } of descending(list, list.other)) {
    if (place.otherId !== list.ownerId) yield id
    met += 1
    if (met % stride === 0) yield
  }
}

/** Descending ids of two orders as one, with the rests of both. */
function* mergedWithRests(
  one: Generator<number | undefined>,
  other: Generator<number | undefined>,
): Generator<number | undefined> {
  let [a, b] = [yield* nextOf(one), yield* nextOf(other)]
  while (a !== null || b !== null) {
    if (b === null || (a !== null && a > b)) {
      if (a !== null) yield a
      a = yield* nextOf(one)
    } else {
      yield b
      b = yield* nextOf(other)
    }
  }
}

/** Null at the end. */
function* nextOf(ids: Generator<number | undefined>): Generator<undefined, number | null> {
  for (;;) {
    const { done, value } = ids.next()
    if (done) return null
    if (value !== undefined) return value
    yield
  }
}
