import type { StreamEntry } from "../../../domain/model.ts"
import type { LedgerStore } from "../../../domain/store.ts"
import type { Client } from "../database/client.ts"
import { transactionColumns } from "../history/pages.ts"

/** `LedgerStore.after`. Ids are given inside the lock of the ledger, so a reader sees them in order and without gaps. */
export function createAfter(client: Client): LedgerStore["after"] {
  return (id, limit) =>
    client.query<StreamEntry>(
      `SELECT ${transactionColumns}, receiver.name AS "receiverName", sender.name AS "senderName"
       FROM transactions t JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id
       WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
      [id, limit],
    )
}
