import type { AuditEntry } from "../../domain/audit/ports.ts"
import { DomainError } from "../../domain/errors.ts"
import type { IdempotencyKey } from "../../domain/idempotency/ports.ts"
import { checkStillActive } from "../../domain/ledger/leavers.ts"
import type {
  Balances,
  NewTransaction,
  PostResult,
  RequestLimit,
  Transaction,
  TransactionKind,
} from "../../domain/ledger/model.ts"
import type { PostOptions } from "../../domain/ledger/ports.ts"
import type { BalanceOf } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { writeAudit } from "../audit.ts"
import { lockAccounts, setActive } from "../auth/access.ts"
import { list, sql } from "../sql.ts"
import { transactions } from "../tables.ts"
import { AlreadyCelebrated, celebration } from "./celebrations.ts"
import { append } from "./chain.ts"
import { balancesIn, type Kind, type LockedLedger, type Posting, type StoredKey, withQueries } from "./locked-ledger.ts"
import { mostGiven } from "./most-given.ts"
import { redemption, refund } from "./redemptions.ts"
import { referenced } from "./references.ts"
import { runSlice, SlicePaid } from "./runs.ts"

type Appending = Pick<
  Store["ledger"],
  "post" | "postAll" | "addPoints" | "payRun" | "celebrate" | "postLast" | "redeem" | "refund"
>

/** Lets a posting join a batch. Resolves after the commit. */
export type Join = (kind: Kind, options?: PostOptions) => Promise<PostResult>

/** The methods of the port that append. */
export function postsThrough(join: Join): Appending {
  const postOne = async (kind: Kind, options?: PostOptions): Promise<Transaction & Pick<PostResult, "replayed">> => {
    const { transactions, replayed } = await join(kind, options)
    const [first] = transactions
    if (first === undefined) throw new Error("nothing was appended")
    return { ...first, replayed }
  }

  const withinMost = (kind: Kind, [first]: readonly NewTransaction[], options?: PostOptions) =>
    bounded(kind, first?.value ?? 0, options?.mostToOne)

  return {
    post: (entry, check, options) =>
      postOne(
        entry.reverses === undefined
          ? referenced(withinMost(single(entry, check), [entry], options), options?.reference)
          : reversal(entry, entry.reverses, check),
        options,
      ),
    postAll: async (entries, check, options) =>
      join(referenced(withinMost(several(entries, check), entries, options), options?.reference), options),
    addPoints: async (entries, thankedBy, check, options) =>
      join(referenced(withinMost(addition(entries, thankedBy, check), entries, options), options?.reference), options),
    postLast: (entry, check, audit) => postOne(last(entry, check, audit), { audit }),
    redeem: (request, check, options) => postOne(redemption(request, check), options),
    refund: (entry, answer, check, options) =>
      postOne(refund(entry, answer, check), { ...options, audit: answer.audit }),
    async celebrate(occasion) {
      try {
        await join(celebration(occasion))
        return true
      } catch (error) {
        if (error instanceof AlreadyCelebrated || (error instanceof DomainError && error.code === "user_not_found"))
          return false
        throw error
      }
    },
    async payRun(slice, shareOf) {
      try {
        return (await join(runSlice(slice, shareOf))).transactions
      } catch (error) {
        if (error instanceof SlicePaid) return null
        throw error
      }
    },
  }
}

/** A transaction by itself. */
const single = (entry: NewTransaction, check: (balances: Balances, reversed: number) => void): Kind => ({
  senderId: entry.senderId,
  receiverIds: [entry.receiverId],
  date: entry.date,
  check: (ledger) => check(activeIn(ledger, entry), 0),
  append: (ledger) => [append(ledger, entry)],
})

/** Transactions of one sender. */
function several(entries: readonly NewTransaction[], check: (balanceOf: BalanceOf, budget: number) => void): Kind {
  const [first] = entries
  if (first === undefined) throw new Error("there is nothing to post")
  return {
    senderId: first.senderId,
    receiverIds: entries.map(({ receiverId }) => receiverId),
    date: first.date,
    check(ledger) {
      for (const entry of entries) activeIn(ledger, entry)
      const { budget } = balancesIn(ledger, first.senderId, first.receiverId)
      check((userId) => ledger.accountOf(userId).balance, budget)
    },
    append: (ledger, from, to) => entries.slice(from, to).map((entry) => append(ledger, entry)),
  }
}

/** Moves points of a transaction back. */
function reversal(
  entry: NewTransaction,
  originalId: number,
  check: (balances: Balances, reversed: number) => void,
): Kind {
  const original = sql<{ kind: TransactionKind; reversed: number }>`SELECT ${transactions.kind},
      (SELECT coalesce(sum(earlier.value), 0)::bigint FROM ${transactions} AS earlier
        WHERE earlier.reverses = ${transactions.id}) AS reversed
    FROM ${transactions} WHERE ${transactions.id} = ${originalId}`
  return {
    ...single(entry, check),
    needs: { exclusive: [reversalsOf(originalId)], queries: [original] },
    check: (ledger) => check(activeIn(ledger, entry), ledger.rowOf(original)?.reversed ?? 0),
    append: (ledger) => [append(ledger, entry, ledger.rowOf(original)?.kind)],
  }
}

const reversalsOf = (id: number) => `reversals of ${id}`

/** Transfers that add points to others, unless all points of one of those were taken back. */
function addition(
  entries: readonly NewTransaction[],
  thankedBy: readonly number[],
  check: (balanceOf: BalanceOf, budget: number) => void,
): Kind {
  const posting = several(entries, check)
  const takenBack = sql<{ count: number }>`SELECT count(*) AS count FROM ${transactions}
    WHERE ${transactions.id} IN (SELECT value FROM ${list("asked", thankedBy, "bigint")})
      AND ${transactions.value} <= (SELECT coalesce(sum(reversal.value), 0) FROM ${transactions} AS reversal
        WHERE reversal.reverses = ${transactions.id})`
  return {
    ...posting,
    needs: { exclusive: thankedBy.map(reversalsOf), queries: [takenBack] },
    check(ledger) {
      if (ledger.rowOf(takenBack)?.count !== 0) throw new DomainError("taken_back")
      posting.check(ledger)
    },
  }
}

/** The last transaction of a sender, whose account it deactivates. */
const last = (entry: NewTransaction, check: (balances: Balances) => void, audit: AuditEntry | undefined): Kind => ({
  ...single(entry, check),
  after(ledger, posted) {
    lockAccounts(ledger)
    for (const { senderId, date } of posted) {
      setActive(ledger, senderId, date, audit)
      ledger.accountOf(senderId).isActive = false
    }
  },
})

/** The balances of both. @throws DomainError when one of them has left: see `checkStillActive` */
function activeIn(ledger: LockedLedger, { kind, senderId, receiverId }: NewTransaction): Balances {
  const sender = ledger.accountOf(senderId)
  const receiver = ledger.accountOf(receiverId)
  checkStillActive(kind, sender, receiver)
  return balancesIn(ledger, senderId, receiverId)
}

/** Transactions of the same value that the sender may not make beyond `mostToOne`. */
function bounded(kind: Kind, value: number, mostToOne: PostOptions["mostToOne"]): Kind {
  const others = kind.receiverIds.filter((id) => id !== kind.senderId)
  if (mostToOne === undefined || others.length === 0) return kind
  const given = mostGiven(kind.senderId, others, mostToOne.since)
  return {
    ...withQueries(kind, `what ${kind.senderId} gives`, given),
    check(ledger) {
      kind.check(ledger)
      if ((ledger.rowOf(given)?.points ?? 0) + value > mostToOne.points) throw new DomainError("most_to_one")
    },
  }
}

export const transactionsIn = (batch: readonly Posting[]): number =>
  batch.reduce((count, { receiverIds }) => count + receiverIds.length, 0)

/** How many of the waiting postings, from the first on, share a commit: with at most `max` transactions, or one with more. */
export function sharing(waiting: readonly Posting[], max: number): number {
  let size = 0
  const taken = new Set<string>()
  const end = waiting.findIndex(({ receiverIds, needs }, index) => {
    size += receiverIds.length
    const isTaken = needs?.exclusive.some((name) => taken.has(name)) ?? false
    for (const name of needs?.exclusive ?? []) taken.add(name)
    return index > 0 && (size > max || isTaken)
  })
  return end < 0 ? waiting.length : end
}

/** What a posting comes to. It is true after the commit. */
export type Outcome = { readonly posted: PostResult } | { readonly refusal: unknown }

/**
 * Decides the postings of a batch in their order, each against the balances that the postings before it left. A refused
 * posting appends nothing; only its request is counted for the sender's limit.
 */
export const decide = (batch: readonly Posting[], ledger: LockedLedger): Outcome[] =>
  batch.map(
    (posting) =>
      refused(posting, ledger) ?? accepted(posting, posting.append(ledger, 0, posting.receiverIds.length), ledger),
  )

/** Transactions that are checked, appended or saved in one time slice: 1 to 3 ms. */
export const sliceLength = 128

/** The same for one posting with many transactions; yields between time slices. A generator takes 1 µs more for each transfer. */
export function* decideInSlices(posting: Posting, ledger: LockedLedger): Generator<undefined, Outcome> {
  const outcome = refused(posting, ledger)
  if (outcome) return outcome
  const posted: Transaction[] = []
  for (let from = 0; from < posting.receiverIds.length; from += sliceLength) {
    posted.push(...posting.append(ledger, from, from + sliceLength))
    yield
  }
  return accepted(posting, posted, ledger)
}

/** The outcome of a posting that is a replay or refused; null for one that may be appended. */
function refused(posting: Posting, ledger: LockedLedger): Outcome | null {
  const { senderId, date, options } = posting
  const { limit, idempotencyKey: key } = options
  try {
    const waitMs = limit ? countRequest(ledger, senderId, date, limit) : 0
    const underKey = key && replayOf(ledger.keyOf(ownerOf(senderId, key), key.key), key, date)
    const replay = underKey ?? posting.replay?.(ledger)
    if (replay) return { posted: replay }
    if (waitMs > 0) throw new DomainError("too_many_transfers", { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    posting.check(ledger)
    return null
  } catch (refusal) {
    return { refusal }
  }
}

/** The outcome of a posting whose transactions were appended. */
function accepted(posting: Posting, posted: readonly Transaction[], ledger: LockedLedger): Outcome {
  const { senderId, options } = posting
  const { idempotencyKey: key, audit } = options
  const { balance } = ledger.accountOf(senderId)
  if (key) ledger.remember({ ...key, ownerId: ownerOf(senderId, key), transactions: posted, balance })
  if (audit) writeAudit(ledger, audit)
  posting.after?.(ledger, posted)
  return { posted: { transactions: posted, balance, replayed: false } }
}

/** Counts a request of the sender; returns 0. When the window is full, only returns the milliseconds until its end. */
function countRequest(ledger: LockedLedger, senderId: number, date: number, { max, windowMs }: RequestLimit): number {
  const sender = ledger.accountOf(senderId)
  if (sender.requestsUntil <= date || sender.requestsUntil > date + 2 * windowMs) {
    sender.requests = 0
    sender.requestsUntil = date + windowMs
  }
  if (sender.requests >= max) return sender.requestsUntil - date
  sender.requests += 1
  ledger.changed.add(sender)
  return 0
}

export const ownerOf = (senderId: number, { ownerId = senderId }: IdempotencyKey): number => ownerId

/** What the key posted; null when it is unused or has expired. @throws DomainError `key_reused` */
export function replayOf(stored: StoredKey | null, { requestHash }: IdempotencyKey, now: number): PostResult | null {
  if (stored === null || stored.expiresAt <= now) return null
  if (stored.requestHash !== requestHash) throw new DomainError("key_reused")
  const { transactions, balance } = stored
  return { transactions, balance, replayed: true }
}
