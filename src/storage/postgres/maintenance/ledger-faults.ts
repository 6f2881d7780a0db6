import type { CountedTransaction } from "../../../domain/ledger/model.ts"
import type { VerifyRequest } from "../../maintenance.ts"
import type { StoredSnapshot } from "../../recognition/stored-snapshots.ts"
import {
  type Damage,
  type LedgerCheck,
  type LedgerRow,
  ledgerChecks,
  maxListed,
  type Reversed,
  readLedger,
  type StoredBalance,
  type StoredLedger,
} from "../../verify/ledger.ts"
import {
  createSnapshotsCheck,
  keyFault,
  keysWithoutTransactions,
  redemptionFault,
  redemptionsAgainstLedger,
} from "../../verify/tables.ts"
import type { Queries } from "../database/client.ts"
import { countedColumns, countedRows } from "../recognition/days.ts"

/** Rows read at once: some 2 MB. */
const pageLength = 5000

interface StoredAccount extends StoredBalance {
  readonly receivedCount: number
  readonly sentCount: number
  readonly selfCount: number
}

interface Stored extends StoredLedger {
  readonly accounts: readonly StoredAccount[]
}

export type VerifyOptions = Pick<VerifyRequest, "onProgress" | "anchoring">

/** Runs all checks that need every transaction, on one snapshot. */
export async function* ledgerFaults(
  queries: Queries,
  { onProgress, anchoring }: VerifyOptions,
): AsyncGenerator<Damage> {
  const reversed = new Map<number, Reversed>()
  const reading = readLedger<LedgerRow, Stored>(
    ledgerChecks(createCountsCheck(), (id) => reversed.get(id), anchoring),
    onProgress,
  )
  for await (const page of pages(queries, selectLedger)) {
    reversed.clear()
    if (page.some(({ reverses }) => reverses !== null)) {
      const rows = await queries.query<Reversed & { id: number }>(selectReversed, [
        page[0]?.id ?? 0,
        page.at(-1)?.id ?? 0,
      ])
      for (const { id, ...original } of rows) reversed.set(id, original)
    }
    for (const row of page) yield* reading.see(row)
  }
  yield* reading.end(await storedIn(queries))
}

const selectLedger = `
  SELECT t.id, t.user_id AS "receiverId", t.from_id AS "senderId", t.value, t.date, t.kind, t.reverses, t.group_id AS "group",
    t.commitment, t.hash, e.erased_at AS "erasedAt", n.salt, n.reason, n.tags, n.private AS "isPrivate"
  FROM transactions t LEFT JOIN notes n ON n.transaction_id = t.id LEFT JOIN erasures e ON e.transaction_id = t.id
  WHERE t.id > $1 ORDER BY t.id LIMIT $2`

const selectReversed = `
  SELECT r.id, o.kind, o.from_id AS "senderId", o.user_id AS "receiverId", o.value,
    (SELECT sum(value)::bigint FROM transactions WHERE reverses = o.id AND id <= r.id) AS reversed
  FROM transactions r JOIN transactions o ON o.id = r.reverses
  WHERE r.id BETWEEN $1 AND $2`

/** Pages of rows by id. The next page is requested while one is processed. */
async function* pages<Row extends { readonly id: number } = LedgerRow>(
  { query }: Queries,
  select: string,
): AsyncGenerator<readonly Row[]> {
  const pageAfter = (id: number) => {
    const page = query<Row>(select, [id, pageLength])
    page.catch(() => {}) // it is awaited later
    return page
  }
  for (let next = pageAfter(0); ; ) {
    const page = await next
    if (page.length === 0) return
    next = pageAfter(page.at(-1)?.id ?? 0)
    yield page
  }
}

async function storedIn({ query }: Queries): Promise<Stored> {
  const [accounts, [sum], [state]] = await Promise.all([
    query<StoredAccount>(
      `SELECT u.id AS "userId", u.username, b.value, b.earned, b.earned_given AS "earnedGiven",
         coalesce(b.received_count, 0) AS "receivedCount",
         coalesce(b.sent_count, 0) AS "sentCount", coalesce(b.self_count, 0) AS "selfCount"
       FROM users u LEFT JOIN balances b ON b.user_id = u.id ORDER BY u.id`,
    ),
    query<{ sum: string | null }>("SELECT sum(value)::text AS sum FROM balances"),
    query<NonNullable<StoredLedger["state"]>>(
      `SELECT transaction_count AS count, last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash"
       FROM ledger_state`,
    ),
  ])
  return { accounts, balances: () => accounts, sumOfBalances: sum?.sum ?? null, state: state ?? null }
}

interface Counts {
  received: number
  sent: number
  self: number
}

/** The stored number of transactions of each user, which is the total of the user's history. */
function createCountsCheck(): LedgerCheck<LedgerRow, Stored> {
  const seen = new Map<number, Counts>()
  const of = (userId: number) => {
    const counts = seen.get(userId) ?? { received: 0, sent: 0, self: 0 }
    seen.set(userId, counts)
    return counts
  }

  return {
    name: "counts",
    see({ senderId, receiverId }) {
      if (senderId === receiverId) of(senderId).self += 1
      else {
        of(senderId).sent += 1
        of(receiverId).received += 1
      }
      return null
    },
    *end({ accounts }) {
      for (const { userId, username, receivedCount, sentCount, selfCount } of accounts) {
        const { received, sent, self } = seen.get(userId) ?? { received: 0, sent: 0, self: 0 }
        for (const [what, stored, count] of [
          ["received", receivedCount, received],
          ["sent", sentCount, sent],
          ["sent to the own account", selfCount, self],
        ] as const)
          if (stored !== count) yield `the count of what ${username} ${what} is ${stored} instead of ${count}`
      }
    },
  }
}

interface PairRow {
  readonly sender: number
  readonly receiver: number
  readonly stored: number
  readonly count: number
}

/**
 * The stored number of transactions from one user to another. The server compares them, because there may be millions of
 * pairs.
 */
export async function* pairFaults({ query }: Queries): AsyncGenerator<Damage> {
  const rows = await query<PairRow>(`
    SELECT from_id AS sender, user_id AS receiver, coalesce(pairs.count, 0) AS stored, coalesce(sent.count, 0) AS count
    FROM pairs FULL JOIN (SELECT from_id, user_id, count(*) FROM transactions GROUP BY from_id, user_id) sent
      USING (from_id, user_id)
    WHERE pairs.count IS DISTINCT FROM sent.count
    ORDER BY from_id, user_id LIMIT ${maxListed}`)
  for (const { sender, receiver, stored, count } of rows)
    yield {
      check: "pairs",
      fault: `the count of what user ${sender} sent to user ${receiver} is ${stored} instead of ${count}`,
    }
}

export async function* keyFaults({ query }: Queries): AsyncGenerator<Damage> {
  const rows = await query<Parameters<typeof keyFault>[0]>(keysWithoutTransactions)
  for (const row of rows) yield keyFault(row)
}

export async function* redemptionFaults({ query }: Queries): AsyncGenerator<Damage> {
  const rows = await query<Parameters<typeof redemptionFault>[0]>(redemptionsAgainstLedger)
  for (const row of rows) yield redemptionFault(row)
}

/** Compares the stored snapshots with the transactions that they cover. */
export async function* leaderboardFaults(queries: Queries): AsyncGenerator<Damage> {
  const rows = await queries.query<StoredSnapshot>(
    `SELECT period AS of, time_zone AS "timeZone", starts_at AS "startsAt", through_id AS "throughId", totals FROM leaderboard_snapshots
     ORDER BY period`,
  )
  if (rows.length === 0) return
  const check = createSnapshotsCheck(rows)
  const select = `SELECT ${countedColumns} FROM ${countedRows} WHERE transactions.id > $1 ORDER BY transactions.id LIMIT $2`
  for await (const page of pages<CountedTransaction>(queries, select)) {
    if ((page[0]?.id ?? 0) > check.throughId) break
    for (const transaction of page) check.see(transaction)
  }
  yield* check.end()
}
