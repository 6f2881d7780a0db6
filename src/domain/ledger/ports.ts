import type { AuditEntry } from "../audit/ports.ts"
import type { IdempotencyKey } from "../idempotency/ports.ts"
import type { Page } from "../paging.ts"
import type { BalanceOf } from "../people/model.ts"
import type {
  Balances,
  EntryQuery,
  HistoryPageQuery,
  Holding,
  MostToOne,
  Movement,
  NewTransaction,
  PostResult,
  Reference,
  RequestLimit,
  StreamEntry,
  Transaction,
  TransactionEntry,
  TransactionRecord,
} from "./model.ts"

/** Options of `post` and similar methods. They take effect in the same commit. */
export interface PostOptions {
  /**
   * When the key's owner (by default the sender) has used it and it has not expired by the transaction's `date`, the
   * request is a replay.
   */
  readonly idempotencyKey?: IdempotencyKey | undefined
  /** When the sender has used it for the same request, however long ago, the request is a replay. */
  readonly reference?: Reference | undefined
  readonly audit?: AuditEntry | undefined
  /**
   * How many requests the sender may make in a window of time, over all processes. Every request counts, including
   * refused ones and replays. Beyond the limit, only replays are answered. A window whose end is more than two
   * window lengths ahead was begun by a wrong clock, and counts as over.
   */
  readonly limit?: RequestLimit | undefined
  /**
   * Bounds the points of transfers and grants from the sender to each receiver, less what was taken back. What senders send
   * to themselves does not count.
   */
  readonly mostToOne?: MostToOne | undefined
}

/** The ledger: append-only, with the balances that follow from it. */
export interface LedgerStore {
  /**
   * Locks the ledger, runs `check` on both balances, appends the transaction and updates both balances: all or nothing.
   *
   * If `check` throws, this transaction alone is refused and stores nothing, apart from the count of requests
   * (`limit`). The same happens when the sender or receiver has left (`checkStillActive`). A `date` earlier than the
   * last transaction's is replaced by that date, so that the order by date is the order by id. The `check` of a
   * reversal also gets how many points earlier reversals of the same transaction moved back. A replay posts nothing;
   * the result is the transaction of the first request, without its note, which the caller knows.
   * @throws DomainError `key_reused` and `reference_reused` when key or reference was used for another request;
   *   `too_many_transfers` beyond the limit; `most_to_one` beyond what one person may get; `bad_credentials` when the sender has left, `user_not_found` when the receiver
   *   has
   */
  post(
    transaction: NewTransaction,
    check: (balances: Balances, reversed: number) => void,
    options?: PostOptions,
  ): Promise<Transaction & Pick<PostResult, "replayed">>
  /**
   * Like `post`, for several transactions of one sender: appends all of them, adjacent and in this order, or none.
   * `check` gets the balance of everyone who takes part, and the sender's budget.
   */
  postAll(
    transactions: readonly NewTransaction[],
    check: (balanceOf: BalanceOf, budget: number) => void,
    options?: PostOptions,
  ): Promise<PostResult>
  /**
   * Like `postAll`, for transfers that add points to an entry of the feed (`addsTo`). `thankedBy`: the transfers of the entry
   * to the same receivers.
   * @throws DomainError `taken_back` when reversals have moved back all points of one of `thankedBy`
   */
  addPoints(
    transfers: readonly NewTransaction[],
    thankedBy: readonly number[],
    check: (balanceOf: BalanceOf, budget: number) => void,
    options?: Omit<PostOptions, "audit">,
  ): Promise<PostResult>
  /** Like `post`, for the last transaction of a sender who leaves: the same commit deactivates the sender's account and
   *  ends all sessions and tokens. */
  postLast(transaction: NewTransaction, check: (balances: Balances) => void, audit?: AuditEntry): Promise<Transaction>
  /**
   * The result of the first request under this key; null when the key is unused or has expired by `now`.
   * @throws DomainError `key_reused`, as `post`
   */
  findReplay(senderId: number, idempotencyKey: IdempotencyKey, now: number): Promise<PostResult | null>

  /** Null when there is none with this id. */
  entry(id: number): Promise<TransactionEntry | null>
  /** Those with these ids, as of one moment, newest first; ids without one are left out. */
  entriesWith(ids: readonly number[]): Promise<TransactionEntry[]>
  /** Newest first, at most `limit`. */
  entries(query: EntryQuery): Promise<TransactionEntry[]>
  /** One page of the history, with the exact total. */
  page(query: HistoryPageQuery): Promise<Page<TransactionRecord>>
  /** The same of what this user sent or received, with the user's balance at that moment. */
  pageWithBalance(
    userId: number,
    query: HistoryPageQuery,
  ): Promise<Page<TransactionRecord> & { readonly balance: number }>
  /** Transactions with a higher id, ascending, at most `limit`. Once an id was returned, no lower one appears later. */
  after(id: number, limit: number): Promise<StreamEntry[]>
  /** 0 for an empty ledger. */
  lastId(): Promise<number>
  /** Everybody who holds points, ascending by id, `admin` included; with the date of the last transaction. */
  holdings(signal?: AbortSignal): Promise<{ readonly holdings: readonly Holding[]; readonly lastDate: number }>
  /** Transactions with a higher id, ascending, at most `limit`. */
  movementsAfter(id: number, limit: number, signal?: AbortSignal): Promise<readonly Movement[]>
  /** Calls `listener` soon after each commit of this process that appended transactions. Returns a function to stop. */
  onAppend(listener: () => void): () => void
}

/** What requests with references have sent. The ledger stores them: `PostOptions.reference`. */
export interface ReferenceStore {
  /**
   * The result of the sender's first request with this reference; null when it is unused.
   * @throws DomainError `reference_reused`, as `LedgerStore.post`
   */
  findReplay(senderId: number, reference: Reference): Promise<PostResult | null>
  /** The transactions of each request with this name, newest first. They are adjacent, from `first` to `last`. */
  requests(query: RequestQuery): Promise<readonly { readonly first: number; readonly last: number }[]>
  /** The names that these transactions have, by their ids. */
  namesOf(transactionIds: readonly number[]): Promise<ReadonlyMap<number, string>>
}

interface RequestQuery {
  /** Of a reference. */
  readonly name: string
  /** Absent: requests of everybody. */
  readonly senderId?: number | undefined
  /** Only requests whose first transaction has an id below this one. */
  readonly before?: number | undefined
  readonly limit: number
}
