import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { checkedIdempotencyKey } from "../idempotency/idempotency.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { checkTransfer, checkValue } from "./ledger.ts"
import type { TransactionEntry, TransactionKind } from "./model.ts"
import { checkedNote } from "./notes.ts"

/** Redemptions are not among them: declining one returns the points, and the stock too. */
const reversible: readonly TransactionKind[] = ["transfer", "grant", "allowance", "occasion"]

/** The body of POST /api/v1/transactions/{id}/reversal, not yet checked. */
interface ReversalRequest {
  readonly original: TransactionEntry
  /** Points; absent: all that is left. */
  readonly value?: number | undefined
  readonly reason: string
  readonly idempotencyKey?: string | null
  /** Who reverses the transaction: a superuser, or the operator on the command line. */
  readonly by: Origin
  /** The superuser, whose idempotency key it is; null on the command line. */
  readonly superuser: User | null
}

export interface Reversal extends TransactionEntry {
  /** True when an earlier request under the same idempotency key made it; this one moved nothing. */
  readonly replayed: boolean
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly clock: Clock
}

/** Corrections of the ledger, which is append-only: points move back in a new transaction that names the original. */
export function createReversals({ store, clock }: Dependencies) {
  return {
    /**
     * Moves points of a transaction back from its receiver to its sender. The receiver's balance must cover them. All
     * reversals of a transaction together never exceed its value.
     * @throws DomainError `invalid` (value, reason or key), `not_reversible`, `nothing_to_reverse`,
     *   `beyond_what_is_left`, `insufficient_balance`, `balance_out_of_range`, `key_reused`
     */
    async reverse({ original, value, reason, idempotencyKey, by, superuser }: ReversalRequest): Promise<Reversal> {
      if (value !== undefined) checkValue(value)
      const note = checkedNote({ reason })
      if (note === undefined) throw invalid("reason", "it says why the points are taken back")
      if (!reversible.includes(original.kind)) throw new DomainError("not_reversible")
      const date = clock()
      const key = checkedIdempotencyKey(idempotencyKey, { reverses: original.id, value, note }, date)
      const [holder] = await store.users.byIds([original.receiverId])
      const [owner] = await store.users.byIds([original.senderId])
      if (!holder || !owner) throw new Error(`a user of transaction ${original.id} is missing`)

      const returned = value ?? Math.max(1, original.value - original.reversed)
      const posted = await store.ledger.post(
        {
          kind: "reversal",
          reverses: original.id,
          senderId: holder.id,
          receiverId: owner.id,
          value: returned,
          date,
          note,
        },
        (balances, reversed) => {
          const left = original.value - reversed
          if (left === 0) throw new DomainError("nothing_to_reverse")
          if (returned > left) throw new DomainError("beyond_what_is_left")
          checkTransfer({ sender: holder, receiver: owner, value: returned }, balances)
        },
        {
          idempotencyKey: key && superuser ? { ...key, ownerId: superuser.id } : key,
          audit: auditEntry(by, date, "points_reversed", {
            whom: holder.username,
            detail: `${returned} of transaction ${original.id}`,
          }),
        },
      )
      const entry = await store.ledger.entry(posted.id)
      if (!entry) throw new Error(`transaction ${posted.id} is missing`)
      return { ...entry, replayed: posted.replayed }
    },
  }
}
