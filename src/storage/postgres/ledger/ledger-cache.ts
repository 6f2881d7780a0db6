import type { LockedAccount } from "../../postings.ts"
import type { Queries } from "../database/client.ts"

export interface Account extends LockedAccount {
  readonly userId: number
  receivedCount: number
  sentCount: number
  selfCount: number
  /** Whether the account has a row in `balances`. */
  isStored: boolean
}

/** The row of `ledger_state`. */
export interface LedgerEnd {
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
  readonly revision: string
}

/** Accounts in memory, about 200 bytes each; beyond this number all are dropped. */
const maxAccounts = 20_000

export type LedgerCache = ReturnType<typeof createLedgerCache>

/**
 * The end of the ledger and the accounts as the last batch of this process found or left them. They are valid while the
 * ledger has the same revision. A batch that is still being written is included: if it fails, the next batch finds
 * another revision.
 */
export function createLedgerCache() {
  const accounts = new Map<number, Account>()
  let end: LedgerEnd | null = null
  let isShared = true

  const missing = (userIds: readonly number[]) => userIds.filter((userId) => !accounts.has(userId))

  return {
    /** The end; null while other processes append too, because it has probably changed by now. */
    end: () => (isShared ? null : end),

    /** The accounts to read together with the lock: the missing ones, or all while other processes append too. */
    toReadAhead: (userIds: readonly number[]): readonly number[] => (isShared ? userIds : missing(userIds)),

    /** Call this under the lock. Drops what is no longer valid. */
    begin(found: LedgerEnd) {
      isShared = found.revision !== end?.revision
      if (isShared || accounts.size > maxAccounts) accounts.clear()
      end = found
    },

    has: (userId: number): boolean => accounts.has(userId),
    missing,

    add(read: readonly Account[]) {
      for (const account of read) accounts.set(account.userId, account)
    },

    /** A copy of the account, which a batch may change. */
    copyOf(userId: number): Account | undefined {
      const account = accounts.get(userId)
      return account && { ...account }
    },

    /** Takes over what the batch that is being written leaves behind. */
    advance(left: LedgerEnd, changed: Iterable<Account>) {
      end = left
      for (const account of changed) accounts.set(account.userId, account)
    },
  }
}

const readerOf =
  (select: string) =>
  ({ query }: Queries, userIds: readonly number[]): Promise<readonly Account[]> =>
    userIds.length === 0 ? Promise.resolve([]) : query<Account>(select, [userIds])

/**
 * Reads, under the lock, the accounts of users who have a row in `balances`. Inactive users are found through their
 * small index, because a join to all users takes twice as long for each account.
 */
export const readAccounts = readerOf(`
  SELECT user_id AS "userId", true AS "isStored",
    NOT EXISTS (SELECT FROM users WHERE id = user_id AND deactivated_at IS NOT NULL) AS "isActive",
    value, received_count AS "receivedCount", sent_count AS "sentCount", self_count AS "selfCount",
    requests, requests_until AS "requestsUntil"
  FROM balances WHERE user_id = ANY($1::bigint[])`)

/** Reads the accounts of users who have no row in `balances` yet. */
export const readNewAccounts = readerOf(`
  SELECT id AS "userId", false AS "isStored", deactivated_at IS NULL AS "isActive", 0 AS value, 0 AS "receivedCount",
    0 AS "sentCount", 0 AS "selfCount", 0 AS requests, 0 AS "requestsUntil"
  FROM users WHERE id = ANY($1::bigint[])`)
