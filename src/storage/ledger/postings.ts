import type { RunSlice, Share } from "../../domain/allowances/model.ts"
import type { AuditEntry } from "../../domain/audit/ports.ts"
import { DomainError } from "../../domain/errors.ts"
import type { IdempotencyKey } from "../../domain/idempotency/ports.ts"
import type {
  BalanceOf,
  Balances,
  NewTransaction,
  Pockets,
  PostResult,
  RequestLimit,
  Transaction,
} from "../../domain/ledger/model.ts"
import type { StoredPockets } from "../../domain/ledger/pockets.ts"
import type { LedgerStore, PostOptions } from "../../domain/ledger/ports.ts"
import { checkStillActive } from "../../domain/people/leavers.ts"
import type { NewRedemption, RedemptionAnswer, RedemptionContext, Reward } from "../../domain/rewards/model.ts"

/** A request that waits for the next commit. Its entries are appended together or refused together. */
export interface Posting extends PostOptions {
  readonly entries: readonly NewTransaction[]
  /** `reversedOf` returns how many points of a transaction reversals have moved back. */
  readonly check: (balanceOf: BalanceOf, reversedOf: (id: number) => number) => void
  /**
   * Set when the entries pay a slice of a run: decides the value of each entry, and the same commit stores how far the run
   * has come.
   */
  readonly payment?: Payment | undefined
  /** The sender leaves: the same commit deactivates the account. */
  readonly deactivatesSender?: boolean
  /** Set when the only entry redeems a reward. The value of the entry is the cost of the reward. */
  readonly redemption?:
    | { readonly request: NewRedemption; readonly check: (context: RedemptionContext) => void }
    | undefined
  /** Set when the only entry refunds a redemption. */
  readonly refunds?: RedemptionAnswer | undefined
  readonly resolve: (posted: PostResult) => void
  readonly reject: (reason: unknown) => void
}

export const entriesIn = (batch: readonly Posting[]): number =>
  batch.reduce((count, { entries }) => count + entries.length, 0)

/** How a slice of an allowance's run is paid. */
interface Payment {
  readonly slice: RunSlice
  /** What the receiver of an entry gets and what expires. For 0, nothing is appended. */
  readonly shareOf: (receiver: Pockets, senderBalance: number) => Share
}

/** Another process has paid the slice. */
class SlicePaid extends Error {}

type Appending = Pick<LedgerStore, "post" | "postAll" | "payRun" | "postLast" | "redeem" | "refund">

/** The methods of the port that append. Each passes a posting to `join`, which settles it after the commit. */
export function postsThrough(join: (posting: Posting) => void): Appending {
  const postOne = (posting: Omit<Posting, "resolve" | "reject">) =>
    new Promise<Transaction & { replayed: boolean }>((resolve, reject) => {
      join({
        ...posting,
        resolve: ({ transactions: [transaction], replayed }) => transaction && resolve({ ...transaction, replayed }),
        reject,
      })
    })

  return {
    post: (entry, check, options) =>
      postOne({
        entries: [entry],
        check: (balanceOf, reversedOf) =>
          check(balancesOf(entry, balanceOf), entry.reverses === undefined ? 0 : reversedOf(entry.reverses)),
        ...options,
      }),
    postAll: (entries, check, options) =>
      new Promise((resolve, reject) => join({ entries, check, ...options, resolve, reject })),
    payRun: (slice, shareOf) =>
      new Promise((resolve, reject) => {
        const { senderId, receiverIds, date, note } = slice
        join({
          entries: receiverIds.map((receiverId) => ({ kind: "allowance", senderId, receiverId, value: 0, date, note })),
          check: () => {},
          payment: { slice, shareOf },
          resolve: ({ transactions }) => resolve(transactions),
          reject: (reason) => (reason instanceof SlicePaid ? resolve(null) : reject(reason)),
        })
      }),
    postLast: (entry, check, audit) =>
      postOne({
        entries: [entry],
        check: (balanceOf) => check(balancesOf(entry, balanceOf)),
        audit,
        deactivatesSender: true,
      }),
    redeem: (request, check, options) => {
      const { userId: senderId, receiverId, date, note } = request
      return postOne({
        entries: [{ kind: "redemption", senderId, receiverId, value: 0, date, note }],
        check: () => {},
        ...options,
        redemption: { request, check },
      })
    },
    refund: (refund, answer, check, options) =>
      postOne({
        entries: [refund],
        check: (balanceOf) => check(balancesOf(refund, balanceOf)),
        ...options,
        audit: answer.audit,
        refunds: answer,
      }),
  }
}

const balancesOf = ({ senderId, receiverId }: NewTransaction, balanceOf: BalanceOf): Balances => ({
  sender: balanceOf(senderId),
  receiver: balanceOf(receiverId),
})

/** A user's account while the ledger is locked. */
export interface LockedAccount extends StoredPockets {
  isActive: boolean
  /** How many requests that send points the user made in the window that ends at `requestsUntil`. */
  requests: number
  requestsUntil: number
}

/** The ledger while its lock is held. Everything that is done here is written in one commit. */
export interface LockedLedger<Account extends LockedAccount> {
  /** @throws DomainError `user_not_found` */
  accountOf(userId: number): Account
  /** How many points of a transaction reversals have moved back. */
  reversedOf(transactionId: number): number
  /** What the key posted; null when the key is unused or has expired by `now`. @throws DomainError `key_reused` */
  replayOf(senderId: number, key: IdempotencyKey, now: number): PostResult | null
  /** Appends a transaction and moves its value. */
  append(entry: NewTransaction): Transaction
  /** Saves an account that was changed here. */
  save(account: Account): void
  /** Stores what was posted under the key, for replays. */
  remember(transactions: readonly Transaction[], balance: number, key: IdempotencyKey): void
  audit(entry: AuditEntry | undefined): void
  /** The highest id of the users that a run has handled; null when the run is finished. */
  runPaidThrough(runId: number): number | null
  /** Stores that a run has handled the users of the slice with these transactions. */
  advanceRun(slice: RunSlice, transactions: readonly Transaction[]): void
  /** Ends the user's account (`UserStore.setActive`). */
  deactivate(userId: number, at: number): void
  readonly catalogue: LockedCatalogue
}

/** Rewards and redemptions while the ledger is locked. */
export interface LockedCatalogue {
  /** @throws DomainError `reward_not_found` */
  contextOf(request: NewRedemption): Omit<RedemptionContext, "pockets">
  /** Stores a redemption with its jobs, and takes one from the stock. */
  redeem(transaction: Transaction, reward: Reward, request: NewRedemption): void
  isRequested(id: number): boolean
  /** Stores the answer with its jobs, and puts one back into the stock. */
  decline(refund: Transaction, answer: RedemptionAnswer): void
}

/** Settles the promise of a posting. Call it after the commit. */
export type Answer = () => void

/**
 * Decides the postings of a batch in their order, each against the balances that the postings before it left. A refused
 * posting appends nothing; only its request is counted for the sender's limit.
 */
export const decide = <Account extends LockedAccount>(
  batch: readonly Posting[],
  ledger: LockedLedger<Account>,
): Answer[] => batch.map((posting) => refused(posting, ledger) ?? accepted(posting, appended(posting, ledger), ledger))

/** Entries that are checked, appended or saved in one time slice: 1 to 3 ms. */
export const entriesInSlice = 128

/** The same for one posting with many entries; yields between time slices. A generator takes 1 µs more for each transfer. */
export function* decideInSlices<Account extends LockedAccount>(
  posting: Posting,
  ledger: LockedLedger<Account>,
): Generator<undefined, Answer> {
  const answer = refused(posting, ledger)
  if (answer) return answer
  const transactions: Transaction[] = []
  for (const [index, entry] of posting.entries.entries()) {
    transactions.push(...(posting.payment ? pay(entry, posting.payment, ledger) : [ledger.append(entry)]))
    if (index % entriesInSlice === entriesInSlice - 1) yield
  }
  return accepted(posting, transactions, ledger)
}

function appended<Account extends LockedAccount>(
  { entries, payment, redemption }: Posting,
  ledger: LockedLedger<Account>,
): readonly Transaction[] {
  if (redemption) return entries.map((entry) => redeem(entry, redemption.request, ledger))
  if (payment === undefined) return entries.map(ledger.append)
  return entries.flatMap((entry) => pay(entry, payment, ledger))
}

function redeem<Account extends LockedAccount>(
  entry: NewTransaction,
  request: NewRedemption,
  { append, catalogue }: LockedLedger<Account>,
): Transaction {
  const { reward } = catalogue.contextOf(request)
  const transaction = append({ ...entry, value: reward.cost })
  catalogue.redeem(transaction, reward, request)
  return transaction
}

/** Nothing when the receiver gets nothing, or was deactivated after the slice was read. */
function pay<Account extends LockedAccount>(
  entry: NewTransaction,
  { shareOf }: Payment,
  ledger: LockedLedger<Account>,
): readonly Transaction[] {
  const { senderId, receiverId, date } = entry
  const receiver = ledger.accountOf(receiverId)
  if (!receiver.isActive) return []
  const { value, expired } = shareOf(receiver, ledger.accountOf(senderId).balance)
  const expiry = { kind: "expiry", senderId: receiverId, receiverId: senderId, value: expired, date } as const
  return [...(expired > 0 ? [ledger.append(expiry)] : []), ...(value > 0 ? [ledger.append({ ...entry, value })] : [])]
}

/** What the transactions of a run paid, and to how many people; and how much expired. */
export function sumsOf(transactions: readonly Transaction[]) {
  const sums = { people: 0, total: 0, expired: 0 }
  for (const { kind, value } of transactions)
    if (kind === "expiry") sums.expired += value
    else {
      sums.people += 1
      sums.total += value
    }
  return sums
}

/** The answer to a posting that is a replay or refused; null for one whose entries may be appended. */
function refused<Account extends LockedAccount>(
  { entries, check, idempotencyKey, limit, payment, redemption, refunds, resolve, reject }: Posting,
  ledger: LockedLedger<Account>,
): Answer | null {
  try {
    const [first] = entries
    const waitMs = limit && first ? countRequest(first, limit, ledger) : 0
    const replay = idempotencyKey && first && ledger.replayOf(first.senderId, idempotencyKey, first.date)
    if (replay) return () => resolve(replay)
    if (waitMs > 0) throw new DomainError("too_many_transfers", { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    // Looked up before anything is appended, so that an unknown user fails this posting alone, not the whole batch.
    for (const { kind, senderId, receiverId } of entries) {
      const sender = ledger.accountOf(senderId)
      const receiver = ledger.accountOf(receiverId)
      if (payment === undefined) checkStillActive(kind, sender, receiver)
    }
    if (payment && ledger.runPaidThrough(payment.slice.runId) !== payment.slice.afterId) throw new SlicePaid()
    if (refunds && !ledger.catalogue.isRequested(refunds.redemption.id)) throw new DomainError("not_requested")
    if (redemption) {
      const { request, check: checkRedemption } = redemption
      const { balance, earned } = ledger.accountOf(request.userId)
      checkRedemption({ ...ledger.catalogue.contextOf(request), pockets: { balance, earned } })
    }
    check((userId) => ledger.accountOf(userId).balance, ledger.reversedOf)
    return null
  } catch (refusal) {
    return () => reject(refusal)
  }
}

/** The answer to a posting whose entries were appended. */
function accepted<Account extends LockedAccount>(
  { entries: [first], idempotencyKey, audit, payment, deactivatesSender, refunds, resolve }: Posting,
  transactions: readonly Transaction[],
  ledger: LockedLedger<Account>,
): Answer {
  const balance = first ? ledger.accountOf(first.senderId).balance : 0
  if (idempotencyKey) ledger.remember(transactions, balance, idempotencyKey)
  ledger.audit(audit)
  if (payment) ledger.advanceRun(payment.slice, transactions)
  if (deactivatesSender)
    for (const { senderId, date } of transactions) {
      ledger.deactivate(senderId, date)
      ledger.accountOf(senderId).isActive = false
    }
  const [posted] = transactions
  if (refunds && posted) ledger.catalogue.decline(posted, refunds)
  return () => resolve({ transactions, balance, replayed: false })
}

/** Counts a request of the sender; returns 0. When the window is full, only returns the milliseconds until its end. */
function countRequest<Account extends LockedAccount>(
  { senderId, date }: NewTransaction,
  { max, windowMs }: RequestLimit,
  ledger: LockedLedger<Account>,
): number {
  const sender = ledger.accountOf(senderId)
  if (sender.requestsUntil <= date || sender.requestsUntil > date + 2 * windowMs) {
    sender.requests = 0
    sender.requestsUntil = date + windowMs
  }
  if (sender.requests >= max) return sender.requestsUntil - date
  sender.requests += 1
  ledger.save(sender)
  return 0
}
