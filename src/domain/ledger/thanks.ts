import { invalid } from "../errors.ts"
import { checkedIdempotencyKey } from "../idempotency/idempotency.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { checkBalances, checkValue, entriesThrough, type SendingDependencies, type Transfers } from "./ledger.ts"
import type { Reference, TransactionEntry } from "./model.ts"
import { checkAllowed, checkedNote, type NoteRequest } from "./notes.ts"

/** How many people a sender may thank at once. The app has a copy, in ui/transfer/transfer.ts. */
export const maxThanked = 50

/** A request to thank several people at once, not yet checked. */
interface ThanksRequest extends Transfers {
  readonly receivers: readonly User[]
  /** What the request calls them, if some names may be former ones. */
  readonly receiversNamed?: readonly string[]
  readonly note?: NoteRequest
  readonly idempotencyKey?: string | null
  readonly reference?: Reference | undefined
}

export interface SentThanks {
  /** In the order of the receivers. */
  readonly transfers: readonly TransactionEntry[]
  /** The id of the first. */
  readonly group: number
  /** True when an earlier request under the same idempotency key or reference sent them; this one moved nothing. */
  readonly replayed: boolean
}

interface Dependencies extends SendingDependencies {
  readonly store: Pick<Store, "ledger">
}

/** Thanking several people at once: transfers in one commit, which the feed shows as one entry. */
export function createThanks({ store: { ledger }, clock, requestLimitOf, mostToOneOf, ...rules }: Dependencies) {
  return {
    /**
     * Sends the value to each receiver in one commit, or to nobody; resolves once that is durable. The sender's balance must
     * cover the total. The limit counts one request. A replay works as in `Ledger.sendPoints`.
     * @throws DomainError `invalid` (receivers, value, note or key), `insufficient_balance`, `balance_out_of_range`,
     *   `key_reused`, `reference_reused`, `too_many_transfers`, `most_to_one`; `bad_credentials` when the sender has left,
     *   `user_not_found` when a receiver has
     */
    async send(request: ThanksRequest): Promise<SentThanks> {
      const { sender, receivers, value, reference } = request
      const { receiversNamed = receivers.map(({ username }) => username) } = request
      checkReceivers(request)
      checkValue(value)
      const note = checkedNote(request.note)
      const programme = await rules.programme()
      const date = clock()
      const sending = { receivers: receiversNamed, value, note, reference: reference?.name }
      const key = checkedIdempotencyKey(request.idempotencyKey, sending, date)

      const { transactions, replayed } = await ledger.postAll(
        receivers.map(({ id: receiverId }, place) => ({
          kind: "transfer" as const,
          senderId: sender.id,
          receiverId,
          value,
          date,
          note,
          place,
        })),
        (balanceOf, budget) => {
          checkAllowed(note, programme)
          checkBalances(request, balanceOf, budget, programme.give_from)
        },
        {
          idempotencyKey: key,
          reference,
          limit: requestLimitOf(sender),
          mostToOne: mostToOneOf(sender, programme, date),
        },
      )
      const [first] = transactions
      if (!first) throw new Error("a commit of transfers has none")
      const sent = transactions.map((transaction, place): TransactionEntry => {
        const receiver = receivers[place]
        if (!receiver) throw new Error(`transaction ${transaction.id} has no receiver`)
        return { ...transaction, note, sender, receiver, reverses: null, reversed: 0 }
      })
      // What was sent earlier may have been taken back since.
      const transfers = replayed
        ? await entriesThrough(ledger, first.id + transactions.length - 1, transactions.length)
        : sent
      return { transfers, group: first.id, replayed }
    },
  }
}

/** @throws DomainError `invalid` */
function checkReceivers({ sender, receivers }: Transfers): void {
  const different = new Set(receivers.map(({ id }) => id))
  const isAllowed = receivers.length >= 1 && receivers.length <= maxThanked && !different.has(sender.id)
  if (!isAllowed || different.size < receivers.length)
    throw invalid("to", `1 to ${maxThanked} different usernames, without your own`)
}
