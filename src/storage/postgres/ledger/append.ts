import { nextTick } from "../../../domain/ticks.ts"
import type { Posting } from "../../ledger/locked-ledger.ts"
import { type Answer, decide, decideInSlices, sliceLength, transactionsIn } from "../../ledger/postings.ts"
import type { ObserveCommit } from "../../open-store.ts"
import type { Client, OpenTransaction, Queries } from "../database/client.ts"
import { readsOn } from "../database/database.ts"
import { keysIn, storedKeys } from "./idempotency-keys.ts"
import {
  createLedgerCache,
  createOpenBatch,
  type Facts,
  type LedgerCache,
  type OpenBatch,
  readAccounts,
  readNewAccounts,
  type StoredEnd,
} from "./open-batch.ts"

interface CommitOptions {
  /** Whether another batch of this process is on its way. */
  readonly follows: boolean
  /** Called when the transactions are inserted. */
  readonly onInserted: () => void
  /** Called when the next batch may begin. */
  readonly onNext: () => void
  readonly onCommit: ObserveCommit | undefined
}

/** The first postings of a batch, decided before the batch is taken. */
interface DecidedAhead {
  readonly first: Posting | undefined
  readonly open: OpenBatch
  readonly answers: readonly Answer[]
}

/** With fewer postings, deciding ahead is a net loss: 5 % of the transfers at 32 connections. */
const leastAhead = 32

/**
 * Posts a batch in one transaction of two round trips (group commit): the first takes the row lock of the ledger and
 * reads what the batch concerns, the second writes it and commits. The lock gives the batches of all processes one
 * order, which is the order of their ids. Every promise settles after the commit.
 *
 * While only this process appends, it knows what the first round trip would find. The next batch is then decided while
 * the server writes and commits the one before, and is sent behind it in one piece. The piece begins with the lock, and
 * fails if the ledger is not the one on which the batch was decided. The batch is then decided again.
 */
export function createGroupCommit(client: Client) {
  const chain = client.chain()
  const cache = createLedgerCache()
  let ahead: DecidedAhead | null = null

  return {
    commit,
    /**
     * Decides the first postings of the next batch, up to the first that needs to read something. Meanwhile the server
     * writes the batch before. While the rest is decided later, the server waits.
     */
    decideAhead(postings: readonly Posting[]) {
      const end = cache.end()
      if (end === null || postings.length < leastAhead) return
      const stop = postings.findIndex((posting) => !isInMemory(posting, cache))
      const open = createOpenBatch(end, cache)
      try {
        ahead = { first: postings[0], open, answers: decide(stop < 0 ? postings : postings.slice(0, stop), open) }
      } catch {
        ahead = null // what cannot be decided fails with its batch
      }
    },
  }

  async function commit(
    batch: readonly Posting[],
    { follows, onInserted, onNext, onCommit }: CommitOptions,
  ): Promise<void> {
    const began = performance.now()
    const decided = ahead?.first === batch[0] ? ahead : null
    let isFirstAttempt = true
    let revision: string | null = null
    let answers: readonly Answer[]
    try {
      answers = await chain.transaction(
        async (tx) => {
          const expected = follows && isFirstAttempt ? cache.end() : null
          isFirstAttempt = false
          const start = expected !== null && decided?.open.start === expected ? decided : null
          const undecided = batch.slice(start?.answers.length ?? 0)
          const { end, facts } = await read(tx, expected, undecided, cache)
          const open = start?.open ?? createOpenBatch(end, cache)
          open.add(facts)
          const answers = [...(start?.answers ?? []), ...(await decideAll(undecided, open))]
          revision = open.write(tx, { onInserted, onWritten: () => cache.end() !== null && onNext() })
          return answers
        },
        {
          since: batch[0]?.since ?? 0,
          isCommitted: async (queries) => revision !== null && isAppended(queries, revision),
        },
      )
    } catch (error) {
      answers = batch.map((posting) => () => posting.reject(error))
    }
    onNext()
    for (const answer of answers) answer()
    onCommit?.({ entries: transactionsIn(batch), ms: performance.now() - began })
  }
}

/** Decides the postings; one with many entries in time slices, while the server waits. */
async function decideAll(postings: readonly Posting[], open: OpenBatch): Promise<readonly Answer[]> {
  const [first, second] = postings
  if (!first || second || first.receiverIds.length <= sliceLength) return decide(postings, open)
  const slices = decideInSlices(first, open)
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return [slice.value]
    await nextTick()
  }
}

/** Whether the posting can be decided without reading anything. */
const isInMemory = ({ senderId, receiverIds, asks, options }: Posting, { has }: LedgerCache): boolean =>
  !(asks || options.idempotencyKey) && has(senderId) && receiverIds.every(has)

async function lock({ query }: OpenTransaction): Promise<StoredEnd> {
  const [end] = await query<StoredEnd>(
    `SELECT last_id AS "lastId", last_date AS "lastDate", last_hash AS "lastHash", revision
     FROM ledger_state FOR UPDATE`,
  )
  if (!end) throw new Error("the row of ledger_state is missing")
  return end
}

function lockAt({ send }: OpenTransaction, expected: StoredEnd): StoredEnd {
  send("SELECT lock_ledger($1)", [expected.revision])
  return expected
}

/** Whether the batch that leaves the ledger at this revision was committed. */
async function isAppended({ query }: Queries, revision: string): Promise<boolean> {
  await query("SELECT FROM ledger_state FOR UPDATE") // waits until the server has ended the batch, if that has the lock
  const [found] = await query("SELECT FROM recent_batches WHERE revision = $1", [revision])
  if (found !== undefined) return true
  // The network may still deliver the batch. The new revision then makes it fail.
  await query("UPDATE ledger_state SET revision = gen_random_uuid()")
  return false
}

/**
 * Takes the lock, and reads in the same round trip what these postings need and what is not in memory. `expected`: the
 * end that the ledger should have; null: any.
 */
async function read(
  tx: OpenTransaction,
  expected: StoredEnd | null,
  postings: readonly Posting[],
  cache: LedgerCache,
): Promise<{ readonly end: StoredEnd; readonly facts: Facts }> {
  const locking = expected === null ? lock(tx) : lockAt(tx, expected)
  const userIds = [...new Set(postings.flatMap(({ senderId, receiverIds }) => [senderId, ...receiverIds]))]
  const { first } = readsOn(tx)
  const [end, accounts, keys, answers] = await Promise.all([
    locking,
    readAccounts(tx, cache.toReadAhead(userIds)),
    storedKeys(tx, keysIn(postings)),
    Promise.all(
      postings.flatMap(({ asks }) =>
        (asks?.questions ?? []).map(async (question) => [question, await first(question)] as const),
      ),
    ),
  ])
  cache.begin(end)
  cache.add(accounts)
  cache.add(await readAccounts(tx, cache.missing(userIds)))
  cache.add(await readNewAccounts(tx, cache.missing(userIds)))
  return { end, facts: { keys, answers: new Map(answers) } }
}
