import type { IdempotencyKey } from "../../domain/idempotency/ports.ts"
import type { Balances, PostResult, Transaction } from "../../domain/ledger/model.ts"
import type { StoredPockets } from "../../domain/ledger/pockets.ts"
import type { PostOptions } from "../../domain/ledger/ports.ts"
import type { SQL } from "../sql.ts"
import type { OpenLedger } from "./chain.ts"

/** A user's account while the ledger is locked. */
export interface LockedAccount extends StoredPockets {
  isActive: boolean
  /** How many requests that send points the user made in the window that ends at `requestsUntil`. */
  requests: number
  requestsUntil: number
}

/** The ledger while its lock is held. Everything that is done here is written in one commit. */
export interface LockedLedger extends OpenLedger<LockedAccount> {
  /** The first row of a query that the posting `needs`; null when there is none. */
  rowOf<Row>(query: SQL<Row>): Row | null
  /** Null when the key is unused. It may have expired. */
  keyOf(ownerId: number, key: string): StoredKey | null
  remember(key: StoredKey): void
  /** Runs a statement behind the inserts of the transactions so far. */
  send(query: SQL): void
}

/** An idempotency key with the result of its request. */
export interface StoredKey extends IdempotencyKey, Omit<PostResult, "replayed"> {
  readonly ownerId: number
}

/** What is read for a posting besides accounts. */
interface Needs {
  /** Postings with one of these in common never share a commit: PostgreSQL runs the queries of a batch before it is decided. */
  readonly exclusive: readonly string[]
  /** `LockedLedger.rowOf` has the first row of each. */
  readonly queries: readonly SQL[]
}

/** What a kind of posting does under the lock, in this order. */
export interface Kind {
  readonly senderId: number
  /** One for each transaction, in their order. */
  readonly receiverIds: readonly number[]
  readonly date: number
  readonly needs?: Needs
  /** The result of an earlier request, which this one repeats; null when there is none. Throws to refuse the posting. */
  replay?(ledger: LockedLedger): PostResult | null
  /** Throws to refuse the posting. Looks up everybody who takes part: an unknown user must not fail the whole batch. */
  check(ledger: LockedLedger): void
  /** Appends the transactions to the receivers from `from` up to `to`, which is not included. */
  append(ledger: LockedLedger, from: number, to: number): readonly Transaction[]
  /** Writes what else belongs into the commit. */
  after?(ledger: LockedLedger, transactions: readonly Transaction[]): void
}

/** What checks are told of the sender and one receiver. */
export function balancesIn(ledger: LockedLedger, senderId: number, receiverId: number): Balances {
  const { balance, earned } = ledger.accountOf(senderId)
  return { sender: balance, receiver: ledger.accountOf(receiverId).balance, budget: Math.max(0, balance - earned) }
}

/** The kind with more queries. */
export const withQueries = (kind: Kind, exclusive: string, ...queries: readonly SQL[]): Kind => ({
  ...kind,
  needs: {
    exclusive: [...(kind.needs?.exclusive ?? []), exclusive],
    queries: [...(kind.needs?.queries ?? []), ...queries],
  },
})

/** A request that waits for the next commit. Its transactions are appended together, or it is refused. */
export interface Posting extends Kind {
  readonly options: PostOptions
  /** Since when it waits (`Bun.nanoseconds()`). */
  readonly since: number
  readonly resolve: (posted: PostResult) => void
  readonly reject: (reason: unknown) => void
}
