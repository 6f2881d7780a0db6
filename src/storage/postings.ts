import type {
  AuditEntry,
  BalanceOf,
  IdempotencyKey,
  NewTransaction,
  PostResult,
  RequestLimit,
} from "../domain/model.ts"
import type { LedgerStore } from "../domain/store.ts"

/** A request that waits for the next commit. Its entries are appended together or refused together. */
export interface Posting {
  readonly entries: readonly NewTransaction[]
  /** `reversedOf`: points that reversals have moved back of the transaction with this id. */
  readonly check: (balanceOf: BalanceOf, reversedOf: (id: number) => number) => void
  readonly idempotencyKey?: IdempotencyKey | undefined
  readonly audit?: AuditEntry | undefined
  readonly limit?: RequestLimit | undefined
  readonly resolve: (posted: PostResult) => void
  readonly reject: (reason: unknown) => void
}

/** The methods of the port that append: each hands a posting to `join`, which settles it after the commit. */
export function postsThrough(join: (posting: Posting) => void): Pick<LedgerStore, "post" | "postAll"> {
  return {
    post: (entry, check, idempotencyKey, audit, limit) =>
      new Promise((resolve, reject) => {
        join({
          entries: [entry],
          check: (balanceOf, reversedOf) =>
            check(
              { sender: balanceOf(entry.senderId), receiver: balanceOf(entry.receiverId) },
              entry.reverses === undefined ? 0 : reversedOf(entry.reverses),
            ),
          idempotencyKey,
          audit,
          limit,
          resolve: ({ transactions: [transaction], replayed }) => transaction && resolve({ ...transaction, replayed }),
          reject,
        })
      }),
    postAll: (entries, check, idempotencyKey, audit, limit) =>
      new Promise((resolve, reject) => join({ entries, check, idempotencyKey, audit, limit, resolve, reject })),
  }
}
