import type { TransactionRecord, UserWithBalance } from "../../domain/model.ts"
import type { ExportStore } from "../../domain/store.ts"
import type { Connection } from "./database/connection.ts"
import { createLists, type Ids } from "./history/lists.ts"
import { createPeople, createRows, type Selection } from "./history/records.ts"
import { createNoteReader } from "./ledger/notes.ts"

/** Rows in a slice: half a millisecond, and some 50 KB of text. */
const sliceLength = 500
/** How long finding them may hold the event loop. */
const longestMs = 5

/**
 * `ExportStore`. Each slice is read when it is asked for, in a tick of its own. A filter is followed along its lists as they
 * stood at the start: they only grow, so nothing is counted or skipped.
 */
export function createExportStore({ client }: Pick<Connection, "client">): ExportStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const lastId = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const notesOf = createNoteReader(client)
  const lastUserId = client.prepare<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM users")
  const someUsers = client.prepare<UserWithBalance, [number, number]>(
    `SELECT users.id, email, username, avatar, bio, password, name, dept, currency,
       access_version AS accessVersion, refresh_version AS refreshVersion, kept_token AS keptToken, coalesce(value, 0) AS balance
     FROM users LEFT JOIN balances ON user_id = users.id
     WHERE users.id > ? AND users.id <= ? ORDER BY users.id LIMIT ${sliceLength}`,
  )

  return {
    async *transactions(query) {
      const selection = people.selectionOf(query)
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
    if (selection.kind === "all") {
      const last = lastId.get()?.id ?? 0
      return lists.idsIn(lists.of({ ownerId: 0, side: "all" }, { count: last, last }), "up")
    }
    if (selection.kind === "pair") {
      const [sender, receiver] = [people.participant(selection.sender), people.participant(selection.receiver)]
      return lists.idsInCommon(sender.sent, receiver.received, "up")
    }
    const participant = people.participant(selection.owner)
    if (selection.kind === "participant") return lists.idsOfParticipant(participant, "up")
    return lists.idsIn(participant[selection.side], "up")
  }

  function recordsOf(ids: readonly number[]): TransactionRecord[] {
    const notes = notesOf(ids)
    return rows.of(ids).map((transaction) => ({ ...people.named(transaction), note: notes.get(transaction.id) }))
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
