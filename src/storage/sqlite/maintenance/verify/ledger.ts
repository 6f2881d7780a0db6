import type { Finding, Subject } from "../verify.ts"
import { createBalances } from "./balances.ts"
import { createChain } from "./chain.ts"
import { createCounters } from "./counters.ts"
import { createLists } from "./lists.ts"
import { createOrder } from "./order.ts"

/** A transaction as its row has it. */
export interface Row {
  readonly id: number
  readonly receiverId: number
  readonly senderId: number
  readonly value: number
  readonly date: number
  readonly userPrev: number
  readonly fromPrev: number
  readonly hash: Uint8Array
  /** Its note; the three are null where it has none. */
  readonly reason: string | null
  readonly tags: string | null
  readonly isPrivate: number | null
}

/** A check that sees each transaction once, in the order of ids, and then what is kept about all of them. */
export interface Fold {
  readonly check: string
  /** A fault of this transaction; null when it is sound. */
  see(row: Row): string | null
  end(subject: Subject): Iterable<string>
}

/** One fault can make each transaction behind it look wrong; so many of one check are told one by one. */
const maxTold = 100

/** The collector does not see how large the hashes of rows are that nobody needs any more. */
const rowsBetweenCollections = 10_000

const columns = `id, user_id AS receiverId, from_id AS senderId, value, date, user_prev AS userPrev, from_prev AS fromPrev,
  hash, reason, tags, private AS isPrivate`

/** Reads the ledger once, for all checks that need it whole. */
export function* ledgerFaults(subject: Subject): Generator<Finding> {
  const folds: readonly Fold[] = [
    createOrder(),
    createBalances(),
    createLists(subject),
    createChain(),
    createCounters(),
  ]
  const rows = subject.client.query<Row, []>(
    `SELECT ${columns} FROM transactions LEFT JOIN notes ON transaction_id = id ORDER BY id`,
  )
  const told = new Map<Fold, number>()

  for (const row of rows.iterate()) {
    for (const one of folds) {
      const fault = one.see(row)
      if (fault !== null) yield* tell(one, `transaction ${row.id}: ${fault}`)
    }
    if (row.id % rowsBetweenCollections === 0) Bun.gc(true)
  }
  for (const one of folds) for (const fault of one.end(subject)) yield* tell(one, fault)
  for (const [{ check }, count] of told)
    if (count > maxTold) yield { check, fault: `there are ${count - maxTold} more of these` }

  function* tell(one: Fold, fault: string): Generator<Finding> {
    const count = (told.get(one) ?? 0) + 1
    told.set(one, count)
    if (count <= maxTold) yield { check: one.check, fault }
  }
}
