import type { Database } from "bun:sqlite"
import { createAnchorCheck } from "../../../verify/anchor.ts"
import type { Damage } from "../../../verify/damage.ts"
import {
  ledgerChecks,
  type Reversed,
  readLedger,
  type StoredBalance,
  type StoredLedger,
} from "../../../verify/ledger.ts"
import type { Row, Subject } from "./check.ts"
import { createHistoryIndexCheck } from "./history-index.ts"

const columns = `id, user_id AS receiverId, from_id AS senderId, value, date, user_prev AS userPrev, from_prev AS fromPrev,
  kind, reverses, commitment, hash, erased_at AS erasedAt, salt, reason, tags, private AS isPrivate`

/** Runs all checks that need every transaction. */
export function* ledgerFaults({ client, onProgress, anchoring }: Subject): Generator<Damage> {
  const reversedBy = client.query<Reversed, [number, number]>(
    `SELECT kind, from_id AS senderId, user_id AS receiverId, value,
       (SELECT sum(value) FROM transactions WHERE reverses = original.id AND id <= ?) AS reversed
     FROM transactions AS original WHERE id = ?`,
  )
  const reading = readLedger<Row, StoredLedger>(
    [
      ...ledgerChecks(createHistoryIndexCheck(client), (id, reverses) => reversedBy.get(id, reverses)),
      ...(anchoring ? [createAnchorCheck(anchoring)] : []),
    ],
    onProgress,
  )
  const rows = client.query<Row, []>(
    `SELECT ${columns} FROM transactions
     LEFT JOIN notes ON notes.transaction_id = id LEFT JOIN erasures ON erasures.transaction_id = id ORDER BY id`,
  )
  for (const row of rows.iterate()) yield* reading.see(row)
  yield* reading.end(storedIn(client))
}

const storedIn = (client: Database): StoredLedger => ({
  balances: () =>
    client
      .query<StoredBalance, []>(
        `SELECT users.id AS userId, username, value
         FROM users LEFT JOIN balances ON user_id = users.id ORDER BY users.id`,
      )
      .iterate(),
  sumOfBalances:
    client.query<{ sum: string | null }, []>("SELECT CAST(sum(value) AS TEXT) AS sum FROM balances").get()?.sum ?? null,
  state: client
    .query<NonNullable<StoredLedger["state"]>, []>(
      `SELECT transaction_count AS count, last_id AS lastId, last_date AS lastDate, last_hash AS lastHash
       FROM ledger_state`,
    )
    .get(),
})
