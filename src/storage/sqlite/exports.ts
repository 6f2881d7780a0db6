import type { TransactionRecord, UserWithBalance } from "../../domain/model.ts"
import type { ExportStore } from "../../domain/store.ts"
import { nextTick } from "../../domain/ticks.ts"
import { personalRows } from "../personal-data.ts"
import type { Connection } from "./database/connection.ts"
import { createLists, type Ids } from "./history/lists.ts"
import { createPeople, createRows } from "./history/records.ts"
import { createNoteReader } from "./ledger/entries.ts"
import { userColumns } from "./people/user-rows.ts"

/** Rows in a slice. They take half a millisecond, and some 50 KB as text. */
const sliceLength = 500
/** How long the search for the rows of a slice may block the event loop. */
const longestMs = 5

/**
 * `ExportStore`. Each slice is read when the caller asks for it, in a tick of its own. A filter reads its lists as they
 * were at the start. Lists only grow, so a slice continues where the last one ended.
 */
export function createExportStore({ client }: Pick<Connection, "client">): ExportStore {
  const lists = createLists(client)
  const people = createPeople(client, lists)
  const rows = createRows(client)
  const notesOf = createNoteReader(client)
  const lastUserId = client.prepare<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM users")
  const someUsers = client.prepare<UserWithBalance, [number, number]>(
    `SELECT ${userColumns}, coalesce(value, 0) AS balance
     FROM users LEFT JOIN balances ON user_id = users.id
     WHERE users.id > ? AND users.id <= ? ORDER BY users.id LIMIT ${sliceLength}`,
  )

  return {
    async *transactions(query) {
      const selection = people.select(query)
      if (!selection) return
      const ids =
        "sent" in selection
          ? lists.idsInCommon(selection.sent, selection.received, "up")
          : lists.idsIn(selection.lists, "up")
      for (const slice of slicesOf(ids)) {
        if (slice.length > 0) yield recordsOf(slice)
        await nextTick()
      }
    },

    async *users() {
      const end = lastUserId.get()?.id ?? 0
      for (let from = 0; from < end; ) {
        const slice = someUsers.all(from, end)
        yield slice
        from = slice.at(-1)?.id ?? end
        await nextTick()
      }
    },

    personalRows: (user) =>
      personalRows(async (sql, parameters) => {
        await nextTick()
        const named = Object.fromEntries(parameters.map((value, index) => [index + 1, value]))
        return client.query<Record<string, unknown>, [Record<string, string | number>]>(sql).all(named)
      }, user),
  }

  function recordsOf(ids: readonly number[]): TransactionRecord[] {
    const notes = notesOf(ids)
    return rows.of(ids).map((transaction) => ({ ...people.named(transaction), note: notes.get(transaction.id) }))
  }
}

function* slicesOf(ids: Ids): Iterable<number[]> {
  let slice: number[] = []
  let until = performance.now() + longestMs
  for (const some of ids) {
    slice.push(...some)
    if (slice.length < sliceLength && performance.now() < until) continue
    yield slice
    slice = []
    until = performance.now() + longestMs
  }
  yield slice
}
