import type { LedgerStore } from "../../../domain/store.ts"
import type { ObserveCommit } from "../../opening.ts"
import { type Posting, postsThrough } from "../../postings.ts"
import type { Connection } from "../database/connection.ts"
import { createEntries } from "../history/entries.ts"
import { createPages } from "../history/pages.ts"
import { createAfter } from "./after.ts"
import { createGroupCommit } from "./append.ts"
import { createKeys, createPruneKeys } from "./idempotency-keys.ts"

export interface SqliteLedger extends LedgerStore {
  /** Resolves when no posting waits for a commit any more. */
  drained(): Promise<void>
}

export function createLedgerStore(connection: Connection, onCommit?: ObserveCommit): SqliteLedger {
  const { client } = connection
  const commit = observed(createGroupCommit(connection), onCommit)
  const page = createPages(connection)
  const keys = createKeys(client)
  const pruneKeys = createPruneKeys(connection)
  const listeners = new Set<() => void>()
  let waiting: Posting[] = []

  const after = createAfter(connection)
  const last = client.prepare<{ id: number }, []>("SELECT last_id AS id FROM ledger_state")

  /** Everything that waits shares one transaction and one sync. */
  const flush = () => {
    const batch = waiting
    waiting = []
    if (commit(batch)) for (const listener of listeners) listener()
  }

  const join = (posting: Posting) => {
    // Two ticks: the first gathers the requests of this tick, the second those that follow from the answers just sent.
    if (waiting.length === 0) setImmediate(() => setImmediate(flush))
    waiting.push(posting)
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
      while (waiting.length > 0) await new Promise(setImmediate)
    },
  }
}

type Commit = ReturnType<typeof createGroupCommit>

/** The same commit, reported to `observe`. Costs nothing without an observer. */
function observed(commit: Commit, observe: ObserveCommit | undefined): Commit {
  if (observe === undefined) return commit
  return (batch) => {
    const started = performance.now()
    const appended = commit(batch)
    const entries = batch.reduce((count, { entries }) => count + entries.length, 0)
    observe({ entries, ms: performance.now() - started })
    return appended
  }
}
