import type { StreamEntry } from "../../../domain/ledger/model.ts"
import type { LedgerStore } from "../../../domain/ledger/ports.ts"
import type { Posting } from "../../ledger/locked-ledger.ts"
import { postsThrough, sharing } from "../../ledger/postings.ts"
import type { ObserveCommit } from "../../open-store.ts"
import type { Client } from "../database/client.ts"
import { gatherByTick } from "../database/gather.ts"
import { createPages, transactionColumns } from "../history.ts"
import { createGroupCommit } from "./append.ts"
import { createEntries } from "./entries.ts"
import { createFindReplay } from "./idempotency-keys.ts"
import { mostGiven } from "./most-given.ts"

/** The most transactions of one batch, so that no batch locks the ledger for long. A posting with more is a batch of its own. */
const mostAtOnce = 1000

/** The channel on which the database notifies of appended transactions (drizzle/postgres/0000_init.sql). */
const channel = "rewards_ledger"

interface PostgresLedger extends LedgerStore {
  /** Resolves when no posting waits for a commit any more. */
  drained(): Promise<void>
}

export function createLedgerStore(client: Client, onCommit?: ObserveCommit): PostgresLedger {
  const { commit, decideAhead } = createGroupCommit(client)
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const waiting: Posting[] = []
  const underway = new Set<Promise<void>>()
  let running: Promise<void> | null = null

  const join = (posting: Posting) => {
    waiting.push(posting)
    running ??= run()
  }

  async function run() {
    await new Promise(setImmediate) // gathers the requests of this tick
    while (waiting.length > 0) {
      const next = Promise.withResolvers<void>()
      const batch = nextBatch()
      waiting.splice(0, batch.length)
      const done = commit(batch, {
        follows: underway.size > 0,
        onInserted: () => decideAhead(nextBatch()),
        onNext: next.resolve,
        onCommit,
      })
      underway.add(done)
      void done.then(() => underway.delete(done))
      await next.promise
    }
    running = null
  }

  /** The postings that the next batch would have if it began now. */
  function nextBatch(): readonly Posting[] {
    return waiting.slice(0, sharing(waiting, mostAtOnce))
  }

  // Both streams ask after each commit. One read answers both.
  const lastId = gatherByTick<"last", number>(async () => {
    const rows = await client.query<{ id: number }>("SELECT last_id AS id FROM ledger_state")
    return new Map(rows.map(({ id }) => ["last", id]))
  })

  let stopListening: (() => Promise<void>) | null = null

  return {
    ...postsThrough(join, mostGiven),
    findReplay: createFindReplay(client),
    ...createEntries(client),
    ...createPages(client),
    after: createAfter(client),
    lastId: async () => (await lastId("last")) ?? 0,
    onAppend(listener) {
      listeners.add(listener)
      stopListening ??= client.listen(channel, tell, tell)
      return () => listeners.delete(listener)
    },
    async drained() {
      await running
      await Promise.all(underway)
      await stopListening?.()
    },
  }
}

/** `LedgerStore.after`. Ids are given inside the lock of the ledger, so a reader sees them in order and without gaps. */
function createAfter(client: Client): LedgerStore["after"] {
  return (id, limit) =>
    client.query<StreamEntry>(
      `SELECT ${transactionColumns}, receiver.name AS "receiverName", sender.name AS "senderName",
         CASE WHEN t.group_id = t.id THEN (
           SELECT jsonb_agg(jsonb_build_object('userId', u.id, 'name', u.name) ORDER BY o.id)
           FROM transactions o JOIN users u ON u.id = o.user_id WHERE o.group_id = t.id
         ) END AS receivers
       FROM transactions t JOIN users receiver ON receiver.id = t.user_id JOIN users sender ON sender.id = t.from_id
       WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
      [id, limit],
    )
}
