import { auditEntry } from "../audit-log.ts"
import { isSuperuser } from "../auth/roles.ts"
import { DomainError, invalid } from "../errors.ts"
import type { BalanceOf, Clock, OrderField, Origin, Page, Transaction, TransactionRecord, User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { idempotencyKeyOf } from "./idempotency.ts"
import { checkedNote, type NoteRequest } from "./notes.ts"
import type { TransferLimit } from "./transfer-limit.ts"

/** Points of one transaction and, either way, of a balance: the integers that every JSON reader keeps exact. */
export const minValue = 1
export const maxValue = Number.MAX_SAFE_INTEGER

export const orderFields = ["from_user", "user", "value", "date"] as const satisfies OrderField[]
export const defaultPageSize = 50
export const maxPageSize = 100

export interface Transfer {
  readonly sender: User
  readonly receiver: User
  /** Points. */
  readonly value: number
}

/** The same value to each of several receivers, of whom everybody is one once. */
export interface GroupTransfer extends Pick<Transfer, "sender" | "value"> {
  readonly receivers: readonly User[]
}

/** A transfer as it came, with what may go with it. */
export interface TransferRequest extends Transfer {
  readonly note?: NoteRequest
  /** As in idempotency.ts; null or absent: none. */
  readonly idempotencyKey?: string | null
  /** Who sends in the sender's name, as the command line does; leaves an audit entry in the same commit. */
  readonly onBehalfBy?: Origin
}

export interface SentPoints extends Transaction {
  /** Done earlier under the same idempotency key; nothing was done now. */
  readonly replayed: boolean
}

/** The query parameters of GET /transaction/, parsed. */
export interface HistoryQuery {
  readonly user?: string | undefined
  readonly from_user?: string | undefined
  /** One of `orderFields`, with a leading `-` for descending. */
  readonly order_by?: string | undefined
  readonly page?: number | undefined
  readonly size?: number | undefined
}

export interface HistoryPage extends Page<TransactionRecord> {
  readonly page: number
  readonly size: number
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly clock: Clock
  readonly limit: TransferLimit
  /** The setting `recognition.tags`. */
  readonly tags: readonly string[]
}

export type Ledger = ReturnType<typeof createLedger>

export function createLedger({ store, clock, limit, tags }: Dependencies) {
  return {
    /**
     * Moves points and resolves once that is durable (contract, POST /transaction/{username}/).
     * Under an idempotency key that this sender used within a day it does nothing more, and resolves to what it did
     * then: the limit refuses no such replay.
     * @throws DomainError `invalid` (not 1 to 2^53−1, or what goes with it), `insufficient_balance`,
     *   `balance_out_of_range`, `key_reused`, `too_many_transfers`
     */
    async sendPoints({
      sender,
      receiver,
      value,
      note: said,
      idempotencyKey: key = null,
      onBehalfBy,
    }: TransferRequest): Promise<SentPoints> {
      checkValue(value)
      const date = clock()
      const note = said && checkedNote(said, tags)
      const once = key === null ? undefined : idempotencyKeyOf(key, { receiver: receiver.username, value, note }, date)
      const waitSeconds = limit(sender)
      if (waitSeconds > 0) {
        const replay = once && (await store.ledger.findReplay(sender.id, once, date))
        const [transaction] = replay?.transactions ?? []
        if (!transaction) throw new DomainError("too_many_transfers", undefined, waitSeconds)
        return { ...transaction, note, replayed: true }
      }
      const posted = await store.ledger.post(
        { senderId: sender.id, receiverId: receiver.id, value, date, note },
        (balances) =>
          checkTransfer({ sender, receivers: [receiver], value }, (id) =>
            id === sender.id ? balances.sender : balances.receiver,
          ),
        once,
        onBehalfBy && auditEntry(onBehalfBy, date, "points_sent", { whom: receiver.username, detail: `${value}` }),
      )
      return { ...posted, note }
    },

    /** What `viewer` may see: everything for a superuser, else what the viewer sent or received (contract, GET /transaction/).
     *  @throws DomainError `invalid` (`order_by`, `page`, `size`) */
    async history(viewer: User, query: HistoryQuery): Promise<HistoryPage> {
      return read(query, isSuperuser(viewer) ? {} : { participantId: viewer.id })
    },

    /** What `target` sent or received, with the balance (contract, GET /transaction/{username}/).
     *  `target` comes from `access.toHistory`.
     *  @throws DomainError `invalid` (`order_by`, `page`, `size`) */
    async historyOf(target: User, query: HistoryQuery): Promise<HistoryPage & { readonly balance: number }> {
      const page = await read(query, { participantId: target.id })
      return { ...page, balance: await store.users.balanceOf(target.id) }
    },
  }

  async function read(query: HistoryQuery, visible: { participantId?: number }): Promise<HistoryPage> {
    const { user, from_user, order_by, page = 1, size = defaultPageSize } = query
    if (!isIntegerWithin(1, page, maxValue)) throw invalid("page", "an integer from 1")
    if (!isIntegerWithin(1, size, maxPageSize)) throw invalid("size", `an integer from 1 to ${maxPageSize}`)
    const found = await store.ledger.page({
      ...visible,
      ...(user !== undefined && { receiver: usernameKey(user) }),
      ...(from_user !== undefined && { sender: usernameKey(from_user) }),
      ...(order_by !== undefined && { order: orderOf(order_by) }),
      page,
      size,
    })
    return { ...found, page, size }
  }
}

const isIntegerWithin = (min: number, value: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

/** @throws DomainError `invalid` */
export function checkValue(value: number): void {
  if (!isIntegerWithin(minValue, value, maxValue)) throw invalid("value", `an integer from ${minValue} to ${maxValue}`)
}

/**
 * The one rule about covering a transfer; it runs inside the store's lock, on the balances as they are there.
 * @throws DomainError `insufficient_balance`, `balance_out_of_range`
 */
export function checkTransfer({ sender, receivers, value }: GroupTransfer, balanceOf: BalanceOf): void {
  const balance = balanceOf(sender.id)
  if (!isSuperuser(sender) && balance < value * receivers.length) throw new DomainError("insufficient_balance")
  const others = receivers.filter(({ id }) => id !== sender.id)
  if (balance - value * others.length < -maxValue || others.some(({ id }) => balanceOf(id) + value > maxValue))
    throw new DomainError("balance_out_of_range")
}

function orderOf(orderBy: string): { field: OrderField; descending: boolean } {
  const descending = orderBy.startsWith("-")
  const name = descending ? orderBy.slice(1) : orderBy
  const field = orderFields.find((known) => known === name)
  if (!field) throw invalid("order_by", `one of ${orderFields.join(", ")}, with a leading - for descending`)
  return { field, descending }
}
