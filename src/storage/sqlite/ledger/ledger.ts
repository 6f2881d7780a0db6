import { DatabaseDamaged } from "../../../domain/damage.ts"
import type { StreamEntry, TransactionKind } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import { ownerOf, postsThrough, replayOf } from "../../ledger/postings.ts"
import type { ObserveCommit } from "../../open-store.ts"
import type { Connection } from "../database/connection.ts"
import type { Reader } from "../database/reader.ts"
import { createPages } from "../history/pages.ts"
import { createNameCache } from "../people/names.ts"
import { createGroupCommit } from "./append.ts"
import { createEntries } from "./entries.ts"
import { createKeys } from "./idempotency-keys.ts"
import { mostGiven } from "./most-given.ts"

interface SqliteLedger extends LedgerStore {
  /** Resolves when no posting waits for a commit any more. */
  drained(): Promise<void>
}

export function createLedgerStore(connection: Connection, onCommit?: ObserveCommit): SqliteLedger {
  const { reader } = connection
  const { client } = reader
  const { join, onAppend, drained } = createGroupCommit(connection, onCommit)
  const keys = createKeys(client)
  const after = createAfter(reader)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")

  return {
    ...postsThrough(join, mostGiven),
    findReplay: (senderId, key, now) =>
      reader.read(() => replayOf(keys.find(ownerOf(senderId, key), key.key), key, now)),
    ...createPages(reader),
    ...createEntries(reader),
    after: (id, limit) => reader.read(() => after(id, limit)),
    lastId: () => reader.read(() => last.get()?.id ?? 0),
    onAppend,
    drained,
  }
}

interface StreamedRow {
  readonly kind: TransactionKind
  readonly date: number
  readonly value: number
  readonly receiverId: number
  readonly senderId: number
  readonly groupId: number | null
  readonly addsTo: number | null
}

/**
 * `LedgerStore.after`, in which the replay of a long history spends most of its time. Ids have no gaps, so they are counted,
 * not read; a page with a gap, from a damaged file, throws.
 */
function createAfter({ client, version }: Pick<Reader, "client" | "version">) {
  const rows = client.prepare<StreamedRow, [number, number]>(
    `SELECT kind, date, value, user_id AS receiverId, from_id AS senderId, group_id AS groupId,
       adds_to AS addsTo
     FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id`,
  )
  const thanked = client.prepare<{ userId: number }, [number]>(
    "SELECT user_id AS userId FROM transactions WHERE group_id = ? ORDER BY id",
  )
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")
  const names = createNames({ client, version })
  const page = (id: number, limit: number): StreamedRow[] => {
    const found = rows.all(id + 1, id + limit)
    if (found.length < limit && id + found.length < (last.get()?.id ?? 0))
      throw new DatabaseDamaged(`a transaction after ${id} is missing`)
    return found
  }

  return (id: number, limit: number): StreamEntry[] => {
    names.refresh()
    return page(id, limit).map(({ kind, date, value, receiverId, senderId, groupId, addsTo }, index) => ({
      id: id + 1 + index,
      kind,
      date,
      value,
      receiverId,
      senderId,
      receiverName: names.of(receiverId),
      senderName: names.of(senderId),
      group: groupId,
      addsTo,
      receivers: groupId === id + 1 + index ? receiversIn(groupId) : null,
    }))
  }

  function receiversIn(groupId: number) {
    return thanked.all(groupId).map(({ userId }) => ({ userId, name: names.of(userId) }))
  }
}

/** Names of users by id, cached until this process or another changes a user. */
function createNames({ client, version }: Pick<Reader, "client" | "version">) {
  const names = createNameCache(client, "name")
  let cachedVersion = -1

  return {
    of: names.of,
    /** Call before each page. */
    refresh() {
      if (version() !== cachedVersion) names.clear()
      cachedVersion = version()
    },
  }
}
