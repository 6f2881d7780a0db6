import type { TransactionEntry } from "../../../domain/ledger/model.ts"
import { createTimeSlices, type Reading } from "../../budget.ts"
import type { ReceivedRecognitions } from "../../recognition/notifications.ts"
import type { Reader } from "../database/reader.ts"
import { createLists, firstOf, type Ids } from "../history/lists.ts"
import { createListOwners } from "../history/records.ts"
import { createEntryReader, createRecognitionReader } from "../ledger/entries.ts"

/** `ReceivedRecognitions`, found in the history index. */
export function createReceivedRecognitions({ client, read }: Pick<Reader, "client" | "read">): ReceivedRecognitions {
  const lists = createLists(client)
  const owners = createListOwners(client, lists)
  const recognitions = createRecognitionReader(client)
  const entriesOf = createEntryReader(client)
  const inTimeSlices = createTimeSlices(read)
  const transfers = client.prepare<{ id: number }, [string]>(
    `SELECT t.id FROM json_each(?) AS asked CROSS JOIN transactions AS t ON t.id = asked.value WHERE kind = 'transfer'`,
  )

  return {
    newest: (userId, throughId, limit) => inTimeSlices(newest(userId, throughId, limit)),
    count: (userId, afterId, throughId, max) => inTimeSlices(count(userId, afterId, throughId, max)),
    of: (ids) => read(() => recognitions.of(ids)),
  }

  function* newest(userId: number, throughId: number, limit: number): Reading<TransactionEntry[]> {
    return entriesOf(yield* firstOf(received(userId, 0, throughId), limit))
  }

  function* count(userId: number, afterId: number, throughId: number, max: number): Reading<number> {
    return (yield* firstOf(received(userId, afterId, throughId), max)).length
  }

  /** Transfers to the user after `afterId` and up to `throughId`, descending. */
  function* received(userId: number, afterId: number, throughId: number): Ids {
    const list = lists.asOf(owners.listsOf(userId).received, throughId)
    if (list.last <= afterId) return
    for (const some of lists.idsIn([list], "down")) {
      const within = some.filter((id) => id > afterId)
      yield transfers.all(JSON.stringify(within)).map(({ id }) => id)
      if (within.length < some.length) return
    }
  }
}
