import type { LedgerStore } from "../../../domain/store.ts"
import type { ObserveCommit } from "../../open-store.ts"
import { type Posting, postsThrough } from "../../postings.ts"
import type { Connection } from "../database/connection.ts"
import { createPages } from "../history/pages.ts"
import { createAfter } from "./after.ts"
import { createGroupCommit } from "./append.ts"
import { createEntries } from "./entries.ts"
import { createKeys, createPruneKeys } from "./idempotency-keys.ts"

interface SqliteLedger extends LedgerStore {
  /** Resolves when no posting waits for a commit any more. */
  drained(): Promise<void>
}

export function createLedgerStore(connection: Connection, onCommit?: ObserveCommit): SqliteLedger {
  const { client } = connection
  const commit = createGroupCommit(connection)
  const page = createPages(connection)
  const keys = createKeys(client)
  const pruneKeys = createPruneKeys(connection)
  const listeners = new Set<() => void>()
  const waiting: Posting[] = []
  let flushing: Promise<void> | undefined

  const after = createAfter(connection)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")

  /** All waiting postings share one transaction and one sync. */
  const flush = async () => {
    const started = performance.now()
    const { answers, entries, appended } = await commit(waiting)
    flushing = undefined
    if (waiting.length > 0) flushSoon()
    for (const answer of answers) answer()
    if (appended) for (const listener of listeners) listener()
    onCommit?.({ entries, ms: performance.now() - started })
  }

  // Two ticks: the first gathers the requests of this tick, the second those that follow from the answers just sent.
  const flushSoon = () => {
    flushing ??= new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(flush()))))
  }

  const join = (posting: Posting) => {
    waiting.push(posting)
    flushSoon()
  }

  return {
    ...postsThrough(join),
    findReplay: async (senderId, idempotencyKey, now) => keys.find(senderId, idempotencyKey, now),
    pruneKeys,
    page,
    ...createEntries(connection),
    after: async (id, limit) => after(id, limit),
    lastId: async () => last.get()?.id ?? 0,
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async drained() {
      while (flushing !== undefined) await flushing
    },
  }
}
