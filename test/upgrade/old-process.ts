import { movePoints } from "../../src/domain/ledger/pockets.ts"
import { hashOf } from "../../src/storage/ledger/chain.ts"
import { clientOf } from "../support/postgres.ts"

/** The row of `ledger_state`. */
interface End {
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
  readonly revision: string
}

/** What it reads and writes of an account, in the order of `saveLedger`. */
const fields = [
  ...(["userId", "balance", "earned", "earnedGiven", "receivedCount", "sentCount", "selfCount"] as const),
  ...(["requests", "requestsUntil"] as const),
]
type Account = Record<(typeof fields)[number], number>

/**
 * A process of 0.1.0 on PostgreSQL that still sends points: the statements of its src/storage/postgres/ledger/append.ts and
 * open-batch.ts, word for word.
 */
export function oldProcess(url: string) {
  const client = clientOf({ url })
  let known: End | null = null

  return {
    /** One transfer. Returns whether the ledger was as this process had left it. */
    async send(senderId: number, receiverId: number, value: number): Promise<boolean> {
      let attempts = 0
      await client.transaction(async ({ query, send }) => {
        attempts += 1
        const expected = attempts === 1 ? known : null
        const [end] = expected
          ? [expected]
          : await query<End>(`SELECT last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash", revision
              FROM ledger_state FOR UPDATE`)
        if (expected) send("SELECT lock_ledger($1)", [expected.revision])
        const accounts = await query<Account>(readAccounts, [[senderId, receiverId]])
        const [sender, receiver] = [senderId, receiverId].map((id) => accounts.find(({ userId }) => userId === id))
        if (!end || !sender || !receiver) throw new Error("there is no ledger, or no account")
        movePoints({ kind: "transfer", value, originalKind: null }, sender, receiver)
        sender.sentCount += 1
        receiver.receivedCount += 1
        const row = {
          id: end.lastId + 1,
          kind: "transfer",
          senderId,
          receiverId,
          value,
          date: end.lastDate + 1,
        } as const
        const none = { reverses: null, group: null, addsTo: null, commitment: null }
        const hash = hashOf(end.lastHash, { ...row, ...none })
        const revision = crypto.randomUUID()
        const columns = [[row.id], [receiverId], [senderId], [value], [row.date], ["transfer"], [null], [null], [null]]
        send(insertTransactions, [...columns, [hash]])
        const saved = [sender, receiver]
        send(saveLedger, [
          ...[1, row.id, row.date, hash, revision, [senderId], [receiverId]],
          ...fields.map((field) => saved.map((account) => account[field])),
        ])
        known = { lastId: row.id, lastDate: row.date, lastHash: hash, revision }
      })
      return attempts === 1
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const readAccounts = `
  SELECT user_id AS "userId", true AS "isStored",
    NOT EXISTS (SELECT FROM users WHERE id = user_id AND deactivated_at IS NOT NULL) AS "isActive",
    value AS balance, earned, earned_given AS "earnedGiven", received_count AS "receivedCount", sent_count AS "sentCount", self_count AS "selfCount",
    requests, requests_until AS "requestsUntil"
  FROM balances WHERE user_id = ANY($1::bigint[])`

const insertTransactions = `
  INSERT INTO transactions (id, user_id, from_id, value, date, kind, reverses, group_id, commitment, hash)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[],
    $8::bigint[], $9::bytea[], $10::bytea[])`

const saveLedger = `
  WITH counted AS (
    INSERT INTO pairs (from_id, user_id, count)
    SELECT from_id, user_id, count(*) FROM unnest($6::bigint[], $7::bigint[]) AS sent (from_id, user_id)
    GROUP BY from_id, user_id
    ON CONFLICT (from_id, user_id) DO UPDATE SET count = pairs.count + excluded.count
  ), saved AS (
    UPDATE balances SET value = changed.value, earned = changed.earned, earned_given = changed.earned_given, received_count = changed.received_count, sent_count = changed.sent_count,
      self_count = changed.self_count, requests = changed.requests, requests_until = changed.requests_until
    FROM unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
      $15::bigint[], $16::bigint[])
      AS changed (user_id, value, earned, earned_given, received_count, sent_count, self_count, requests, requests_until)
    WHERE balances.user_id = changed.user_id
  ), recorded AS (
    INSERT INTO recent_batches (place, revision) SELECT batch_count % 8192, $5 FROM ledger_state
    ON CONFLICT (place) DO UPDATE SET revision = excluded.revision
  )
  UPDATE ledger_state SET batch_count = batch_count + 1, transaction_count = transaction_count + $1, last_id = $2, last_date = $3, last_hash = $4,
    revision = $5`
