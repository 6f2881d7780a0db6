import { DomainError } from "../errors.ts"
import { checkedIdempotencyKey } from "../idempotency/idempotency.ts"
import { checkBalances, checkValue, entriesThrough, type SendingDependencies } from "../ledger/ledger.ts"
import type { PostResult, Reference, TransactionEntry } from "../ledger/model.ts"
import type { PostOptions } from "../ledger/ports.ts"
import { isActive, type User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Recognition } from "./model.ts"

/** A request to add points to somebody's recognition, not yet checked. */
interface AdditionRequest {
  readonly sender: User
  /** The sender may see all of it. */
  readonly recognition: Recognition
  /** Points for each receiver. */
  readonly value: number
  readonly idempotencyKey?: string | null
  readonly reference?: Reference | undefined
}

export interface AddedPoints {
  /** In the order of the receivers. */
  readonly transfers: readonly TransactionEntry[]
  /** True when an earlier request under the same idempotency key or reference sent them; this one moved nothing. */
  readonly replayed: boolean
}

interface Dependencies extends SendingDependencies {
  readonly store: Pick<Store, "ledger" | "users">
}

/** Adding points to what a colleague was thanked for: more transfers, which are no entry of the feed. */
export function createAdditions({ store, clock, requestLimitOf, mostToOneOf, ...rules }: Dependencies) {
  const { ledger, users } = store

  return {
    /**
     * Sends the value, in one commit, to each receiver who is still there and from whom not everything was taken back;
     * resolves once that is durable. The sender's balance must cover the total. The limit counts one request. A replay works
     * as in `Ledger.sendPoints`.
     * @throws DomainError `invalid` (value or key), `private`, `own_recognition`, `taken_back`, `insufficient_balance`,
     *   `balance_out_of_range`, `key_reused`, `reference_reused`, `too_many_transfers`, `most_to_one`; `bad_credentials` when the sender has
     *   left, `user_not_found` when every receiver has
     */
    async add(request: AdditionRequest): Promise<AddedPoints> {
      const { sender, recognition, value, reference } = request
      checkValue(value)
      if (recognition.note?.isPrivate) throw new DomainError("private")
      if (recognition.receivers.some(({ userId }) => userId === sender.id)) throw new DomainError("own_recognition")
      const date = clock()
      const sending = { addsTo: recognition.id, value, reference: reference?.name }
      const key = checkedIdempotencyKey(request.idempotencyKey, sending, date)
      const programme = await rules.programme()
      const thanked = await stillThanked(recognition)
      const receivers = thanked.map(({ user }) => user)

      const { transactions, replayed } =
        receivers.length === 0
          ? await replayedOrRefused(sender, recognition, key, date)
          : await ledger.addPoints(
              receivers.map(({ id: receiverId }) => ({
                kind: "transfer" as const,
                senderId: sender.id,
                receiverId,
                value,
                date,
                addsTo: recognition.id,
              })),
              thanked.map(({ transactionId }) => transactionId),
              (balanceOf, budget) =>
                checkBalances({ sender, receivers, value }, balanceOf, budget, programme.give_from),
              {
                idempotencyKey: key,
                reference,
                limit: requestLimitOf(sender),
                mostToOne: mostToOneOf(sender, programme, date),
              },
            )
      const last = transactions.at(-1)
      if (!last) throw new Error("a commit of transfers has none")
      return { transfers: await entriesThrough(ledger, last.id, transactions.length), replayed }
    },
  }

  /** The receivers to whom points can be added, with the transfers to them. */
  async function stillThanked({ receivers, value }: Recognition) {
    // An occasion may have no points of its own, and then none can be taken back.
    const left = receivers.filter(({ reversed }) => value === 0 || reversed < value)
    const found = await users.byIds(left.map(({ userId }) => userId))
    const active = new Map(found.filter(isActive).map((user) => [user.id, user]))
    return left.flatMap(({ userId, transactionId }) => {
      const user = active.get(userId)
      return user ? [{ user, transactionId }] : []
    })
  }

  /** When there is nobody left to receive points, only an earlier request has an answer. */
  async function replayedOrRefused(
    sender: User,
    { receivers, value }: Recognition,
    key: PostOptions["idempotencyKey"],
    now: number,
  ): Promise<PostResult> {
    const earlier = key && (await ledger.findReplay(sender.id, key, now))
    if (earlier) return earlier
    throw new DomainError(
      value > 0 && receivers.every(({ reversed }) => reversed === value) ? "taken_back" : "user_not_found",
    )
  }
}
