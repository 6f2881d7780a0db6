import type { TransactionRecord, UserWithBalance } from "../../../domain/model.ts"
import type { ExportStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { type NoteRow, noteOf } from "../ledger/notes.ts"
import { createLists, type Ids } from "./lists.ts"
import { createPeople } from "./people.ts"
import { createRows } from "./rows.ts"
import { type Selection, selectionOf } from "./selection.ts"

/** Rows that are read at once: half a millisecond, and some 50 KB of text. */
const sliceLength = 500
/** How long the search for them may keep all others waiting. */
const longestMs = 5

/**
 * Everything, slice by slice, each in a turn of its own and only when it is asked for. What a query keeps is walked
 * through in its lists as they stood at the start: nothing of the past changes, and nothing of it is counted or skipped.
 */
export function createExportStore({ client }: Pick<Connection, "client">): ExportStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const lastId = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const notes = client.prepare<NoteRow & { readonly id: number }, [string]>(
    `SELECT transaction_id AS id, reason, tags, private AS isPrivate
     FROM json_each(?) AS asked CROSS JOIN notes ON transaction_id = asked.value`,
  )
  const lastUserId = client.prepare<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM users")
  const someUsers = client.prepare<UserWithBalance, [number, number]>(
    `SELECT users.id, email, username, avatar, bio, password, name, dept, currency,
       access_version AS accessVersion, refresh_version AS refreshVersion, kept_token AS keptToken, coalesce(value, 0) AS balance
     FROM users LEFT JOIN balances ON user_id = users.id
     WHERE users.id > ? AND users.id <= ? ORDER BY users.id LIMIT ${sliceLength}`,
  )

  return {
    async *transactions(query) {
      const selection = selectionOf(people, query)
      if (!selection) return
      const ids = idsOf(selection)
      for (;;) {
        const { slice, isLast } = sliceOf(ids)
        if (slice.length > 0) yield recordsOf(slice)
        if (isLast) return
        await new Promise(setImmediate)
      }
    },

    async *users() {
      const end = lastUserId.get()?.id ?? 0
      for (let from = 0; from < end; ) {
        const slice = someUsers.all(from, end)
        yield slice
        from = slice.at(-1)?.id ?? end
        await new Promise(setImmediate)
      }
    },
  }

  function idsOf(selection: Selection): Ids {
    if (selection.kind === "all") return idsUpTo(lastId.get()?.id ?? 0)
    if (selection.kind === "pair") {
      const [sender, receiver] = [people.participant(selection.sender), people.participant(selection.receiver)]
      return lists.idsInCommon(sender.sent, receiver.received, "up")
    }
    const participant = people.participant(selection.owner)
    if (selection.kind === "participant") return lists.idsOfParticipant(participant, "up")
    return lists.idsIn(participant[selection.side], "up")
  }

  function recordsOf(ids: readonly number[]): TransactionRecord[] {
    const noteById = new Map(notes.all(JSON.stringify(ids)).map(({ id, ...row }) => [id, noteOf(row)]))
    return rows.of(ids).map((transaction) => ({ ...named(transaction), note: noteById.get(transaction.id) }))
  }

  function named(transaction: ReturnType<typeof rows.of>[number]): TransactionRecord {
    const { receiverId, senderId } = transaction
    return {
      ...transaction,
      receiverUsername: people.usernameOf(receiverId),
      senderUsername: people.usernameOf(senderId),
    }
  }
}

function sliceOf(ids: Ids) {
  const slice: number[] = []
  const until = performance.now() + longestMs
  for (;;) {
    const { done, value } = ids.next()
    if (value !== undefined) slice.push(value)
    if (done) return { slice, isLast: true }
    if (slice.length === sliceLength || (value === undefined && performance.now() > until))
      return { slice, isLast: false }
  }
}

function* idsUpTo(last: number): Ids {
  for (let id = 1; id <= last; id += 1) yield id
}
