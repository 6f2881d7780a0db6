import type { LedgerStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { ledgerState } from "../database/schema.ts"
import { createPages } from "../history/pages.ts"
import { createAfter } from "./after.ts"
import { createBatch, type Posting } from "./batch.ts"
import { createKeys, createPruneKeys } from "./idempotency-keys.ts"
import { type ObserveCommit, observed } from "./observed.ts"

export interface SqliteLedger extends LedgerStore {
  /** Resolves when no entry waits any more. */
  settled(): Promise<void>
}

export function createLedgerStore(connection: Connection, onCommit?: ObserveCommit): SqliteLedger {
  const { client, db } = connection
  const postBatch = observed(createBatch(connection), onCommit)
  const page = createPages(connection)
  const keys = createKeys(client)
  const pruneKeys = createPruneKeys(connection)
  const listeners = new Set<() => void>()
  let waiting: Posting[] = []

  const after = createAfter(connection)
  const last = db.select({ id: ledgerState.lastId }).from(ledgerState).prepare()

  /** Group commit: what was asked for in the meantime shares one transaction and one sync. */
  const flush = () => {
    const batch = waiting
    waiting = []
    const appended = postBatch(batch)
    if (appended) for (const listener of listeners) listener()
  }

  const join = (posting: Posting) => {
    // Two turns of the event loop gather what one turn's requests ask for, and what their answers bring next.
    if (waiting.length === 0) setImmediate(() => setImmediate(flush))
    waiting.push(posting)
  }

  return {
    post: (entry, check, idempotencyKey, audit) =>
      new Promise((resolve, reject) => {
        join({
          entries: [entry],
          check: (balanceOf) => check({ sender: balanceOf(entry.senderId), receiver: balanceOf(entry.receiverId) }),
          idempotencyKey,
          audit,
          resolve: ({ transactions: [transaction], replayed }) => transaction && resolve({ ...transaction, replayed }),
          reject,
        })
      }),
    postAll: (entries, check, idempotencyKey, audit) =>
      new Promise((resolve, reject) => join({ entries, check, idempotencyKey, audit, resolve, reject })),
    findReplay: async (senderId, idempotencyKey, now) => keys.find(senderId, idempotencyKey, now),
    pruneKeys,
    page,
    after: async (id, limit) => after(id, limit),
    lastId: async () => last.get()?.id ?? 0,
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async settled() {
      while (waiting.length > 0) await new Promise(setImmediate)
    },
  }
}
