import type { Fold } from "./ledger.ts"

interface Counters {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
}

/** What is kept about the whole ledger is so: how many transactions there are, and which is the last. */
export function createCounters(): Fold {
  let count = 0
  let last = { id: 0, date: 0 }

  return {
    check: "counters",
    see(row) {
      count += 1
      last = row
      return null
    },
    *end({ client }) {
      const kept = client
        .query<Counters, []>(
          "SELECT transaction_count AS count, last_id AS lastId, last_date AS lastDate FROM ledger_state",
        )
        .get()
      if (!kept) return yield "the state of the ledger is missing"
      if (kept.count !== count) yield `the count of transactions is ${kept.count} instead of ${count}`
      if (kept.lastId !== last.id) yield `the last transaction is kept as ${kept.lastId} instead of ${last.id}`
      if (kept.lastDate !== last.date) yield `the last date is kept as ${kept.lastDate} instead of ${last.date}`
    },
  }
}
