import { one, type Reads } from "../database.ts"
import { fields, select, sql } from "../sql.ts"
import { balances, erasures, ledgerState, notes, occasions, pairs, transactions, users } from "../tables.ts"
import { type Anchoring, createAnchorCheck } from "./anchor.ts"
import {
  createAdditionsCheck,
  createBalancesCheck,
  createChainCheck,
  createCountersCheck,
  createCountsCheck,
  createGroupsCheck,
  createNotesCheck,
  createOrderCheck,
  createReversalsCheck,
} from "./ledger-checks.ts"
import {
  type AddedTo,
  addedTo,
  addedToOccasion,
  balance,
  type LedgerCheck,
  type LedgerRow,
  ledgerColumns,
  ledgerEnd,
  type Reversed,
  type ReversedBy,
  reversed,
  type StoredLedger,
} from "./ledger-rows.ts"

/** Something in the database that is damaged, missing, or contradicts the rest. */
export interface Damage {
  /** The name of the check, such as `balances`. */
  readonly check: string
  /** One sentence without full stop. */
  readonly fault: string
}

export interface Verification {
  /** Number of transactions; null when the database is too damaged to count them. */
  readonly transactions: number | null
  readonly findings: readonly Damage[]
}

/** Called from time to time with the number of transactions read so far. */
export type OnProgress = (transactions: number) => void

/** One fault can make every later transaction look wrong. Further findings of the same check are only counted. */
export const maxListed = 100

/** The garbage collector does not know how large the hashes of discarded rows are, so it is run after so many rows. */
const rowsBetweenCollections = 2000
const rowsBetweenReports = 250_000

interface LedgerRequest {
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}

/** Runs all checks that need every transaction, on one reading. The memory does not grow with the number of transactions. */
export async function* ledgerFaults(
  reads: Reads,
  { onProgress = () => {}, anchoring }: LedgerRequest,
): AsyncGenerator<Damage> {
  const originals = new Map<number, Reversed>()
  const reversedBy: ReversedBy = (id) => originals.get(id)
  const entries = new Map<number, AddedTo>()
  const checks: LedgerCheck[] = [
    createOrderCheck(),
    createBalancesCheck(reversedBy),
    createCountsCheck(),
    createChainCheck(),
    createNotesCheck(),
    createReversalsCheck(reversedBy),
    createGroupsCheck(),
    createAdditionsCheck((id) => entries.get(id)),
    createCountersCheck(),
    ...(anchoring ? [createAnchorCheck(anchoring)] : []),
  ]
  const counts = new Map<string, number>()
  let seen = 0

  for await (const page of inPages((after) => reads.all(ledgerAfter(after)))) {
    originals.clear()
    if (page.some(({ reverses }) => reverses !== null))
      for (const { id, ...original } of await reads.all(originalsIn(page))) originals.set(id, original)
    entries.clear()
    if (page.some(({ addsTo }) => addsTo !== null))
      for (const entriesOf of [entriesIn, occasionsIn])
        for (const { id, ...entry } of await reads.all(entriesOf(page))) entries.set(id, entry)
    for (const row of page) {
      for (const { name, see } of checks) {
        const fault = see(row)
        if (fault !== null) yield* report(name, `transaction ${row.id}: ${fault}`)
      }
      seen += 1
      if (seen % rowsBetweenCollections === 0) Bun.gc(true)
      if (seen % rowsBetweenReports === 0) onProgress(seen)
    }
  }
  const stored = await storedIn(reads)
  for (const { name, end } of checks) for (const fault of end(stored)) yield* report(name, fault)
  for (const [check, count] of counts)
    if (count > maxListed) yield { check, fault: `there are ${count - maxListed} more of these` }
  yield* pairFaults(reads)

  function* report(check: string, fault: string): Generator<Damage> {
    const count = (counts.get(check) ?? 0) + 1
    counts.set(check, count)
    if (count <= maxListed) yield { check, fault }
  }
}

/**
 * The stored number of transactions from one user to another. The database compares them, because there may be millions of
 * pairs.
 */
async function* pairFaults(reads: Reads): AsyncGenerator<Damage> {
  // One sort of both. Joining them would look for each of a million pairs in the whole ledger on SQLite.
  const rows = await reads.all(sql<{
    sender: number
    receiver: number
    stored: number
    count: number
  }>`SELECT from_id AS sender, user_id AS receiver, sum(stored)::bigint AS stored, sum(sent)::bigint AS count FROM (
      SELECT from_id, user_id, count AS stored, 0 AS sent FROM ${pairs}
      UNION ALL SELECT from_id, user_id, 0 AS stored, 1 AS sent FROM ${transactions}
    ) AS counted
    GROUP BY from_id, user_id HAVING sum(stored) <> sum(sent) ORDER BY from_id, user_id LIMIT ${maxListed}`)
  for (const { sender, receiver, stored, count } of rows)
    yield {
      check: "pairs",
      fault: `the count of what user ${sender} sent to user ${receiver} is ${stored} instead of ${count}`,
    }
}

/** Rows read at once: some 400 kB. */
export const pageLength = 1000

/** What makes each part of a schema, such as a table or an index, by kind and name. */
export type Schema = ReadonlyMap<string, string>

/** Parts of the schema that are missing, or other than this version makes them. */
export function* schemaChanges(found: Schema, expected: Schema): Generator<Damage> {
  for (const [name, text] of expected) {
    if (!found.has(name)) yield { check: "schema", fault: `${name} is missing` }
    else if (found.get(name) !== text) yield { check: "schema", fault: `${name} is not as this version makes it` }
  }
}

/** Pages of rows by id. The next page is requested while one is processed. */
export async function* inPages<Row extends { readonly id: number }>(
  rowsAfter: (id: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const pageAfter = (id: number) => {
    const page = rowsAfter(id)
    page.catch(() => {}) // it is awaited later
    return page
  }
  for (let next = pageAfter(0); ; ) {
    const page = await next
    const last = page.at(-1)
    if (last === undefined) return
    next = pageAfter(last.id)
    yield page
  }
}

const ledgerRow = fields(ledgerColumns)

const ledgerAfter = (id: number) => select(ledgerRow)`FROM ${transactions}
  LEFT JOIN ${notes} ON ${notes.transactionId} = ${transactions.id}
  LEFT JOIN ${erasures} ON ${erasures.transactionId} = ${transactions.id}
  WHERE ${transactions.id} > ${id} ORDER BY ${transactions.id} LIMIT ${pageLength}`

const originalsIn = (page: readonly LedgerRow[]) => select(reversed)`FROM ${transactions} AS reversal
  JOIN ${transactions} ON ${transactions.id} = reversal.reverses
  WHERE reversal.id >= ${page[0]?.id ?? 0} AND reversal.id <= ${page.at(-1)?.id ?? 0}`

const entriesIn = (page: readonly LedgerRow[]) => select(addedTo)`FROM ${transactions} AS addition
  JOIN ${transactions} ON ${transactions.id} = addition.adds_to
  WHERE addition.id >= ${page[0]?.id ?? 0} AND addition.id <= ${page.at(-1)?.id ?? 0}`

const occasionsIn = (page: readonly LedgerRow[]) => select(addedToOccasion)`FROM ${transactions} AS addition
  JOIN ${occasions} ON ${occasions.id} = -addition.adds_to
  WHERE addition.id >= ${page[0]?.id ?? 0} AND addition.id <= ${page.at(-1)?.id ?? 0}`

async function storedIn(reads: Reads): Promise<StoredLedger> {
  const [stored, sum, state] = await Promise.all([
    reads.all(select(balance)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
      ORDER BY ${users.id}`),
    one(reads, sql<{ sum: string | null }>`SELECT CAST(sum(${balances.value}) AS text) AS sum FROM ${balances}`),
    reads.first(select(ledgerEnd)`FROM ${ledgerState}`),
  ])
  return { balances: stored, sumOfBalances: sum.sum, state }
}
