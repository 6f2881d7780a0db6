import { DatabaseDamaged } from "../../domain/damage.ts"
import type { StreamEntry } from "../../domain/ledger/model.ts"
import type { LedgerStore } from "../../domain/ledger/ports.ts"
import type { Store } from "../../domain/store.ts"
import { nextTick } from "../../domain/ticks.ts"
import { forEverybody } from "../../support/requester.ts"
import { type Database, one } from "../database.ts"
import { createVersions, gatherByTick, type Versions } from "../gather.ts"
import type { ObserveCommit } from "../open-store.ts"
import { fields, list, select, sql } from "../sql.ts"
import { transactions, users } from "../tables.ts"
import { createGroupCommit } from "./append.ts"
import { createEntries } from "./entries.ts"
import { createPages, lastIdQuery, transactionColumns, withUsers } from "./history.ts"
import { createHoldings } from "./holdings.ts"
import { createFindReplay } from "./idempotency-keys.ts"
import type { Posting } from "./locked-ledger.ts"
import { type Join, type Outcome, postsThrough, sharing, transactionsIn } from "./postings.ts"

/** The most transactions of one batch, so that no batch locks the ledger for long. A posting with more is a batch of its own. */
export const mostAtOnce = 512

type Ledger = Store["ledger"] & {
  /** Resolves when no posting waits for a commit any more. */
  drained(): Promise<void>
}

export interface LedgerOptions {
  readonly onCommit?: ObserveCommit | undefined
  /** Calls `tell` when another process may have appended. Returns a function to stop. Absent: nobody tells. */
  readonly listen?: ((tell: () => void) => () => Promise<void>) | undefined
}

/** All waiting postings share one transaction and one sync. Those that come meanwhile share the next. */
export function createLedgerStore(
  db: Database,
  { onCommit, listen, versions = createVersions(db) }: LedgerOptions & { readonly versions?: Versions } = {},
): Ledger {
  const commit = createGroupCommit(db)
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const waiting: Posting[] = []
  let running: Promise<void> | null = null
  let stopListening: (() => Promise<void>) | null = null

  const join: Join = (kind, options = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...kind, options, since: Bun.nanoseconds(), resolve, reject })
      running ??= forEverybody(run)
    })

  async function run() {
    try {
      while (waiting.length > 0) await commitNext()
    } finally {
      // Also after a listener has thrown: nobody else would commit what waits.
      running = waiting.length > 0 ? forEverybody(run) : null
    }
  }

  async function commitNext() {
    // Two ticks: the first gathers the requests of this tick, the second those that follow from the answers just sent.
    await nextTick()
    await nextTick()
    const started = performance.now()
    const batch = waiting.splice(0, sharing(waiting, mostAtOnce))
    const { outcomes, hasAppended } = await commit(batch)
    for (const [index, posting] of batch.entries()) settle(posting, outcomes[index])
    if (hasAppended) tell()
    onCommit?.({ entries: transactionsIn(batch), ms: performance.now() - started })
  }

  // Both streams ask after each commit. One read answers both.
  const lastId = gatherByTick<"last", number>(async () => new Map([["last", (await one(db, lastIdQuery)).id]]))

  return {
    ...postsThrough(join),
    findReplay: createFindReplay(db),
    ...createEntries(db),
    ...createPages(db, versions),
    ...createHoldings(db),
    after: createAfter(db),
    lastId: async () => (await lastId("last")) ?? 0,
    onAppend(listener) {
      listeners.add(listener)
      stopListening ??= listen?.(tell) ?? null
      return () => listeners.delete(listener)
    },
    async drained() {
      while (running !== null) await running
      await stopListening?.()
    },
  }
}

function settle({ resolve, reject }: Posting, outcome: Outcome | undefined) {
  if (outcome === undefined) reject(new Error("a posting was not decided"))
  else if ("refusal" in outcome) reject(outcome.refusal)
  else resolve(outcome.posted)
}

const { id, kind, date, value, receiverId, senderId, group, addsTo } = transactionColumns
const streamed = fields({
  ...{ id, kind, date, value, receiverId, senderId, group, addsTo },
  receiverName: sql<string>`receiver.name`,
  senderName: sql<string>`sender.name`,
})

const thanked = fields({ groupId: transactions.groupId, userId: users.id, name: users.name })

/**
 * `LedgerStore.after`. Ids are given inside the lock of the ledger, so a reader sees them in order and without gaps; a page with
 * a gap, from a damaged database, throws.
 */
function createAfter(db: Database): LedgerStore["after"] {
  return async (after, limit) => {
    const [entries, [end]] = await db.snapshot([
      select(streamed)`FROM ${withUsers}
        WHERE ${transactions.id} > ${after} AND ${transactions.id} <= ${after + limit} ORDER BY ${transactions.id}`,
      lastIdQuery,
    ])
    if (entries.length < Math.min(limit, (end?.id ?? 0) - after))
      throw new DatabaseDamaged(`a transaction after ${after} is missing`)
    const groups = entries.flatMap(({ id, group }) => (group === id ? [id] : []))
    const receivers = groups.length === 0 ? new Map() : await receiversIn(groups)
    return entries.map((entry): StreamEntry => ({ ...entry, receivers: receivers.get(entry.id) ?? null }))
  }

  async function receiversIn(groups: readonly number[]) {
    const found = await db.all(select(thanked)`FROM ${list("asked", groups, "bigint")}
      CROSS JOIN ${transactions} JOIN ${users} ON ${users.id} = ${transactions.userId}
      WHERE ${transactions.groupId} = asked.value ORDER BY ${transactions.id}`)
    return Map.groupBy(found, ({ groupId }) => groupId)
  }
}
