import { nextTick } from "../../domain/ticks.ts"
import type { Database, Tx } from "../database.ts"
import { fields, type SQL, select, sql } from "../sql.ts"
import { ledgerState } from "../tables.ts"
import { keysIn, storedKeys } from "./idempotency-keys.ts"
import type { Posting } from "./locked-ledger.ts"
import {
  createLedgerCache,
  createOpenBatch,
  type Facts,
  type LedgerCache,
  readAccounts,
  type StoredEnd,
} from "./open-batch.ts"
import { decide, decideInSlices, type Outcome, sliceLength } from "./postings.ts"

const end = fields({
  lastId: ledgerState.lastId,
  lastDate: ledgerState.lastDate,
  lastHash: ledgerState.lastHash,
  revision: ledgerState.revision,
})

/** The result of a batch. */
interface Committed {
  /** Of each posting, in their order. */
  readonly outcomes: readonly Outcome[]
  /** Whether anything was appended. */
  readonly hasAppended: boolean
}

/**
 * Posts a batch in one transaction (group commit): reads under the lock what the batch concerns, decides by the rules, writes
 * and commits. The lock gives the batches of all processes one order, which is the order of their ids. Never rejects: the reason
 * why a batch was not committed is the refusal of each posting.
 *
 * While only this process appends, it knows what it would read. It then only expects the ledger to be as the last batch left
 * it, and reads when that is wrong.
 */
export function createGroupCommit(db: Database) {
  const cache = createLedgerCache()

  return async (batch: readonly Posting[]): Promise<Committed> => {
    let hasAppended = false
    let isFirstAttempt = true
    try {
      const outcomes = await db.write(
        async (tx) => {
          const known = isFirstAttempt ? cache.endFor(batch) : null
          isFirstAttempt = false
          const open = known === null ? await read(tx, batch, cache) : expected(tx, known, cache)
          const decided = await decideAll(batch, open)
          hasAppended = await open.write(tx)
          return decided
        },
        { since: batch[0]?.since },
      )
      return { outcomes, hasAppended }
    } catch (error) {
      cache.clear()
      return { outcomes: batch.map(() => ({ refusal: error })), hasAppended: false }
    }
  }
}

/** Decides the postings; one with many entries in time slices. */
async function decideAll(
  postings: readonly Posting[],
  open: ReturnType<typeof createOpenBatch>,
): Promise<readonly Outcome[]> {
  const [first, second] = postings
  if (!first || second || first.receiverIds.length <= sliceLength) return decide(postings, open)
  const slices = decideInSlices(first, open)
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return [slice.value]
    await nextTick()
  }
}

function expected(tx: Tx, known: StoredEnd, cache: LedgerCache) {
  tx.expect(sql`SELECT ${ledgerState.revision} FROM ${ledgerState} FOR UPDATE`, known.revision)
  return createOpenBatch(known, cache, noFacts)
}

const noFacts: Facts = { keys: new Map(), rows: new Map() }

/** Takes the lock, and reads in the same message what these postings need and what is not in memory. */
async function read(tx: Tx, postings: readonly Posting[], cache: LedgerCache) {
  const userIds = [...new Set(postings.flatMap(({ senderId, receiverIds }) => [senderId, ...receiverIds]))]
  const queries = postings.flatMap(({ needs }) => needs?.queries ?? [])
  const [found, accounts, keys, ...rows] = await Promise.all([
    tx.first(select(end)`FROM ${ledgerState} FOR UPDATE`),
    readAccounts(tx, userIds),
    storedKeys(tx, keysIn(postings)),
    ...queries.map(async (query): Promise<readonly [SQL, unknown]> => [query, await tx.first(query)]),
  ])
  if (found === null) throw new Error("the row of ledger_state is missing")
  cache.begin(found, accounts)
  return createOpenBatch(found, cache, { keys, rows: new Map(rows) })
}
