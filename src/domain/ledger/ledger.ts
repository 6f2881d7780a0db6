import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Calendar } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { checkedIdempotencyKey } from "../idempotency/idempotency.ts"
import { type Abortable, defaultPageSize, maxPageSize, type Page } from "../paging.ts"
import { usernameKey } from "../people/fields.ts"
import type { BalanceOf, User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import { maxValue, minValue } from "../points.ts"
import type { Programme } from "../programme/model.ts"
import type { Store } from "../store.ts"
import {
  type Balances,
  type MostToOne,
  type OrderField,
  orderFields,
  type Reference,
  type RequestLimit,
  type Transaction,
  type TransactionEntry,
  type TransactionRecord,
} from "./model.ts"
import { checkAllowed, checkedNote, checkTags, type NoteRequest } from "./notes.ts"
import type { LedgerStore } from "./ports.ts"

/** A request to send points, not yet checked. */
export interface TransferRequest {
  readonly sender: User
  readonly receiver: User
  /** What the request calls the receiver, if it may be a former username. */
  readonly receiverNamed?: string
  /** Points. */
  readonly value: number
  readonly note?: NoteRequest
  readonly idempotencyKey?: string | null
  readonly reference?: Reference | undefined
  /** Set when an operator sends in the sender's name over the command line: adds an audit entry to the commit. */
  readonly operator?: Origin
  /**
   * Set for the contract's endpoint and command: they need no reason and no tag, whatever the programme says, and know a former
   * username only in a request that is sent again.
   */
  readonly isContracts?: true
}

interface SentPoints extends Transaction {
  /** True when an earlier request under the same idempotency key or reference sent them; this one moved nothing. */
  readonly replayed: boolean
  /** Points that were taken back since. */
  readonly reversed: number
}

/** The query parameters of GET /transaction/, parsed. */
export interface HistoryRequest extends Abortable {
  /** Username of the receiver. */
  readonly user?: string | undefined
  /** Username of the sender. */
  readonly from_user?: string | undefined
  /** One of `orderFields`; a leading `-` means descending. */
  readonly order_by?: string | undefined
  /** From 1. */
  readonly page?: number | undefined
  /** 1 to `maxPageSize`. */
  readonly size?: number | undefined
}

export interface HistoryPage extends Page<TransactionRecord> {
  readonly page: number
  readonly size: number
}

/** What every way of sending points needs, besides its stores. */
export interface SendingDependencies {
  readonly clock: Clock
  readonly requestLimitOf: RequestLimitOf
  readonly programme: ProgrammeOf
  readonly mostToOneOf: MostToOneOf
}

interface Dependencies extends SendingDependencies {
  readonly store: Pick<Store, "ledger" | "users">
}

/** The programme in force. */
export type ProgrammeOf = () => Promise<Programme>

export type Ledger = ReturnType<typeof createLedger>

export function createLedger({ store, clock, requestLimitOf, programme: programmeOf, mostToOneOf }: Dependencies) {
  return {
    /**
     * Sends points from one user to another; resolves once that is durable (docs/interface/transactions.md). A request
     * under an idempotency key that the sender has used within a day is a replay, and so is one with a reference that the
     * sender has ever used: it moves nothing and returns the first transaction, even beyond the transfer limit.
     * @throws DomainError `invalid` (value, note or key), `insufficient_balance`, `balance_out_of_range`, `key_reused`,
     *   `reference_reused`, `too_many_transfers`, `most_to_one`; `bad_credentials` when the sender has left, `user_not_found` when the
     *   receiver has
     */
    async sendPoints(request: TransferRequest): Promise<SentPoints> {
      const { sender, receiver, value, reference, operator, isContracts = false } = request
      const { receiverNamed = receiver.username } = request
      checkValue(value)
      const note = checkedNote(request.note)
      const programme = await programmeOf()
      const date = clock()
      const sent = { receiver: receiverNamed, value, note, reference: reference?.name }
      const key = checkedIdempotencyKey(request.idempotencyKey, sent, date)
      if (isContracts && receiverNamed !== receiver.username) {
        const isSent = key !== undefined && (await store.ledger.findReplay(sender.id, key, date)) !== null
        if (!isSent) throw new DomainError("user_not_found")
      }

      const posted = await store.ledger.post(
        { kind: "transfer", senderId: sender.id, receiverId: receiver.id, value, date, note },
        (balances) => {
          if (isContracts) checkTags(note, programme.tags)
          else checkAllowed(note, programme)
          checkTransfer(request, balances, programme.give_from)
        },
        {
          idempotencyKey: key,
          reference,
          audit: operator && auditEntry(operator, date, "points_sent", { whom: receiver.username, detail: `${value}` }),
          limit: requestLimitOf(sender),
          mostToOne: mostToOneOf(sender, programme, date),
        },
      )
      const earlier = posted.replayed ? await store.ledger.entry(posted.id) : null
      // The note is right for a replay too: its key or reference belongs to a request with the same note.
      return { ...posted, note, reversed: earlier?.reversed ?? 0 }
    },

    /**
     * One page of the transactions that `viewer` may see: all for a superuser, otherwise those that the viewer sent or
     * received (docs/interface/transactions.md).
     * @throws DomainError `invalid` (`order_by`, `page`, `size`)
     */
    async history(viewer: User, query: HistoryRequest): Promise<HistoryPage> {
      const asked = pageQueryOf(query)
      const found = await store.ledger.page(isSuperuser(viewer) ? asked : { ...asked, participantId: viewer.id })
      return { ...found, page: asked.page, size: asked.size }
    },

    /**
     * One page of the transactions that `target` sent or received, with the balance of `target`. The guard `toHistory`
     * decides who may read this.
     * @throws DomainError `invalid` (`order_by`, `page`, `size`)
     */
    async historyOf(target: User, query: HistoryRequest): Promise<HistoryPage & { readonly balance: number }> {
      const asked = pageQueryOf(query)
      return { ...(await store.ledger.pageWithBalance(target.id, asked)), page: asked.page, size: asked.size }
    },
  }
}

/** @throws DomainError `invalid` */
function pageQueryOf({ user, from_user, order_by, page = 1, size = defaultPageSize, signal }: HistoryRequest) {
  if (!isIntegerWithin(1, page, maxValue)) throw invalid("page", "an integer from 1")
  if (!isIntegerWithin(1, size, maxPageSize)) throw invalid("size", `an integer from 1 to ${maxPageSize}`)
  return {
    ...(user !== undefined && { receiver: usernameKey(user) }),
    ...(from_user !== undefined && { sender: usernameKey(from_user) }),
    ...(order_by !== undefined && { order: orderOf(order_by) }),
    page,
    size,
    signal,
  }
}

/** The transactions with adjacent ids of which this is the last, ascending. */
export async function entriesThrough(
  ledger: Pick<LedgerStore, "entries">,
  last: number,
  count: number,
): Promise<readonly TransactionEntry[]> {
  return (await ledger.entries({ before: last + 1, limit: count })).toReversed()
}

/** @throws DomainError `invalid` */
export function checkValue(value: number): void {
  if (!isIntegerWithin(minValue, value, maxValue)) throw invalid("value", `an integer from ${minValue} to ${maxValue}`)
}

/** Transfers of the same value from one sender to one or more different receivers. */
export interface Transfers {
  readonly sender: User
  readonly receivers: readonly Pick<User, "id">[]
  /** Points for each receiver. */
  readonly value: number
}

/**
 * The rule about balances, for a transfer and for a grant: the balance of a regular user must cover what they send, even to
 * themselves, and every balance stays within ±maxValue. With `from`, only the budget counts, which is a part of the balance.
 * The store calls it inside the lock, with the current balances.
 * @throws DomainError `insufficient_balance`, `balance_out_of_range`
 */
export function checkBalances(
  { sender, receivers, value }: Transfers,
  balanceOf: BalanceOf,
  budget: number,
  from: Programme["give_from"],
): void {
  const balance = balanceOf(sender.id)
  checkCovered({ sender, receivers, value }, balance, budget, from)
  const others = receivers.filter(({ id }) => id !== sender.id)
  if (leavesTooLittle(balance, value, others.length) || others.some(({ id }) => balanceOf(id) + value > maxValue))
    throw new DomainError("balance_out_of_range")
}

/**
 * The part of the rule that concerns the sender alone, without the range of balances.
 * @throws DomainError `insufficient_balance`
 */
export function checkCovered(
  { sender, receivers, value }: Transfers,
  balance: number,
  budget: number,
  from: Programme["give_from"],
): void {
  const spendable = from === "budget" ? budget : balance
  if (!isSuperuser(sender) && spendable < value * receivers.length) throw new DomainError("insufficient_balance")
}

/** Whether paying `value` to `count` people would take the balance below -maxValue. A product above 2^53 would be rounded. */
const leavesTooLittle = (balance: number, value: number, count: number): boolean =>
  BigInt(balance) - BigInt(value) * BigInt(count) < -BigInt(maxValue)

/** The same rule for one transfer, with its two balances. @throws DomainError as `checkBalances` */
export function checkTransfer(
  { sender, receiver, value }: Pick<TransferRequest, "sender" | "receiver" | "value">,
  balances: Balances,
  from: Programme["give_from"] = "balance",
): void {
  const balanceOf = (id: number) => (id === sender.id ? balances.sender : balances.receiver)
  checkBalances({ sender, receivers: [receiver], value }, balanceOf, balances.budget, from)
}

function orderOf(orderBy: string): { field: OrderField; descending: boolean } {
  const descending = orderBy.startsWith("-")
  const name = descending ? orderBy.slice(1) : orderBy
  const field = orderFields.find((known) => known === name)
  if (!field) throw invalid("order_by", `one of ${orderFields.join(", ")}, with a leading - for descending`)
  return { field, descending }
}

const isIntegerWithin = (min: number, value: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

const windowMs = 60_000

export type RequestLimitOf = ReturnType<typeof createRequestLimitOf>

/**
 * How many requests that send or redeem points a user may make, over all endpoints and processes; undefined for superusers,
 * who have no limit. `perMinute` is the setting `limits.transfers_per_minute`; 0: nobody has a limit. The ledger counts
 * inside its lock. Requests that it refuses count too, because they take the lock like any other.
 */
export const createRequestLimitOf =
  (perMinute: number) =>
  (sender: User): RequestLimit | undefined =>
    perMinute === 0 || isSuperuser(sender) ? undefined : { max: perMinute, windowMs }

export type MostToOneOf = ReturnType<typeof createMostToOneOf>

/** How many points a user may give one person in the present period; undefined for superusers, and without a limit. */
export const createMostToOneOf =
  (calendar: Pick<Calendar, "spanOf">) =>
  (sender: User, { most_to_one: { points, period } }: Programme, date: number): MostToOne | undefined =>
    points === null || isSuperuser(sender) ? undefined : { points, since: calendar.spanOf(period, date).start }
