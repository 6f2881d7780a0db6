import type { TransactionRecord } from "../../domain/ledger/model.ts"
import type { ExportStore } from "../../domain/people/ports.ts"
import { nextTick } from "../../domain/ticks.ts"
import { perTickMs } from "../budget.ts"
import { createPeopleExports, sliceLength } from "../people/exports.ts"
import type { Connection } from "./database/connection.ts"
import { createLists, type Ids } from "./history/lists.ts"
import { createListOwners, createRows } from "./history/records.ts"
import { createNoteReader } from "./ledger/entries.ts"

/**
 * `ExportStore`. Each slice is read when the caller asks for it, in the budget of a tick. A filter reads its lists as they
 * were at the start. Lists only grow, so a slice continues where the last one ended.
 */
export function createExportStore({ reader, database }: Pick<Connection, "reader" | "database">): ExportStore {
  const { client, read } = reader
  const lists = createLists(client)
  const owners = createListOwners(client, lists)
  const rows = createRows(client)
  const notesOf = createNoteReader(client)

  return {
    ...createPeopleExports(database),
    async *transactions(query) {
      const selection = await read(() => owners.select(query))
      if (!selection) return
      const ids =
        "sent" in selection
          ? lists.idsInCommon(selection.sent, selection.received, "up")
          : lists.idsIn(selection.lists, "up")
      const slices = slicesOf(ids)
      for (;;) {
        const slice = await read(() => {
          const { value, done } = slices.next()
          return done ? null : recordsOf(value)
        })
        if (slice === null) return
        if (slice.length > 0) yield slice
        await nextTick() // the caller makes text of a slice, which takes longer than to read it
      }
    },
  }

  function recordsOf(ids: readonly number[]): TransactionRecord[] {
    const notes = notesOf(ids)
    return rows.of(ids).map((transaction) => ({ ...owners.named(transaction), note: notes.get(transaction.id) }))
  }
}

function* slicesOf(ids: Ids): Generator<number[], void> {
  let slice: number[] = []
  let until = performance.now() + perTickMs
  for (const some of ids) {
    slice.push(...some)
    if (slice.length < sliceLength && performance.now() < until) continue
    yield slice
    slice = []
    until = performance.now() + perTickMs
  }
  yield slice
}
